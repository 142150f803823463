const boms: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** The encoding that a byte order mark names, with the mark's length. */
export function sniffBom(bytes: Uint8Array): { readonly encoding: string; readonly length: number } | undefined {
  for (const [encoding, mark] of boms) {
    if (mark.every((byte, index) => bytes[index] === byte)) return { encoding, length: mark.length };
  }
  return undefined;
}

/** True where the bytes are not what UTF-8 allows, so that text decoded from them would not be written back alike. */
export function isInvalidUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return false;
  } catch {
    return true;
  }
}
