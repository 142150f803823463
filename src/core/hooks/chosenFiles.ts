import { say } from '../base/sentence';
import { commandLineAccesses } from '../foreign/commandLine';
import type { PlaceLabels } from '../foreign/placeLabels';
import type { FileSystem } from '../ports/files';
import type { Access } from '../vocabulary/access';
import { refusal } from '../vocabulary/errors';

const mostPatterns = 500;

/** Patterns for the names of files, and the folders in which they choose. */
interface Choice {
  readonly patterns: readonly string[];
  readonly folders: readonly string[];
  /** True where a wildcard stands for names that begin with a point too. */
  readonly hidden: boolean;
  /** True where a pattern without a slash stands for names in every folder below, as searches read it. */
  readonly isDeep: boolean;
  /** True where what lies in folders of the workspace is told otherwise, and nobody has to look there. */
  readonly isLooked?: boolean;
}

/**
 * The files that patterns choose in folders; a pattern may name a single file. One that chooses everything says no more
 * than the folder does.
 */
export async function chosenBy(
  { patterns, folders, hidden, isDeep, isLooked }: Choice,
  files: FileSystem,
  labels: PlaceLabels,
): Promise<readonly Access[]> {
  const plain = patterns.flatMap(patternsIn).filter((pattern) => !/(?:^|[\s,])!|^(?:\*|\/|\.\/)*$/.test(pattern));
  const each = isDeep ? plain.flatMap((one) => (one.includes('/') ? [one] : [one, `**/${one}`])) : plain;
  if (each.length * folders.length > mostPatterns) tooMany();
  const found: Access[] = [];
  for (const folder of folders) {
    const isInside = isLooked === true && !(await labels.placesBelow(folder)).isOutside;
    for (const pattern of each) {
      const isAbsolute = /^(?:[/~]|[a-z]:)/i.test(pattern);
      const path = isAbsolute ? pattern : `${folder}/${pattern}`;
      if (isInside && !isAbsolute && !pattern.includes('..')) {
        for (const resource of await labels.ofSuspect(path)) found.push({ effect: 'fs.read', resource });
        continue;
      }
      const word = quotedPattern(path);
      const line = `${hidden ? 'shopt -s dotglob; ' : ''}cat ${word}`;
      for (const access of (await commandLineAccesses(line, { files, labels, isRemote: false })) ?? [])
        if (access.effect === 'fs.read') found.push(access);
    }
  }
  return found;
}

/**
 * A pattern in its parts: several may stand in one text, parted by white space or commas, and some agents take a
 * backslash as the mark of what is meant as it is.
 */
function patternsIn(text: string): readonly string[] {
  const parts = [text, ...text.split(/\s+/), ...(text.includes('{') ? [] : text.split(/[\s,]+/))];
  const plain = [...new Set(parts)].filter((part) => part !== '').flatMap((part) => braceless(part) ?? tooMany());
  const spelled = plain.flatMap((one) =>
    one.includes('\\') ? [one.replaceAll('\\', ''), one.replaceAll('\\', '/')] : [one],
  );
  // A group of letters (`[!a]`) is read in more than one way; any letter may stand there.
  return [...new Set(spelled.flatMap((one) => (/\[/.test(one) ? [one, one.replace(/\[[^\]]*\]/g, '?')] : [one])))];
}

/** The patterns that one with braces (`*.{ts,env}`) stands for; undefined for more than a hundred. */
function braceless(pattern: string): readonly string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0) {
    if (done.length + open.length > 100) return undefined;
    const next = open.pop() ?? '';
    const found = /\{([^{}]*)\}/.exec(next);
    if (!found) done.push(next);
    else
      for (const one of (found[1] ?? '').split(','))
        open.push(next.slice(0, found.index) + one + next.slice(found.index + found[0].length));
  }
  return done;
}

function tooMany(): never {
  throw refusal('too_large', say('host_too_many_paths', mostPatterns));
}

/** A pattern for names, as a word of a command line in which only its wildcards mean something. */
const quotedPattern = (pattern: string): string => pattern.replace(/[^\p{L}\p{N}*?[\]/._~-]/gu, (char) => `\\${char}`);
