import { defined, isObject } from '../../core/base/json';
import { valueAt } from '../../core/base/pointer';
import type { ToolDefinition } from '../../core/vocabulary/toolDefinition';

/** @param manifest our own, whose texts the editor gives in the person's language. */
export function manifestWords(
  manifest: unknown,
): (name: string) => Partial<Pick<ToolDefinition, 'localTitle' | 'userDescription'>> {
  const tools = valueAt(manifest, '/contributes/languageModelTools');
  const byName = new Map<unknown, Readonly<Record<string, unknown>>>();
  for (const tool of Array.isArray(tools) ? tools : []) if (isObject(tool)) byName.set(tool['name'], tool);
  return (name) => {
    const text = (key: string): string | undefined => {
      const value = byName.get(`cap_${name}`)?.[key];
      // A key that the editor did not replace is no text.
      return typeof value === 'string' && !/^%.*%$/.test(value) ? value : undefined;
    };
    return defined({ localTitle: text('displayName'), userDescription: text('userDescription') });
  };
}
