import { isObject, type JsonObject } from '../base/json';
import type { Capability } from '../capability/capability';
import { fillText, parseTemplate } from '../vocabulary/template';
import { sourceKind } from '../vocabulary/toolSource';

/** A capability's configuration with its schema's defaults, one level deep. */
export function effectiveConfig(capability: Capability, config: JsonObject): JsonObject {
  const properties = capability.configSchema?.properties ?? {};
  const defaults = Object.fromEntries(
    Object.entries(properties).flatMap(([key, schema]) =>
      isObject(schema) && schema.default !== undefined ? [[key, schema.default]] : [],
    ),
  );
  return { ...defaults, ...config };
}

/** The prompt addition of a definition with `${config.…}` filled in. Built-in prompts are literal. */
export function renderPrompt(capability: Capability, config: JsonObject): string {
  const text = capability.systemPrompt ?? '';
  if (!sourceKind(capability.source).fillsPrompts || !text.includes('${')) return text;
  return fillText(parseTemplate(text), { config: effectiveConfig(capability, config) });
}
