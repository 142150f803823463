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

/** Whether content of this type may name its encoding in an XML declaration. */
export const isXml = (essence: string): boolean => /^(?:text|application)\/xml$|\+xml$/.test(essence);

const textual =
  /^(?:text\/.+|application\/(?:json|xml|x-www-form-urlencoded|.+\+(?:json|xml|yaml|text))|image\/svg\+xml|message\/.+|model\/gltf\+json)$/;
const binaryFamilies =
  /^(?:(?:image|audio|video|font|model)\/.+|application\/(?:.+\+zip|(?:x-)?font-.+|vnd\.(?:ms-|openxmlformats-|oasis\.opendocument\.).+))$/;
const binaryApplications: ReadonlySet<string> = new Set(
  (
    'pdf zip x-zip x-zip-compressed gzip x-gzip x-tar x-gtar x-bzip x-bzip2 x-xz zstd x-7z-compressed vnd.rar ' +
    'x-rar-compressed java-archive wasm x-msdownload x-msi x-executable x-elf vnd.microsoft.portable-executable ' +
    'vnd.android.package-archive x-apple-diskimage x-iso9660-image vnd.debian.binary-package x-rpm msword ogg mp4 ' +
    'x-shockwave-flash vnd.sqlite3 x-sqlite3'
  )
    .split(' ')
    .map((name) => `application/${name}`),
);

/**
 * What a declared type says about the content; `unknown` has to be judged by its bytes. Of what is `binary` the body
 * need not be fetched.
 */
export function kindOfType(essence: string): 'text' | 'binary' | 'unknown' {
  if (textual.test(essence)) return 'text';
  return binaryFamilies.test(essence) || binaryApplications.has(essence) ? 'binary' : 'unknown';
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

/** The bytes that no text holds (MIME Sniffing standard, "binary data byte"). */
const isBinaryByte = (byte: number): boolean =>
  byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27;

/** More of the first bytes than this part are such as no text holds, where content is not text. */
const strayPart = 0.01;

/**
 * Judges content by its first bytes: signatures, and bytes that no text holds where no encoding of 16 bits explains
 * them. Where the type says that it is text, one such byte may be a stray one, and the letters of a signature may
 * begin a sentence.
 */
export function sniffBinary(bytes: Uint8Array, kind: 'text' | 'unknown', charset?: string): string | undefined {
  const sample = bytes.subarray(0, 8_192);
  const strange = sample.reduce((count, byte) => count + (isBinaryByte(byte) ? 1 : 0), 0);
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  const [signature, type] = magics.find(([magic]) => start.startsWith(magic)) ?? [];
  if (type !== undefined && (strange > 0 || (kind === 'unknown' && signature !== 'MZ'))) return type;
  if (/^\s*utf-?16/i.test(charset ?? '') || sniffBom(bytes)?.encoding.startsWith('utf-16')) return undefined;
  const isBinary = strange > sample.length * strayPart || (kind === 'unknown' && sample.includes(0));
  return isBinary ? 'application/octet-stream' : undefined;
}

/** Whether text without a declared type looks like a page. */
export function looksLikeHtml(text: string): boolean {
  return /^\s*(?:<!--[^]*?-->\s*)?<(?:!doctype html|html|head|body|title|script|div|table|h[1-6]|p|a|br|b|iframe|style|meta)[\s>/]/i.test(
    text.slice(0, 2_000),
  );
}
