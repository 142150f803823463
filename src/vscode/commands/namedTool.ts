import { didYouMean } from '../../core/base/nearest';
import type { CapabilityRegistry, RegisteredTool } from '../../core/registry/registry';

/** The tool of this name; throws where there is none. */
export function namedTool(registry: Pick<CapabilityRegistry, 'tool' | 'toolNames'>, name: string): RegisteredTool {
  const tool = registry.tool(name);
  if (!tool) throw new Error(`there is no tool \`${name}\`${didYouMean(name, registry.toolNames())}`);
  return tool;
}
