import { isObject, type Json, type JsonObject, sanitizeJson } from '../base/json';
import type { ToolMedia, ToolOutcome } from '../toolResult';
import { toolError, type ToolError } from '../errors';
import { shownText } from './foreignTool';

const mostBlocks = 1000;
const mostText = 2_000_000;
const mostMedia = 20;
const mostMediaCharacters = 8_000_000;

/**
 * Reads the answer of `tools/call` as a result of ours. Structured content is the payload where the tool declares an output schema;
 * otherwise texts are joined as `text`, links and embedded resources follow, pictures and sounds become media.
 * `isError` becomes a tool error whose message is the server's text.
 */
export function readCallResult(raw: unknown, tool: string, hasOutputSchema: boolean): ToolOutcome {
  if (!isObject(raw)) throw mcpError(`\`${tool}\` answered with something that is no result`);
  const content = Array.isArray(raw['content']) ? raw['content'] : [];
  const texts: string[] = [];
  const links: JsonObject[] = [];
  const media: ToolMedia[] = [];
  const warnings: string[] = [];
  let length = 0;
  const addText = (text: string): void => {
    if (length >= mostText) return;
    const kept = text.slice(0, mostText - length);
    length += kept.length;
    texts.push(kept.length < text.length ? `${kept}\n[cut: more than ${mostText} characters; ask for a part]` : kept);
  };
  if (content.length > mostBlocks) warnings.push(`${content.length - mostBlocks} of ${content.length} parts of the answer left out`);
  for (const block of content.slice(0, mostBlocks)) {
    if (!isObject(block)) continue;
    switch (block['type']) {
      case 'text':
        if (typeof block['text'] === 'string') addText(block['text']);
        break;
      case 'image':
      case 'audio':
        addMedia(media, warnings, block['mimeType'], block['data']);
        break;
      case 'resource':
        readResource(block['resource'], addText, links, media, warnings);
        break;
      case 'resource_link':
        links.push(pick(block, ['uri', 'name', 'title', 'description', 'mimeType']));
        break;
      default:
        warnings.push(`a part of unknown type \`${shownText(String(block['type']), 40)}\` left out`);
    }
  }
  const text = texts.join('\n');
  if (raw['isError'] === true)
    throw mcpError(text === '' ? `\`${tool}\` failed and gave no reason` : shownText(text, 8000), { server: true });
  let structured: Json | undefined;
  if (raw['structuredContent'] !== undefined) {
    try {
      // It came as JSON; the copy leaves out keys that could reach a prototype.
      structured = sanitizeJson(raw['structuredContent']) as Json;
    } catch {
      warnings.push('the structured content is nested too deep and was left out');
    }
  }
  const payload: Json =
    hasOutputSchema && structured !== undefined
      ? structured
      : {
          ...(links.length > 0 ? { links } : {}),
          ...(structured !== undefined && !repeats(text, structured) ? { structured } : {}),
          text,
        };
  return { payload, ...(media.length > 0 ? { media } : {}), ...(warnings.length > 0 ? { warnings } : {}) };
}

export const mcpError = (message: string, details?: Readonly<Record<string, unknown>>, retryable = false): ToolError =>
  toolError('mcp_error', message, { retryable, ...(details ? { details } : {}) });

function addMedia(media: ToolMedia[], warnings: string[], mimeType: unknown, data: unknown): void {
  if (typeof data !== 'string' || typeof mimeType !== 'string' || !/^[\w.+-]+\/[\w.+-]+$/.test(mimeType)) {
    warnings.push('a picture or sound without type or data left out');
    return;
  }
  const total = media.reduce((sum, one) => sum + one.data.length, 0);
  if (media.length >= mostMedia || total + data.length > mostMediaCharacters)
    warnings.push(`a ${mimeType} left out: too much for one answer`);
  else if (!/^[A-Za-z0-9+/_-]*={0,2}\s*$/.test(data.slice(0, 4096))) warnings.push(`a ${mimeType} left out: its data is not base64`);
  else media.push({ mimeType, data });
}

/** Reads one embedded or read resource: text as text, pictures as media, other bytes as a link with their size. */
export function readResource(
  resource: unknown,
  addText: (text: string) => void,
  links: JsonObject[],
  media: ToolMedia[],
  warnings: string[],
): void {
  if (!isObject(resource)) return;
  if (typeof resource['text'] === 'string') addText(resource['text']);
  else if (typeof resource['blob'] === 'string') {
    const mime = typeof resource['mimeType'] === 'string' ? resource['mimeType'] : 'application/octet-stream';
    if (/^(?:image|audio)\//.test(mime)) addMedia(media, warnings, mime, resource['blob']);
    else links.push({ ...pick(resource, ['uri', 'mimeType']), bytes: Math.floor((resource['blob'].length * 3) / 4) });
  }
}

function pick(from: Readonly<Record<string, unknown>>, names: readonly string[]): JsonObject {
  const out: Record<string, Json> = {};
  for (const name of names) {
    const value = from[name];
    if (typeof value === 'string') out[name] = value.slice(0, 2000);
  }
  return out;
}

/** True where the text is nothing but the structured content once more, as the protocol advises servers to do. */
function repeats(text: string, structured: Json): boolean {
  if (text === '') return false;
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(structured);
  } catch {
    return false;
  }
}
