import { type Problem, problem } from '../base/problem';
import { say } from '../base/sentence';
import { type CapabilityRegistry, type RegisteredTool } from './registry';
import { sourceKind } from '../vocabulary/toolSource';

/**
 * Tool names that several tools share. The rule: a plain name means the tool of the first source in the order built-in,
 * definition, channel, MCP server, extension; where that source has several, the name means none of them and only the
 * qualified name tells them apart.
 */
export function nameConflicts(registry: CapabilityRegistry): readonly Problem[] {
  const byName = new Map<string, RegisteredTool[]>();
  for (const tool of registry.tools())
    byName.set(tool.definition.name, [...(byName.get(tool.definition.name) ?? []), tool]);
  return [...byName].flatMap(([name, tools]): readonly Problem[] => {
    if (tools.length < 2) return [];
    const sorted = [...tools].sort(
      (a, b) => sourceKind(a.source).rank - sourceKind(b.source).rank || (a.id < b.id ? -1 : 1),
    );
    const meant = registry.tool(name);
    const rest = sorted.filter((one) => one !== meant).map((one) => one.modelName);
    const said = meant ? say('name_means', name, meant.id, rest) : say('name_of_several', name, rest);
    return [problem({ severity: 'information', code: 'name_conflict', said, subject: name })];
  });
}
