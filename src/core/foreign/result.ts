import { isObject, type Json, parsedJson, sanitizeJson } from '../base/json';
import type { ToolOutcome } from '../vocabulary/toolResult';
import { AnswerReader } from './answerReader';
import { shownText } from './foreignTool';
import { mcpError } from './mcpError';

const mostBlocks = 1000;

/**
 * Reads the answer of `tools/call` as a result of ours. Structured content is the payload where the tool declares an
 * output schema; otherwise texts are joined as `text`, links and embedded resources follow, pictures and sounds become
 * media. An answer with resources is kept piece by piece too. `isError` becomes a tool error whose message is the
 * server's text, or its structured content where there is no text.
 */
export function readCallResult(raw: unknown, tool: string, hasOutputSchema: boolean): ToolOutcome {
  if (!isObject(raw)) throw mcpError(`\`${tool}\` answered with something that is no result`);
  const content = Array.isArray(raw['content']) ? raw['content'] : [];
  const reader = new AnswerReader();
  const { texts, links, warnings } = reader;
  if (content.length > mostBlocks)
    warnings.push(`${content.length - mostBlocks} of ${content.length} parts of the answer left out`);
  for (const block of content.slice(0, mostBlocks)) if (isObject(block)) readBlock(block, reader);
  const text = texts.join('\n');
  const structured = structuredOf(raw['structuredContent'], warnings);
  if (raw['isError'] === true) {
    const reason = text.trim() === '' && structured !== undefined ? JSON.stringify(structured) : text;
    throw mcpError(reason === '' ? `\`${tool}\` failed and gave no reason` : shownText(reason, 8000), {
      server: true,
    });
  }
  if (hasOutputSchema && structured !== undefined) return reader.outcome(structured);
  return reader.outcome({
    ...(links.length > 0 ? { links } : {}),
    ...(structured !== undefined && !repeats(text, structured) ? { structured } : {}),
    text,
  });
}

function readBlock(block: Readonly<Record<string, unknown>>, reader: AnswerReader): void {
  switch (block['type']) {
    case 'text':
      if (typeof block['text'] === 'string') reader.text(block['text']);
      break;
    case 'image':
    case 'audio':
      reader.bytes(block['mimeType'], block['data']);
      break;
    case 'resource':
      reader.resource(block['resource']);
      break;
    case 'resource_link':
      reader.link(block);
      break;
    default:
      reader.warnings.push(`a part of unknown type \`${shownText(String(block['type']), 40)}\` left out`);
  }
}

function structuredOf(content: unknown, warnings: string[]): Json | undefined {
  if (content === undefined) return undefined;
  try {
    // It came as JSON; the copy leaves out keys that could reach a prototype.
    return sanitizeJson(content) as Json;
  } catch {
    warnings.push('the structured content is nested too deep and was left out');
    return undefined;
  }
}

/** True where the text is nothing but the structured content once more, as the protocol advises servers to do. */
const repeats = (text: string, structured: Json): boolean =>
  JSON.stringify(parsedJson(text)) === JSON.stringify(structured);
