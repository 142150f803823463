import type { Access } from '../vocabulary/access';
import { isToolError } from '../vocabulary/errors';
import { readPathInput, samePath } from '../files/paths';
import { readWhole } from '../files/readWhole';
import type { FileSystem } from '../ports/files';
import { mostPromptCharacters, type PromptFault } from '../profiles/promptText';
import { accessLabel } from '../ports/accessLabel';
import type { WorkspacePath } from '../ports/workspacePath';

/** Where a prompt file stands: as it was named and where its links lead, which policy judges both. */
interface PromptPlace {
  readonly named: WorkspacePath;
  readonly real: WorkspacePath;
  readonly accesses: readonly Access[];
}

type Found<T> = { readonly value: T } | { readonly fault: PromptFault; readonly named?: WorkspacePath };

/** No character of UTF-8 takes more bytes than this. */
const mostBytesOfACharacter = 4;

/**
 * Finds the file that `systemPromptFile` names, by the rules of `read_file`, and more narrowly: relative to the
 * workspace, never going up, beginning with the folder's name where there are several. Nothing is read.
 */
export async function findPrompt(files: FileSystem, path: string): Promise<Found<PromptPlace>> {
  const folders = files.folders();
  if (folders.length === 0) return { fault: { code: 'no_folder' } };
  if (!isRelative(path)) return { fault: { code: 'not_a_path' } };
  let named: WorkspacePath | undefined;
  try {
    const read = readPathInput(path, folders, files.style);
    named = read.kind === 'one' ? read.path : read.kind === 'several' ? read.preferred : undefined;
    if (!named) return { fault: { code: 'no_folder_name' } };
    const real = await files.canonical(named);
    const labels = [named, ...(samePath(named, real) ? [] : [real])].map((one) => accessLabel(one, files));
    return { value: { named, real, accesses: labels.map((resource) => ({ effect: 'fs.read', resource })) } };
  } catch (error) {
    return { fault: faultOf(error), ...(named ? { named } : {}) };
  }
}

/**
 * Reads the text of a prompt that was found: of a regular file, never more than a prompt may have, and only what is
 * text.
 */
export async function readPrompt(files: FileSystem, { real }: PromptPlace): Promise<Found<string>> {
  const most = mostPromptCharacters * mostBytesOfACharacter;
  const tooLong: Found<string> = { fault: { code: 'too_long', most: mostPromptCharacters } };
  try {
    // Some file systems can only read the whole of a file.
    const stat = await files.stat(real);
    if ((stat?.size ?? 0) > most) return tooLong;
    if (stat && stat.type !== 'file') return { fault: { code: 'not_a_file' } };
    const bytes = await readWhole(files, real, most + 1);
    return bytes.length > most ? tooLong : textOf(bytes);
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

function textOf(bytes: Uint8Array): Found<string> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { fault: { code: 'not_text' } };
  }
  if (text.includes('\0')) return { fault: { code: 'not_text' } };
  // One that is too long is refused rather than cut in the middle of an instruction.
  if (text.length > mostPromptCharacters) return { fault: { code: 'too_long', most: mostPromptCharacters } };
  return { value: text };
}

/** True for a path that is relative on every machine and never goes up: a profile may be shared between them. */
function isRelative(path: string): boolean {
  if (path === '' || /^[/\\~]|^[A-Za-z]:|^[a-z][a-z0-9+.-]*:/i.test(path)) return false;
  return !path.split(/[/\\]/).some((part) => /^\.\.[. ]*$/.test(part));
}

function faultOf(error: unknown): PromptFault {
  if (!isToolError(error)) throw error;
  switch (error.data.code) {
    case 'not_found':
      return { code: 'missing' };
    case 'path_outside':
      return { code: 'outside' };
    case 'path_invalid':
      return { code: 'not_a_path' };
    case 'is_a_directory':
    case 'unsupported':
    case 'not_a_directory':
      return { code: 'not_a_file' };
    default:
      return { code: 'failed', detail: error.data.code };
  }
}
