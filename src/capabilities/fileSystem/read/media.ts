/** A kind of file that its first bytes tell. `image` marks those that a model can be shown. */
interface Sniffed {
  readonly mimeType: string;
  readonly image: boolean;
}

const signatures: readonly (readonly [string, boolean, string])[] = [
  ['image/png', true, '89504e470d0a1a0a'],
  ['image/jpeg', true, 'ffd8ff'],
  ['image/gif', true, '474946383761'],
  ['image/gif', true, '474946383961'],
  ['image/bmp', false, '424d'],
  ['application/pdf', false, '255044462d'],
  ['application/zip', false, '504b0304'],
  ['application/gzip', false, '1f8b'],
  ['application/x-executable', false, '7f454c46'],
  ['application/wasm', false, '0061736d'],
  ['application/vnd.sqlite3', false, '53514c69746520666f726d6174203300'],
  ['font/woff2', false, '774f4632'],
];

/** Names a binary file by its first bytes; a short list, on purpose without parsers. */
export function sniff(bytes: Uint8Array): Sniffed {
  const head = [...bytes.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  for (const [mimeType, image, signature] of signatures) if (head.startsWith(signature)) return { mimeType, image };
  if (head.startsWith('52494646') && head.slice(16, 24) === '57454250') return { mimeType: 'image/webp', image: true };
  return { mimeType: 'application/octet-stream', image: false };
}
