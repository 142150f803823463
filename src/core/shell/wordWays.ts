import { parse, type WordPart } from 'unbash';
import { type Field, type Piece, untoldOf } from './field';
import type { Variable } from './variable';

/** More ways to read one word than this are not followed; the word then counts as unknown. */
export const mostWays = 24;

/** One way to read a word. */
export type Way = readonly Piece[];

export const quoted = (text: string): Way => [{ text, kind: 'quoted' }];
/** What becomes several arguments where no quotes stand around it; a sum is one number. */
export const splitting: ReadonlySet<WordPart['type']> = new Set([
  'SimpleExpansion',
  'ParameterExpansion',
  'CommandExpansion',
]);
export const split = (way: Way): Way =>
  way.map((piece) => (piece.kind === 'unknown' ? { ...piece, maySplit: true } : piece));
/** What quotes do not hold together: `"$@"`, and `"${!x}"`, whose name may be such a one; flags of zsh part too. */
const many = /^(?!\$\{#[^}]).*(?:\$@|\$\{@|\[@\])|^\$\{[!(=]/s;
/** True for a part that may become several words, or none, within quotes too; in zsh with what stands behind it. */
export const mayBeMany = ({ type, text }: WordPart, behind?: WordPart): boolean =>
  splitting.has(type) && type !== 'CommandExpansion' && (many.test(text) || behind?.text.startsWith('[@]') === true);
/** A way to read such a part: where nothing is left of it, the word may be none. */
export const parted = (way: Way): Way => (way.length > 0 ? split(way) : [{ text: '', kind: 'quoted', maySplit: true }]);
export const unknown = (text: string): Way => [{ text, kind: 'unknown', isTainted: true }];
/** What is not known and was written by nobody: a number, or what the environment holds. */
export const untold = (text: string): Way => [{ text, kind: 'unknown' }];
export const openOf = (variable: Variable | undefined, text: string): Way =>
  (variable?.isTainted ? unknown : untold)(text);

/** As many ways as are followed; one that is open stands for those that are left out. */
export const bounded = (ways: readonly Way[], open: Way): readonly Way[] =>
  ways.length > mostWays ? [...ways.slice(0, mostWays - 1), open] : ways;

/** A text with which a shell reckons, in which `$` stands for each part that is not known. */
export function reckonable(way: Way): Field {
  const { told, ...field } = whole(way);
  return { ...field, text: told ?? field.text, isPattern: false };
}

export function whole(way: Way): Field {
  return {
    text: way.map(({ text, kind }) => (kind === 'space' || kind === 'end' ? ' ' : text)).join(''),
    isPattern: way.some(({ kind }) => kind === 'pattern'),
    isKnown: true,
    ...untoldOf(way),
  };
}

/** The parts of a text in which expansions are done and quotes are text, as they are in a here-document. */
export function documentParts(text: string): readonly WordPart[] {
  let end = 'E';
  while (text.includes(end)) end += 'E';
  const command = parse(`: <<${end}\n${text}\n${end}\n`).commands[0]?.command;
  const [document] = command?.type === 'Command' ? command.redirects : [];
  return document?.type === 'HereDoc' ? (document.body.parts ?? []) : [];
}
