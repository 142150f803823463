import type { Access } from '../vocabulary/access';
import type { PolicyEngine } from '../policy/rules/engine';
import { accessFacts, namesOfTool } from '../policy/rules/subject';
import type { ResolvedProfile } from '../profiles/profile';
import type { CapabilityRegistry } from '../registry/registry';
import type { PromptVerdict } from './promptFiles';

/** The tool by which an agent would read the file. */
const reader = 'read_file';

/**
 * What the rules in force say of an agent that reads a file with `read_file`: what it may not read, its instructions do
 * not hold.
 */
export function judgePrompt(
  policy: PolicyEngine,
  registry: CapabilityRegistry,
  accesses: readonly Access[],
  profile: ResolvedProfile,
): PromptVerdict {
  const tool = registry.tool(reader);
  const { effect, reasons, deniedBy } = policy.decide(
    {
      capabilityId: tool?.capability.id ?? 'file_system',
      capabilityAliases: tool?.capability.aliases ?? [],
      ...(tool ? namesOfTool(tool) : { tool: { id: 'cap:file_system:read_file', names: [reader] }, isOurs: true }),
      sideEffects: ['fs.read'],
      costClass: 'free',
      riskLevel: tool?.definition.riskLevel ?? 'low',
      source: 'builtin',
      actor: 'agent',
      input: { path: accesses[0]?.resource ?? '' },
      accesses: accesses.map((access) => accessFacts(access)),
      requires: [],
    },
    profile,
  );
  if (effect === 'pass') return { effect };
  return { effect, rule: deniedBy?.boundary.id ?? reasons.find((one) => one.advisory !== true)?.rule ?? '' };
}
