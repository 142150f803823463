import { binaryBytes, binaryText } from '../base/bytes';
import { diff3Merge } from 'node-diff3';
import { wideEncoding } from '../files/searchText';

/** What is larger is not merged, in bytes. */
const mostBytes = 5_000_000;

/**
 * Merges what two sides made of the same text, line by line, without reading its encoding: each line stays the bytes
 * that it is. Undefined where both changed the same lines, or where it is no text.
 */
export function mergeTexts(ours: Uint8Array, base: Uint8Array, theirs: Uint8Array): Uint8Array | undefined {
  if ([ours, base, theirs].some((one) => one.length > mostBytes || !isText(one))) return undefined;
  const regions = diff3Merge(linesOf(ours), linesOf(base), linesOf(theirs), { excludeFalseConflicts: true });
  const merged: string[] = [];
  for (const { ok } of regions) {
    if (!ok) return undefined;
    for (const line of ok) merged.push(line);
  }
  return binaryBytes(merged.join(''));
}

function isText(bytes: Uint8Array): boolean {
  return wideEncoding(bytes) !== undefined || !bytes.includes(0);
}

/** Lines with their ends, each byte one character. */
function linesOf(bytes: Uint8Array): string[] {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    const next = end < 0 ? bytes.length : end + 1;
    lines.push(binaryText(bytes.subarray(at, next)));
    at = next;
  }
  return lines;
}
