import type { Json } from '../base/json';
import type { SecretSession } from '../secrets/session';
import type { ToolPart, ToolResult } from '../vocabulary/toolResult';

type Success = Extract<ToolResult, { success: true }>;

/**
 * An answer in which the values stand again that a person lets the agent see, in its texts alone, and a warning that
 * tells the model so.
 */
export function showInResult(
  session: SecretSession,
  result: Success,
  allowed: ReadonlySet<string>,
): { readonly result: Success; readonly shown: ReadonlySet<string> } {
  const shown = new Set<string>();
  const show = (value: Json): Json => {
    const filled = session.show(value, allowed);
    for (const one of filled.shown) shown.add(one);
    return filled.value;
  };
  const payload = show(result.payload);
  const parts = result.parts?.map((part) => showInPart(part, (text) => String(show(text))));
  if (shown.size === 0) return { result, shown };
  const told = `${[...shown].join(', ')}: a person let you see the value this once; later results hide it again`;
  const warnings = [...(result.warnings ?? []), told];
  return { result: { ...result, payload, ...(parts ? { parts } : {}), warnings }, shown };
}

function showInPart(part: ToolPart, show: (text: string) => string): ToolPart {
  if (part.type === 'text') return { ...part, text: show(part.text) };
  if (part.type !== 'resource') return part;
  return { ...part, resource: { ...part.resource, text: show(part.resource.text) } };
}
