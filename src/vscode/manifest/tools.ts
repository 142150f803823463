import type { JsonObject, Json } from '../../core/base/json';
import type { Capability } from '../../core/capability/capability';
import { contextKey } from './commands/contextKey';
import { modelSchema } from '../../core/vocabulary/modelSchema';
import type { ToolDefinition } from '../../core/vocabulary/toolDefinition';

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
