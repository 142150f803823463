import { isInvalidUtf8, sniffBom } from '../../shared/encodings';

interface DecodedText {
  readonly text: string;
  /** The encoding that was used, in the standard's spelling. */
  readonly charset: string;
  readonly warnings: readonly string[];
}

/**
 * Decodes bytes as browsers do: byte order mark, then the header's charset, then the page's own `meta`, then UTF-8
 * where the bytes are valid UTF-8 and windows-1252 where not (WHATWG Encoding and HTML standards).
 */
export function decodeText(bytes: Uint8Array, declared: string | undefined, html: boolean): DecodedText {
  const warnings: string[] = [];
  const candidates: [string, string | undefined][] = [
    ['the byte order mark', sniffBom(bytes)?.encoding],
    ['the header', declared],
    ['the page', html ? metaCharset(bytes) : undefined],
  ];
  for (const [where, label] of candidates) {
    if (label === undefined) continue;
    const decoder = decoderFor(label);
    if (!decoder) {
      warnings.push(`${where} names the unknown charset \`${label.slice(0, 40)}\``);
      continue;
    }
    const text = decoder.decode(bytes);
    if (decoder.encoding === 'utf-8' && text.includes('\ufffd') && isInvalidUtf8(bytes))
      warnings.push(`${where} says utf-8, but some bytes are not`);
    return { text, charset: decoder.encoding, warnings };
  }
  const charset = isInvalidUtf8(bytes) ? 'windows-1252' : 'utf-8';
  return { text: new TextDecoder(charset).decode(bytes), charset, warnings };
}

/** Looks for a `meta` with a charset in the first 1,024 bytes; a page in UTF-16 cannot name itself in this way. */
function metaCharset(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1_024)).replace(/<!--[^]*?-->/g, '');
  const label = /<meta[^>]*?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start)?.[1];
  return label === undefined ? undefined : /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label.trim());
  } catch {
    return undefined;
  }
}
