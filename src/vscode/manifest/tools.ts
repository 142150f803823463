import { type JsonObject, type Json, defined, isObject } from '../../core/base/json';
import type { Capability } from '../../core/capability/capability';
import { contextKey } from './commands/contextKey';
import { modelSchema } from '../../core/vocabulary/modelSchema';
import type { ToolDefinition } from '../../core/vocabulary/toolDefinition';
import { valueAt } from '../../core/base/pointer';

/** What a person types after `#` and what `.agent.md` names: `capReadFile`. */
export function referenceName(definition: ToolDefinition): string {
  const words = definition.name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `cap${words.join('')}`;
}

/** `contributes.languageModelTools`: every built-in tool, with both names that the editor's two harnesses need. */
export function languageModelTools(capabilities: readonly Capability[]): readonly JsonObject[] {
  return capabilities.flatMap((capability) =>
    capability.tools.map(({ definition }): JsonObject => {
      const icon = definition.icon ?? capability.icon;
      return {
        name: `cap_${definition.name}`,
        toolReferenceName: referenceName(definition),
        canBeReferencedInPrompt: true,
        displayName: `%tool.${definition.name}.title%`,
        userDescription: `%tool.${definition.name}.description%`,
        modelDescription: definition.modelDescription,
        ...(icon ? { icon: `$(${icon})` } : {}),
        when: contextKey(`tool.${definition.name}`),
        tags: [...new Set(['agent-capabilities', capability.id, ...(definition.tags ?? [])])],
        inputSchema: modelSchema(definition) as Json as JsonObject,
      };
    }),
  );
}

/** The texts of the tools for people, by the key that the manifest names. */
export function toolTexts(capabilities: readonly Capability[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    capabilities.flatMap((capability) =>
      capability.tools.flatMap(({ definition }) => [
        [`tool.${definition.name}.title`, definition.title],
        [`tool.${definition.name}.description`, definition.userDescription],
      ]),
    ),
  );
}

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
