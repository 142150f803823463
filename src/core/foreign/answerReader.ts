import { trimmedEnd } from '../base/text';
import { isObject, type Json, type JsonObject } from '../base/json';
import type { ToolMedia, ToolOutcome, ToolPart } from '../vocabulary/toolResult';

const mostText = 2_000_000;
const mostMedia = 20;
/** Of pictures, sounds and other bytes together, in characters of base64. */
const mostBytes = 8_000_000;

/**
 * Collects the pieces of a foreign answer within bounds, twice: flat, as most surfaces show it (texts, links,
 * pictures), and piece by piece in their order (`parts`), for clients that know embedded resources themselves.
 */
export class AnswerReader {
  readonly texts: string[] = [];
  readonly links: JsonObject[] = [];
  readonly media: ToolMedia[] = [];
  readonly warnings: string[] = [];
  readonly parts: ToolPart[] = [];
  #characters = 0;
  #bytes = 0;
  #pieces = 0;

  text(text: string): void {
    const kept = this.#text(text);
    if (kept !== undefined) this.parts.push({ type: 'text', text: kept });
  }

  /** A picture or a sound. */
  bytes(mimeType: unknown, data: unknown): void {
    if (typeof mimeType !== 'string' || !/^[\w.+-]+\/[\w.+-]+$/.test(mimeType)) {
      this.warnings.push('a picture or sound without type or data left out');
      return;
    }
    if (!this.#fits(mimeType, data)) return;
    this.parts.push({ type: 'media', index: this.media.length });
    this.media.push({ mimeType, data });
  }

  link(block: Readonly<Record<string, unknown>>): void {
    const link = pick(block, ['uri', 'name', 'title', 'description', 'mimeType']);
    this.links.push(link);
    const { uri, name } = link;
    if (typeof uri === 'string')
      this.parts.push({ type: 'link', link: { ...link, uri, name: typeof name === 'string' ? name : uri } });
  }

  /** One embedded or read resource: text as text, pictures as media, other bytes as a link with their size. */
  resource(resource: unknown): void {
    if (!isObject(resource)) return;
    const { text, blob, mimeType } = resource;
    const about = { uri: '', ...pick(resource, ['uri', 'mimeType']) };
    if (typeof text === 'string') {
      const kept = this.#text(text);
      if (kept !== undefined) this.parts.push({ type: 'resource', resource: { ...about, text: kept } });
    } else if (typeof blob === 'string') {
      if (typeof mimeType === 'string' && /^(?:image|audio)\//.test(mimeType)) return this.bytes(mimeType, blob);
      this.links.push({
        ...pick(resource, ['uri', 'mimeType']),
        bytes: Math.floor((trimmedEnd(blob.trimEnd(), '=').length * 3) / 4),
      });
      if (this.#fits(typeof mimeType === 'string' ? mimeType : 'resource', blob))
        this.parts.push({ type: 'blob', resource: about, data: blob });
    }
  }

  /** The answer with this payload: its pieces too, where they are more than texts with pictures behind them. */
  outcome(payload: Json): ToolOutcome {
    const { media, parts, warnings } = this;
    return {
      payload,
      ...(media.length > 0 ? { media } : {}),
      ...(parts.some(({ type }) => type === 'resource' || type === 'blob' || type === 'link') ? { parts } : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
    };
  }

  #text(text: string): string | undefined {
    if (this.#characters >= mostText) return undefined;
    const kept = text.slice(0, mostText - this.#characters);
    this.#characters += kept.length;
    const shown = kept.length < text.length ? `${kept}\n[cut: more than ${mostText} characters; ask for a part]` : kept;
    this.texts.push(shown);
    return shown;
  }

  #fits(what: string, data: unknown): data is string {
    const reason =
      typeof data !== 'string'
        ? 'it has no data'
        : this.#pieces >= mostMedia || this.#bytes + data.length > mostBytes
          ? 'too much for one answer'
          : /[^A-Za-z0-9+/_-]/.test(data.trimEnd().replace(/={1,2}$/, ''))
            ? 'its data is not base64'
            : undefined;
    if (reason !== undefined || typeof data !== 'string') {
      this.warnings.push(`a ${what.slice(0, 100)} left out: ${reason}`);
      return false;
    }
    this.#pieces++;
    this.#bytes += data.length;
    return true;
  }
}

function pick(from: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, string> {
  const out: Record<string, string> = {};
  for (const name of names) {
    const value = from[name];
    if (typeof value === 'string') out[name] = value.slice(0, 2000);
  }
  return out;
}
