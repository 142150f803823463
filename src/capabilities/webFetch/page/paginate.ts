import { fenceLine } from './fence';

interface Part {
  readonly text: string;
  readonly start: number;
  /** Exclusive, in characters (UTF-16 units) of the whole. */
  readonly end: number;
}

/**
 * Cuts a part out of a text. The end lies at a line's or word's end if one is near, and never inside a code point, a
 * markdown link or image; where it falls into a fenced block, it moves before the block if that leaves something. A
 * part always makes progress.
 */
export function cutPart(text: string, start: number, maxLength: number, markdown: boolean): Part {
  const from = alignStart(text, start);
  if (text.length - from <= maxLength) return { text: text.slice(from), start: from, end: text.length };
  let end = from + maxLength;
  if (markdown) end = beforeLink(text, from, beforeFence(text, from, end));
  end = niceEnd(text, from, end, markdown);
  if (isLowSurrogate(text, end)) end--;
  // A part of at least one code point, even where the limit is smaller than what must stay whole.
  if (end <= from) end = from + (isLowSurrogate(text, from + 1) ? 2 : 1);
  return { text: text.slice(from, end), start: from, end };
}

function alignStart(text: string, start: number): number {
  const at = Math.min(Math.max(0, start), text.length);
  return isLowSurrogate(text, at) ? at - 1 : at;
}

const isLowSurrogate = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
};

/** The last line end in the final fifth, else the last space there, else the limit itself. */
function niceEnd(text: string, from: number, end: number, markdown: boolean): number {
  if (text.charCodeAt(end - 1) === 10) return end;
  const earliest = from + Math.floor((end - from) * 0.8);
  const nicer = (at: number): number | undefined => {
    if (at < earliest) return undefined;
    // Going back must not lead into a fence or a link that ends before the limit.
    if (markdown && beforeLink(text, from, beforeFence(text, from, at)) !== at) return undefined;
    return at;
  };
  return nicer(text.lastIndexOf('\n', end - 1) + 1) ?? nicer(text.lastIndexOf(' ', end - 1) + 1) ?? end;
}

/** Moves an end out of a fenced block that began in this part. */
function beforeFence(text: string, from: number, end: number): number {
  const fences = new RegExp(fenceLine.source, 'gm');
  fences.lastIndex = from;
  let open: { readonly at: number; readonly mark: string } | undefined;
  for (let fence = fences.exec(text); fence && fence.index < end; fence = fences.exec(text)) {
    const mark = fence[1] ?? '';
    if (!open) open = { at: fence.index, mark };
    else if (mark.startsWith(open.mark) && fences.lastIndex <= end) open = undefined;
  }
  return open && open.at > from ? open.at : end;
}

/** How far before and after a cut a link may reach; one that is longer is cut. */
const linkReach = 8_000;

/** Moves an end out of `[text](target)`, `![alt](target)` or `<target>` on the cut's own line. */
function beforeLink(text: string, from: number, end: number): number {
  const start = Math.max(from, text.lastIndexOf('\n', end - 1) + 1, end - linkReach);
  const newline = text.indexOf('\n', end);
  const stop = Math.min(newline < 0 ? text.length : newline, end + linkReach);
  const open: number[] = [];
  for (let at = start; at < stop; at++) {
    const code = text.charCodeAt(at);
    if (code === 92) at++;
    else if (code === 60) {
      const close = /^<[a-z][a-z0-9+.-]*:[^\s<>]*>/i.exec(text.slice(at, Math.min(stop, at + 2_100)));
      if (close && at < end && at + close[0].length > end) return moved(at, at + close[0].length, from, text);
    } else if (code === 91) open.push(text.charCodeAt(at - 1) === 33 && at > start ? at - 1 : at);
    else if (code === 93) {
      const began = open.pop();
      if (text.charCodeAt(at + 1) === 40) at = closingBracket(text, at + 1, stop);
      // Only the outermost brackets decide; what is inside them moves with them.
      if (began === undefined || open.length > 0) continue;
      if (began < end && at + 1 > end) return moved(began, at + 1, from, text);
    }
    if (at >= end && open.length === 0) break;
  }
  return end;
}

const moved = (start: number, after: number, from: number, text: string): number =>
  start > from ? start : Math.min(text.length, after);

/** The place of the bracket that closes the one at `at`; `at` itself where none does. */
function closingBracket(text: string, at: number, stop: number): number {
  let depth = 0;
  for (let scan = at; scan < stop; scan++) {
    const code = text.charCodeAt(scan);
    if (code === 92) scan++;
    else if (code === 40) depth++;
    else if (code === 41 && --depth === 0) return scan;
  }
  return at;
}
