import { PassThrough, pipeline, type Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { say } from '../../core/base/sentence';
import { networkError } from '../../core/net/errors';

/** Makes the decoder of a body, by its first bytes. */
type MakeDecoder = (firstChunk: Uint8Array) => Transform;

interface ZstdModule {
  createZstdDecompress?: () => Transform;
}

// Node 22.15 and later have zstd; the types pinned here do not know it.
const { createZstdDecompress } = zlib as ZstdModule;

/** The encodings that a request offers. */
export const acceptEncoding = createZstdDecompress ? 'gzip, deflate, br, zstd' : 'gzip, deflate, br';

/**
 * Picks the decoder that a response's `content-encoding` asks for; undefined where it asks for none. More than one
 * encoding is refused: chains serve nothing but bombs.
 */
export function chooseDecoder(header: string | undefined): MakeDecoder | undefined {
  const names = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== 'identity' && one !== 'none');
  const name = names[0];
  if (name === undefined) return undefined;
  if (names.length > 1) throw networkError(say('network_encodings', names.length), false);
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return () => zlib.createGunzip();
    case 'deflate':
      // Servers send both zlib streams and raw deflate under this name; a zlib stream's low nibble is 8.
      return (first) => (((first[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw());
    case 'br':
      return () => zlib.createBrotliDecompress();
    case 'zstd':
      if (createZstdDecompress) return () => createZstdDecompress();
      break;
  }
  // Anything else is no encoding of content, such as a charset in the wrong header: browsers read the body as it is.
  if (!/^(?:(?:x-)?compress|zstd|dcb|dcz|exi|pack200-gzip)$/.test(name)) return undefined;
  throw networkError(say('network_encoding', name), false);
}

/** The decoded body; it flows no faster than it is read, and ends with the encoded one or by the fault of either. */
export function decoded(body: Readable, make: MakeDecoder): Readable {
  const out = new PassThrough();
  const end = (): void => void out.end();
  body.once('data', (first: Uint8Array) => {
    body.off('end', end).pause();
    body.unshift(first);
    pipeline(body, make(first), out, () => undefined);
  });
  body.once('end', end);
  body.once('error', (error) => out.destroy(error));
  out.once('close', () => body.destroy());
  return out;
}
