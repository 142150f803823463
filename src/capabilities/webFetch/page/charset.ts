import { StandardTextDecoder } from '../../../core/base/textDecoder';
import { isInvalidUtf8, sniffBom } from '../../shared/encodings';
import { type LeanNode, TEXT } from '../html/leanNode';
import { parseHtml } from '../html/parse';

interface DecodedText {
  readonly text: string;
  /** The encoding that was used, in the standard's spelling. */
  readonly charset: string;
  readonly warnings: readonly string[];
}

/** What the text may say about its own encoding: a page by its `meta` or XML declaration, XML by the latter alone. */
type SelfDescribing = 'html' | 'xml' | 'no';

/**
 * Decodes bytes as browsers do: byte order mark, then the header's charset, then what the text says of itself, then
 * UTF-8 where the bytes are valid UTF-8 and windows-1252 where not (WHATWG Encoding and HTML standards).
 */
export function decodeText(bytes: Uint8Array, declared: string | undefined, says: SelfDescribing): DecodedText {
  const warnings: string[] = [];
  const candidates: [string, string | undefined][] = [
    ['the byte order mark', sniffBom(bytes)?.encoding],
    ['the header', declared],
    ['the page', says === 'no' ? undefined : ownCharset(bytes, says)],
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
  return { text: new StandardTextDecoder(charset).decode(bytes), charset, warnings };
}

/** Looks into the first 1,024 bytes; a text in UTF-16 cannot name itself in this way. */
function ownCharset(bytes: Uint8Array, says: SelfDescribing): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1_024));
  const declaration = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']\s*([\w:.-]+)/i.exec(start)?.[1];
  const { head, body } = parseHtml(start);
  const label = declaration ?? (says === 'html' ? (metaCharset(head) ?? metaCharset(body)) : undefined);
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

/** The charset of the first `meta` that has one, in an attribute of its own or as part of a content type. */
function metaCharset(node: LeanNode): string | undefined {
  for (let child = node.first; child; child = child.next) {
    if (child.type === TEXT) continue;
    const isType = child.attribute('http-equiv')?.toLowerCase() === 'content-type';
    const typed = isType ? /charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(child.attribute('content') ?? '')?.[1] : undefined;
    const label = child.tag.name === 'META' ? (child.attribute('charset')?.trim() ?? typed) : metaCharset(child);
    if (label !== undefined && label !== '') return label;
  }
  return undefined;
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> | undefined {
  const name = label.trim();
  try {
    // What the HTML standard says of this label; no page means the private characters that it stands for elsewhere.
    return new StandardTextDecoder(/^x-user-defined$/i.test(name) ? 'windows-1252' : name);
  } catch {
    return undefined;
  }
}
