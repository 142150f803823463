export interface Part {
  readonly text: string;
  readonly start: number;
  /** Exclusive, in characters (UTF-16 units) of the whole. */
  readonly end: number;
}

/**
 * Cuts a part out of a text. The end lies at a line's or word's end if one is near, and never inside a code point, a markdown link or image;
 * where it falls into a fenced block, it moves before the block if that leaves something. A part always makes progress.
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
  const line = text.lastIndexOf('\n', end - 1);
  if (line >= earliest) return line + 1;
  const space = text.lastIndexOf(' ', end - 1);
  if (space < earliest) return end;
  return markdown ? beforeLink(text, from, space + 1) : space + 1;
}

/** Moves an end out of a fenced block that began in this part. */
function beforeFence(text: string, from: number, end: number): number {
  const fences = /^[ \t>]*(?:[-*+] +|\d+[.)] +)*(`{3,}|~{3,})/gm;
  fences.lastIndex = from;
  let open: { readonly at: number; readonly mark: string } | undefined;
  for (let fence = fences.exec(text); fence && fence.index < end; fence = fences.exec(text)) {
    const mark = fence[1] ?? '';
    if (!open) open = { at: fence.index, mark };
    else if (mark.startsWith(open.mark)) open = undefined;
  }
  return open && open.at > from ? open.at : end;
}

/** Moves an end out of `[text](target)` or `![alt](target)`. */
function beforeLink(text: string, from: number, end: number): number {
  const lineStart = Math.max(from, text.lastIndexOf('\n', end - 1) + 1);
  const links =
    /!?\[(?:[^[\]\\\n]|\\.|!\[(?:[^[\]\\\n]|\\.)*\](?:\([^\n()]*\))?|\[[^[\]\n]*\])*\](?:\((?:[^\n()\\]|\\.|\([^\n()]*\))*\))?/g;
  const windowStart = Math.max(lineStart, end - 8_000);
  const lineEnd = text.indexOf('\n', end);
  const window = text.slice(windowStart, Math.min(lineEnd < 0 ? text.length : lineEnd, end + 8_000));
  for (let link = links.exec(window); link; link = links.exec(window)) {
    const at = windowStart + link.index;
    if (at >= end) break;
    if (at + link[0].length > end) return at > from ? at : Math.min(text.length, at + link[0].length);
  }
  return end;
}
