import { isObject } from '../../core/base/json';
import { AnswerReader } from '../../core/foreign/answerReader';
import type { ToolOutcome } from '../../core/vocabulary/toolResult';

/**
 * The answer of `resources/read`: flat for agents, and resource by resource for clients that asked for one themselves.
 */
export function readContents(raw: unknown): ToolOutcome {
  const reader = new AnswerReader();
  const contents: readonly unknown[] = isObject(raw) && Array.isArray(raw['contents']) ? raw['contents'] : [];
  for (const one of contents.slice(0, 100)) reader.resource(one);
  const { texts, links, media, warnings, ownForm } = reader;
  return {
    payload: { ...(links.length > 0 ? { links } : {}), text: texts.join('\n') },
    ...(media.length > 0 ? { media } : {}),
    ...(ownForm ? { parts: ownForm } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}
