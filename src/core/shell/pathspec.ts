import { dotted } from './applyRow';
import type { Field } from './field';

/** `HEAD:path`, `:path` and `:(top)path` name a file of the tree. */
export function inTree(field: Field): Field {
  const path = /^(?::\([^)]*\)|:[0-3]:|[^:]*:)(?:\.\/)?(.+)$/s.exec(field.text)?.[1];
  return path === undefined || path.startsWith('//') ? field : { ...field, text: path.replace(/^[/!^]+/, '') };
}

/** Names of files that hold secrets, with which a pattern is compared where what it stands for cannot be listed. */
const secretNames =
  '.env .env.local .env.production id_rsa id_ecdsa id_ed25519 .netrc .npmrc .pypirc .pgpass .git-credentials credentials credentials.json secrets.json secrets.yaml secrets.yml'.split(
    ' ',
  );

/** A run of stars, a sign for one character, or a set of characters. */
const wildcard = /(\*+\/?|\?|\[[!^]?\]?[^\]]*\])/;
const mostWildcards = 5;
const mostPatterns = 32;

/** What git is told about all pathspecs of a call. */
export interface PathspecModes {
  /** True where its letters stand for both cases. */
  readonly isEither: boolean;
  /** True where its stars stay within a name. */
  readonly isGlob: boolean;
}

/** True for a pathspec that leaves files out. */
export const leavesOutPath = (text: string): boolean => /^:\/?[!^]/.test(text) || /^:\([^)]*\bexclude\b/.test(text);

/**
 * The patterns that a pathspec stands for once git itself expands it: its wildcards stand for points, and for slashes
 * unless it is a glob. None where it has no wildcard, leaves files out, or says no more than a folder does.
 */
export function pathspecPatterns(field: Field, modes: PathspecModes): readonly Field[] {
  const { text } = field;
  const magic = /^:\(([^)]*)\)/.exec(text)?.[1] ?? '';
  if (leavesOutPath(text) || /\bliteral\b/.test(magic)) return [];
  const path = inTree(field).text.replace(/(?<!\/)\/+$/, '');
  if (!/[*?[]/.test(path) || /(?<![^/])\*+$/.test(path)) return [];
  const isGlob = modes.isGlob || /\bglob\b/.test(magic);
  const spread = isGlob ? [path] : crossing(path);
  const cased = modes.isEither || /\bicase\b/.test(magic) ? spread.map(inEitherCase) : spread;
  const patterns = [...new Set(cased.flatMap(hidden))].slice(0, mostPatterns);
  return [...patterns, ...patterns.flatMap(nearSecrets)].map((one) => ({ ...field, text: one, isPattern: true }));
}

/** A pattern whose wildcards stand for slashes too, as patterns whose wildcards do not. */
function crossing(path: string): readonly string[] {
  let found = [''];
  let count = 0;
  for (const [index, piece] of path.split(wildcard).entries()) {
    const isWild = index % 2 === 1 && ++count <= mostWildcards;
    const isStar = piece.startsWith('*');
    const isSet = piece.startsWith('[');
    found = found.flatMap((before) => {
      const starts = before === '' || before.endsWith('/');
      if (!isWild) return [before + piece];
      // A star at the beginning of a name stands for any folders before it as well.
      if (isStar && starts) return [`${before}**/${piece.endsWith('/') ? '' : '*'}`];
      if (isStar) return piece.endsWith('/') ? [`${before}*/`, `${before}*/**/`] : [`${before}*`, `${before}*/**/*`];
      return isSet && !/^\[[!^]|-/.test(piece) && !piece.includes('/')
        ? [before + piece]
        : [before + piece, `${before}/`];
    });
  }
  return found.map((one) => one.replace(/(?:\*\*\/)+/g, '**/'));
}

const inEitherCase = (path: string): string =>
  path
    .split(wildcard)
    .map((piece, index) =>
      index % 2 === 1 ? piece : piece.replace(/[a-z]/gi, (char) => `[${char.toLowerCase()}${char.toUpperCase()}]`),
    )
    .join('');

/** The same with a point in the place of each wildcard with which a name begins. */
function hidden(path: string): readonly string[] {
  let found: readonly string[] = [''];
  for (const [index, name] of path.split('/').entries())
    found = found
      .flatMap((before) =>
        (name === '**' ? [name] : dotted(name)).map((one) => (index === 0 ? one : `${before}/${one}`)),
      )
      .slice(0, mostPatterns);
  return found;
}

/** The secrets that a pattern spells but for two characters: of what was committed once nothing is on the disk. */
function nearSecrets(path: string): readonly string[] {
  const at = path.lastIndexOf('/') + 1;
  const name = path.slice(at).replace(/\[([^\]!^-])\]|\[([a-z])[A-Z]\]/g, '$1$2');
  const pieces = name.split(/\*+|\?|\[[^\]]*\]/);
  const letters = pieces.join('').length;
  const runs = pieces.slice(1, -1).filter((piece) => piece !== '').length;
  if (letters < 2 || (letters < 3 && runs > 0)) return [];
  const source = name.split(/(\*+|\?|\[[^\]]*\])/).map((piece, index) => {
    if (index % 2 === 0) return piece.replace(/[^\w]/g, '\\$&');
    return piece.startsWith('*') ? '.*' : piece === '?' ? '.' : piece.replace(/^\[!/, '[^');
  });
  const whole = wholeOf(source.join(''));
  if (!whole) return [];
  return secretNames
    .filter((one) => one.length - letters <= 2 && whole.test(one))
    .map((one) => path.slice(0, at) + one);
}

function wholeOf(source: string): RegExp | undefined {
  try {
    return new RegExp(`^${source}$`, 'is');
  } catch {
    return undefined;
  }
}
