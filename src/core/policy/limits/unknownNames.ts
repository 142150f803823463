import { pointerTo } from '../../base/jsonReader';
import { proposal } from '../../base/nearest';
import { type Problem, problem } from '../../base/problem';
import { say, type Sentence } from '../../base/sentence';
import type { CapabilityRegistry } from '../../registry/registry';
import { foreignName } from '../../vocabulary/toolSource';
import { namesOfTool, toolNames } from '../rules/subject';
import type { LimitSettings } from './limitSettings';

/**
 * A warning for each limit of a tool or capability that nothing has: it limits nothing. What comes and goes with other
 * programs is never missed.
 * @param hasServers is true where MCP servers are configured: one that was not listed yet may bring tools of any name.
 */
export function unknownInLimits(
  layers: readonly LimitSettings[],
  registry: Pick<CapabilityRegistry, 'tools' | 'capabilityIds'>,
  hasServers: boolean,
): readonly Problem[] {
  const tools = hasServers ? [] : layers.flatMap((one) => Object.keys(one.tools));
  const capabilities = layers.flatMap((one) => Object.keys(one.capabilities));
  if (tools.length + capabilities.length === 0) return [];
  const missing = (key: string, wanted: readonly string[], names: readonly string[]): readonly Problem[] => {
    const known = new Set(names);
    const code = key === 'tools' ? 'tool_not_found' : 'no_capability_named';
    const fault = (name: string): Sentence => say(code, name, proposal(name, known));
    return [...new Set(wanted)].flatMap((name) => {
      if (known.has(name) || foreignName.test(name)) return [];
      const pointer = pointerTo(pointerTo('', key), name);
      const said = say('invalid_limits', pointer, fault(name));
      return [problem({ severity: 'warning', said, pointer })];
    });
  };
  const names = registry.tools().flatMap((tool) => toolNames(namesOfTool(tool), false));
  return [...missing('tools', tools, names), ...missing('capabilities', capabilities, registry.capabilityIds())];
}
