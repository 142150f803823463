import path from 'node:path';
import type { IsOurProgram } from '../../core/protection/ourServer';
import { realOf } from '../folders/quietly';
import { readSmallFile } from '../regularFile';
import { launchedProgram } from './hookNotes';

interface OwnProgramOptions {
  /** Our own command lines, absolute. */
  readonly programs: readonly string[];
  /** Where agents find programs by their names. */
  readonly searchPath: string;
  /** The folders that are worked in: what lies there is the choice of who brought them. */
  readonly folders: readonly string[];
}

/**
 * Tells by a word of a command line whether it starts one of our own programs: by its path, wherever links lead, by a
 * name that the search path finds there first, or by a launcher that does nothing but load it.
 */
export function ownProgramTest({ programs, searchPath, folders }: OwnProgramOptions): IsOurProgram {
  const own = new Set(programs.flatMap((one) => realOf(one) ?? []));
  const worked = folders.map((folder) => `${realOf(folder) ?? folder}${path.sep}`);
  return (word) => {
    const found = path.isAbsolute(word) ? realOf(word) : inSearchPath(word, searchPath);
    if (found === undefined || worked.some((folder) => found.startsWith(folder))) return false;
    return own.has(found) || own.has(launchedBy(found) ?? '');
  };
}

function inSearchPath(name: string, searchPath: string): string | undefined {
  if (name === '' || /[\\/]/.test(name)) return undefined;
  for (const folder of searchPath.split(path.delimiter).filter((one) => path.isAbsolute(one))) {
    const found = realOf(path.join(folder, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The program that a launcher of ours loads. */
function launchedBy(file: string): string | undefined {
  const read = readSmallFile(file);
  const program = read.type === 'text' ? launchedProgram(read.text) : undefined;
  return program !== undefined && path.isAbsolute(program) ? realOf(program) : undefined;
}
