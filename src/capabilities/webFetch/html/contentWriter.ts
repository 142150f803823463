import type { LinkBase } from './links';
import type { LeanNode } from './leanNode';
import type { MarkdownPieces } from './markdownPieces';
import type { MarkdownOptions } from './options';

/** The writer of a page, as the rules for single elements use it: they hand back to it what stands inside theirs. */
export interface ContentWriter {
  readonly links: LinkBase;
  readonly options: MarkdownOptions;
  /** False where lists and quotes are so deep already that they are written without a further indent. */
  mayIndent(): boolean;
  children(node: LeanNode, out: MarkdownPieces, code: boolean): void;
  text(node: LeanNode, out: MarkdownPieces, code: boolean): void;
  element(node: LeanNode, out: MarkdownPieces, insideCode: boolean): void;
  /** The markdown of what is inside an element, with the breaks at its ends. */
  content(node: LeanNode, code: boolean, inline: boolean): string;
  /** Runs with one more level of indent; beyond the limit nothing is indented any more. */
  indented<T>(work: () => T): T;
}

/** Takes line breaks off both ends without a backtracking expression. */
export function trimBreaks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) === 10) start++;
  while (end > start && text.charCodeAt(end - 1) === 10) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** A line without the backslash of a hard break: those of text come in pairs. */
export function withoutHardBreak(line: string): string {
  let at = line.length;
  while (line.charCodeAt(at - 1) === 92) at--;
  return (line.length - at) % 2 === 1 ? line.slice(0, -1) : line;
}

/** Puts text on one line; a hard break's backslash goes with its line break. */
export function oneLine(text: string): string {
  if (!text.includes('\n')) return text.trim();
  return text
    .split('\n')
    .map((line) => withoutHardBreak(line).trim())
    .filter((line) => line !== '')
    .join(' ');
}
