import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';

/** What a response's `content-encoding` asks for: nothing, a decoder, or a refusal. */
type DecoderChoice =
  | { readonly type: 'identity' }
  | { readonly type: 'decoder'; create(firstChunk: Uint8Array): Transform }
  | { readonly type: 'refused'; readonly why: string };

interface ZstdModule {
  createZstdDecompress?: () => Transform;
}

// Node 22.15 and later have zstd; the types pinned here do not know it.
const { createZstdDecompress } = zlib as ZstdModule;

/** The encodings that a request offers. */
export const acceptEncoding = createZstdDecompress ? 'gzip, deflate, br, zstd' : 'gzip, deflate, br';

/** Picks the decoder. More than one encoding is refused: chains serve nothing but bombs (research: security 1.2). */
export function chooseDecoder(header: string | undefined): DecoderChoice {
  const names = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'identity' && one !== 'none');
  const name = names[0];
  if (name === undefined) return { type: 'identity' };
  if (names.length > 1)
    return { type: 'refused', why: `the server sent ${names.length} content encodings where at most one is allowed` };
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return { type: 'decoder', create: () => zlib.createGunzip() };
    case 'deflate':
      // Servers send both zlib streams and raw deflate under this name; a zlib stream's low nibble is 8.
      return {
        type: 'decoder',
        create: (first) => (((first[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()),
      };
    case 'br':
      return { type: 'decoder', create: () => zlib.createBrotliDecompress() };
    case 'zstd':
      if (createZstdDecompress) return { type: 'decoder', create: () => createZstdDecompress() };
      break;
  }
  return {
    type: 'refused',
    why: `the server sent the content encoding \`${name.slice(0, 40)}\`, which is not supported`,
  };
}
