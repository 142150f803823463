import { sniffBom } from '../../shared/encodings';

interface ContentType {
  /** Lower case, such as `text/html`; empty where the header is missing or malformed. */
  readonly essence: string;
  readonly charset: string | undefined;
}

/** Reads a `content-type` header as leniently as browsers do; of several values the last well-formed one counts. */
export function parseContentType(header: string | undefined): ContentType {
  for (const part of (header ?? '').split(',').reverse()) {
    const match = /^\s*([\w!#$&^.+-]+\/[\w!#$&^.+-]+)\s*(?:;|$)/.exec(part);
    if (match?.[1] === undefined) continue;
    const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(part);
    return { essence: match[1].toLowerCase(), charset: charset?.[1] ?? charset?.[2] };
  }
  return { essence: '', charset: undefined };
}

export const isHtml = (essence: string): boolean => essence === 'text/html' || essence === 'application/xhtml+xml';

const textual =
  /^(?:text\/.+|application\/(?:json|ld\+json|xml|javascript|x-javascript|ecmascript|typescript|x-sh|x-yaml|yaml|toml|sql|graphql|x-ndjson|ndjson|x-www-form-urlencoded|x-httpd-php|rtf|atom\+xml|rss\+xml|manifest\+json|x-tex|x-latex|.+\+(?:json|xml|yaml|text))|image\/svg\+xml|message\/.+|model\/gltf\+json)$/;
const binary = /^(?:image|audio|video|font|model)\/|^application\/(?!octet-stream$)/;

/** What a declared type says about the content; `unknown` has to be judged by its bytes. */
export function kindOfType(essence: string): 'text' | 'binary' | 'unknown' {
  if (essence === '' || essence === 'application/octet-stream' || essence === 'binary/octet-stream') return 'unknown';
  if (textual.test(essence)) return 'text';
  return binary.test(essence) ? 'binary' : 'unknown';
}

const magics: readonly (readonly [string, string])[] = [
  ['%PDF-', 'application/pdf'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['RIFF', 'application/octet-stream'],
  ['PK\x03\x04', 'application/zip'],
  ['\x1f\x8b', 'application/gzip'],
  ['7z\xbc\xaf\x27\x1c', 'application/x-7z-compressed'],
  ['\x7fELF', 'application/x-elf'],
  ['MZ', 'application/x-msdownload'],
  ['\x00asm', 'application/wasm'],
  ['ID3', 'audio/mpeg'],
  ['OggS', 'application/ogg'],
  ['wOF2', 'font/woff2'],
];

/** Judges content by its first bytes: known signatures, and NUL bytes where no byte order mark explains them. */
export function sniffBinary(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  const known = magics.find(([magic]) => start.startsWith(magic) && (magic !== 'MZ' || bytes.includes(0)));
  if (known) return known[1];
  if (sniffBom(bytes)?.encoding.startsWith('utf-16')) return undefined;
  return bytes.subarray(0, 8_192).includes(0) ? 'application/octet-stream' : undefined;
}

/** Whether text without a declared type looks like a page. */
export function looksLikeHtml(text: string): boolean {
  return /^\s*(?:<!--[^]*?-->\s*)?<(?:!doctype html|html|head|body|title|script|div|table|h[1-6]|p|a|br|b|iframe|style|meta)[\s>/]/i.test(
    text.slice(0, 2_000),
  );
}
