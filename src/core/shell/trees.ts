import { alternativesBound, expandBraces, mostAlternatives } from '../base/braces';
import type { ReadArguments } from './arguments';
import type { Field } from './field';
import { namesLeftOut } from './leftOut';
import type { ProgramRow, TreeRow } from './programRow';
import { chosenByType } from './searchTypes';
import type { ShellTree } from './shellReading';

/** What a program takes of a folder; see `ShellTree`. */
export type TreeHow = Pick<
  ShellTree,
  'leftOut' | 'leftOutFiles' | 'byRsync' | 'only' | 'skipsHidden' | 'skipsIgnored' | 'follows' | 'isCopied'
>;

/** True where options choose among the files below, or leave some out. */
export const isNarrowed = ({ leftOut, leftOutFiles, only, byRsync }: TreeHow): boolean =>
  [leftOut, leftOutFiles, only, byRsync?.names].some((names) => names !== undefined && names.length > 0);

const hasAny = ({ options }: ReadArguments, names: string): boolean => names.split(' ').some((one) => options.has(one));

/** The same where programs take the beginning of a long name too. */
const mayHave = ({ options }: ReadArguments, names: string): boolean =>
  names
    .split(' ')
    .some((one) => [...options].some((name) => name === one || (name.length > 3 && one.startsWith(name))));

/** What a program reads below one of its folders; undefined where it reads no more than is told otherwise. */
export function treeBelow(row: ProgramRow, read: ReadArguments, folder: Field): TreeHow | undefined {
  const { tree } = row;
  if (!tree) return undefined;
  const isSaid = read.values.some(
    ({ name, field }) => /^(?:-d|--directories)$/.test(name) && field.text.startsWith('rec'),
  );
  if (tree.by !== undefined && !isSaid && !mayHave(read, tree.by)) return undefined;
  if (hasAny(read, tree.tells ?? '')) return undefined;
  const seen = (names: string | undefined): boolean => names === undefined || hasAny(read, names);
  return {
    follows: tree.follows === 'always' || mayHave(read, tree.follows ?? ''),
    ...leftOutBelow(tree, read, /^\.?\/?$/.test(folder.text)),
    ...chosenBelow(tree, read),
    // What a pattern of `rg` chooses it reads whatever else is passed over.
    ...(seen(tree.seesHidden) || isChosenByGlob(tree, read) ? {} : { skipsHidden: true }),
    ...(seen(tree.seesIgnored) || isChosenByGlob(tree, read) ? {} : { skipsIgnored: true }),
  };
}

const isChosenByGlob = ({ as }: TreeRow, { values }: ReadArguments): boolean =>
  as === 'rg' && values.some((one) => isChoice(as, one) && !one.field.text.startsWith('!'));

/** What `--pre-glob` matches is read in another way, with all else; what is blank or a comment is no glob of `rg`. */
const isChoice = (as: TreeRow['as'], { role, name, field }: ReadArguments['values'][number]): boolean =>
  role === 'chosen' && name !== '--pre-glob' && !(as === 'rg' && field.isKnown && /^(?:#|[\s\x85]*$)/.test(field.text));

/** The files that alone are read, where that is known. */
function chosenBelow({ as, types }: TreeRow, read: ReadArguments): Pick<ShellTree, 'only'> {
  const only = types ? chosenByType(read, types === 'names') : undefined;
  const globs = as === 'tar' || hasAny(read, '--iglob --glob-case-insensitive') ? undefined : chosenByGlob(as, read);
  const found = globs ?? only;
  return found ? { only: found } : {};
}

/** The patterns of which one has to match; undefined where others may be read too. */
function chosenByGlob(as: TreeRow['as'], { values }: ReadArguments): readonly string[] | undefined {
  const [first, ...others] = values.filter(
    (one) => isChoice(as, one) || (one.role === 'leftOut' && one.name === '--exclude'),
  );
  // What no pattern of several is about goes the way that the first does not.
  const chosen = [first, ...others].flatMap((one) => (one?.role === 'chosen' ? [one.field] : []));
  const narrow = chosen.filter(({ text }) => !text.startsWith('!'));
  if (first?.role !== 'chosen' || /^(?:-G|--file-search-regex)$/.test(first.name) || narrow.length === 0)
    return undefined;
  // A star of `zip` goes over slashes, and so does a set of `rg` that holds one; braces around one name are none there.
  const isNarrow = ({ text, isKnown }: Field): boolean =>
    isKnown &&
    !/^[*/]*$/.test(text) &&
    (as !== 'zip' || /^\*[^*?[/]*$/.test(text)) &&
    (as !== 'rg' || !/\[(?:[!^]|[^\]]*(?:\/|[ -/]-))|[?*+@!]\(|\{[^{},]*\}/.test(text));
  return narrow.every(isNarrow) ? narrow.map(({ text }) => text) : undefined;
}

/** The globs that the braces of one stand for; itself where they are more than lists of names. */
const alternatives = (glob: string): readonly string[] =>
  /^(?:[^{}]|\{[^{},/]+(?:,[^{},/]+)+\})*$/.test(glob) && alternativesBound(glob) <= mostAlternatives
    ? expandBraces(glob)
    : [glob];

/** A name whose wildcards everybody reads alike. */
const plainName = /^[\w.*?@+~%,= -]+$/;

/**
 * Globs for what options leave out, as searches take them: none for a pattern of which nobody can say here that it
 * leaves out all that the glob does.
 */
function leftOutBelow({ as }: TreeRow, read: ReadArguments, isHere: boolean): TreeHow {
  if (as === 'rsync') return { byRsync: { names: namesLeftOut(read), keepsPath: hasAny(read, '-R --relative') } };
  const globs: string[] = [];
  const files: string[] = [];
  // These come behind all others.
  const isLate = ({ name, field }: ReadArguments['values'][number]): boolean =>
    name === '--iglob' && !(field.isKnown && field.text.startsWith('!'));
  if (as === 'rg' && read.values.some(isLate)) return {};
  if (as === 'tar' && hasAny(read, '--anchored --no-wildcards --no-wildcards-match-slash')) return {};
  const folder = (text: string): void => {
    // Two stars would stand for what lies beside folders too.
    const name = text.replace(/(?<=.)\/$/, '').replace(/\*{2,}/g, '*');
    if (plainName.test(name)) globs.push(`**/${name}/**`);
  };
  for (const one of read.values) {
    const { role, name, field } = one;
    const isOfRg = as === 'rg' && isChoice(as, one);
    const { text } = field;
    // The last pattern that matches decides.
    if (isOfRg && (!field.isKnown || !text.startsWith('!'))) globs.length = 0;
    if (as === 'grep' && isChoice(as, one)) files.length = 0;
    if (role !== 'leftOut' && !isOfRg) continue;
    if (!field.isKnown || field.isPattern) continue;
    const isName = plainName.test(text);
    if (as === 'grep') {
      // The one for files leaves no folder out.
      if (name === '--exclude-dir') folder(text);
      else if (name === '--exclude' && isName) files.push(text);
    } else if (as === 'ack') {
      if (name.startsWith('--ignore-dir')) folder(text);
      else if (plainName.test(text.replace(/^is:/, '')) && text.startsWith('is:')) files.push(text.slice(3));
    } else if (as === 'zip') {
      if (isName && /^\*[^*]+$/.test(text)) files.push(text);
      else if (/^\*[^*?/]+\*$/.test(text) && isName) globs.push(text);
      else if (isHere && /^[\w.-]+$/.test(text)) files.push(`/${text}`);
      else if (isHere && /^(?:[\w.-]+\/)+\*$/.test(text)) globs.push(`${text}*`);
    } else if (as === 'rg') {
      for (const glob of text.startsWith('!') ? alternatives(text.slice(1)) : []) {
        const isAnywhere = plainName.test(glob) || /^\*\*\/[\w.*?-]+(?:\/\*\*)?$/.test(glob);
        if (/.\/$/.test(glob)) folder(glob);
        else if (isAnywhere || (isHere && /^\/?[\w.-]+(?:\/[\w.-]+)*(?:\/\*\*?)?$/.test(glob))) globs.push(glob);
      }
    } else if (isName) globs.push(text);
    else if (as === 'tar' && isHere && /^\.(?:\/[\w.-]+)+(?:\/\*)?$/.test(text)) globs.push(text.slice(1));
  }
  return { ...(globs.length > 0 ? { leftOut: globs } : {}), ...(files.length > 0 ? { leftOutFiles: files } : {}) };
}
