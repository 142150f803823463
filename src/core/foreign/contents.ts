import { isObject, type JsonObject } from '../base/json';
import type { ToolOutcome } from '../vocabulary/toolResult';
import { AnswerReader } from './answerReader';
import { mcpError } from './mcpError';
import { shownText } from './foreignTool';

const mostMessages = 200;
const longestMessage = 200_000;

/**
 * Reads the answer of `prompts/get`: messages whose text is shown as it is read. Pictures and sounds become media, and
 * their message names which by its place.
 */
export function readPrompt(raw: unknown): ToolOutcome {
  if (!isObject(raw) || !Array.isArray(raw['messages']))
    throw mcpError('the server answered with something that is no prompt');
  const reader = new AnswerReader();
  const messages = raw['messages'].slice(0, mostMessages).flatMap((message): JsonObject[] => {
    if (!isObject(message) || !isObject(message['content'])) return [];
    const role = message['role'] === 'assistant' ? 'assistant' : 'user';
    const content = readContent(message['content'], reader);
    return content ? [{ role, content }] : [];
  });
  const { description } = raw;
  const about = typeof description === 'string' ? { description: shownText(description, 2000) } : {};
  const { parts: _parts, ...outcome } = reader.outcome({ ...about, messages });
  return outcome;
}

function readContent(content: Record<string, unknown>, reader: AnswerReader): JsonObject | undefined {
  const before = { media: reader.media.length, texts: reader.texts.length };
  if (content['type'] === 'text' && typeof content['text'] === 'string')
    return { type: 'text', text: shownText(content['text'], longestMessage) };
  const resource = content['type'] === 'resource' && isObject(content['resource']) ? content['resource'] : undefined;
  // A picture is read as what a resource with its bytes would be.
  reader.resource(resource ?? { mimeType: content['mimeType'], blob: content['data'] });
  if (reader.media.length > before.media) return { type: 'media', media: before.media };
  const texts = reader.texts.slice(before.texts);
  if (!resource || texts.length === 0) return undefined;
  const { uri, mimeType } = resource;
  return {
    type: 'resource',
    resource: {
      uri: typeof uri === 'string' ? uri.slice(0, 4096) : '',
      ...(typeof mimeType === 'string' ? { mimeType: mimeType.slice(0, 200) } : {}),
      text: shownText(texts.join('\n'), longestMessage),
    },
  };
}

/**
 * The answer of `resources/read`: flat for agents, and resource by resource for clients that asked for one themselves.
 */
export function readContents(raw: unknown): ToolOutcome {
  const reader = new AnswerReader();
  const contents: readonly unknown[] = isObject(raw) && Array.isArray(raw['contents']) ? raw['contents'] : [];
  for (const one of contents.slice(0, 100)) reader.resource(one);
  const { texts, links } = reader;
  return reader.outcome({ ...(links.length > 0 ? { links } : {}), text: texts.join('\n') });
}
