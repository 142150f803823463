import { counted } from '../core/base/figures';
import { defined } from '../core/base/json';
import { worded } from '../core/base/sentence';
import { visibleLine } from '../core/base/visible';
import type { Capability } from '../core/capability/capability';
import type { RegisteredTool } from '../core/registry/registry';
import { parseToolFilter } from '../core/registry/toolFilter';
import { plansRefuse } from '../core/gate/planRefusal';
import { offeredTools } from '../core/profiles/offeredTools';
import { actorType, type CliArgs, type CliIo, outJson, UsageError } from './args';
import { withWorkspace } from './openWorkspace';
import { brief } from './problemLines';
import { sideEffectsUnder } from '../core/vocabulary/toolDefinition';
import { sourceKey } from '../core/vocabulary/toolSource';
import { isHiddenFrom, missingScopes, type ResolvedProfile } from '../core/profiles/profile';

/**
 * `list [FILTER…] [--json] [--as user|agent]`: every capability with its tools, those of the profile first and in its
 * order. What is for agents only is listed with `--as agent`, which leaves out what is not offered to them.
 */
export async function runList(args: CliArgs, io: CliIo): Promise<number> {
  const actor = actorType(args, 'user');
  const text = args.words.join(' ');
  const filter = text === '' ? undefined : parseToolFilter(text);
  if (filter && filter.faults.length > 0) throw new UsageError(filter.faults.map((one) => worded(one)).join('\n'));
  return withWorkspace(args, io, async ({ core }) => {
    await core.servers.list.discover();
    const { registry, profiles } = core.tools;
    const profile = profiles.active();
    const order = new Map(profile.entries.map(({ capability }, index) => [capability, index]));
    const inOrder = [...registry.capabilities()].sort(
      (one, other) => (order.get(one) ?? order.size) - (order.get(other) ?? order.size),
    );
    const isListed = ({ definition }: RegisteredTool): boolean => !isHiddenFrom(actor, definition);
    const all = inOrder.map((capability) => ({
      ...describeCapability(capability, profile),
      tools: registry
        .tools()
        .filter((tool) => tool.capability === capability && isListed(tool))
        .map((tool) => describe(tool, profile))
        .filter((tool) => !filter || filter.keep(factsOf(tool, capability))),
    }));
    const capabilities = filter ? all.filter(({ tools }) => tools.length > 0) : all;
    const problems = core.problems();
    if (args.has('json')) outJson(io, { profile: profile.id, mode: profile.mode, capabilities, problems });
    else {
      const head = `profile ${profile.id} · ${profile.mode} · ${counted(offeredTools(profile).length, 'tool')} for agents`;
      const shown = capabilities.reduce((sum, { tools }) => sum + tools.length, 0);
      io.out(filter ? `${head} · filtered by \`${text}\`: ${shown} shown` : head);
      for (const capability of capabilities) {
        const { id, name, description, enabled, tools } = capability;
        io.out(`${enabled ? '[x]' : '[ ]'} ${id}  ${visibleLine(`${name}${statusOf(capability)}: ${description}`)}`);
        for (const tool of tools)
          io.out(`    ${tool.enabled ? '[x]' : '[ ]'} ${tool.name}  ${tool.riskLevel} · ${metByAgents(tool)}`);
      }
      for (const problem of problems) io.error(brief(problem));
    }
    return 0;
  });
}

/** A capability as the command line lists it, without its tools. */
function describeCapability(capability: Capability, { entries }: ResolvedProfile) {
  const { id, name, version, description, status, source, icon, category, replacement } = capability;
  // Why it cannot work on this machine; its tools are offered to nobody.
  const missing = capability.missing?.();
  const isOn = entries.some((one) => one.capability === capability && one.entry.enabled && !one.isUnfit);
  return {
    ...{ id, name, version, description, status, source: sourceKey(source) },
    ...defined({ icon, category }),
    enabled: isOn && status !== 'coming_soon',
    ...defined({ replacement, missing: missing && worded(missing) }),
  };
}

/** What a filter asks of a tool. */
const factsOf = (tool: ReturnType<typeof describe>, { id, name, category }: Capability) => ({
  ...tool,
  permission: tool.permissions.agent,
  about: `${id} ${name} ${category ?? ''}`,
  category,
});

/** What keeps a capability from being used now, or soon. */
function statusOf({ status, replacement, missing }: ReturnType<typeof describeCapability>): string {
  if (missing !== undefined) return ` (not available: ${missing})`;
  if (status === 'coming_soon') return ' (coming soon)';
  return status === 'deprecated' ? ` (deprecated${replacement === undefined ? '' : `, use ${replacement}`})` : '';
}

/** What an agent's call meets. What is off says its permission alone. */
function metByAgents(tool: ReturnType<typeof describe>): string {
  if (isHiddenFrom('agent', tool)) return 'not offered to agents';
  const missing = tool.enabled ? tool.missingScopes : [];
  const denied =
    missing.length > 0 ? ` · denied without the scope ${missing.map((one) => `\`${one}\``).join(', ')}` : '';
  if (tool.enabled && tool.permissions.agent !== 'forbidden') {
    if (tool.refusedInPlanMode === 'all') return `refused in plan mode${denied}`;
    if (tool.refusedInPlanMode === 'changes') return `only reads in plan mode${denied}`;
  }
  return `${tool.permissions.agent} for agents${denied}`;
}

/** A tool as the command line lists it. */
function describe(tool: RegisteredTool, profile: ResolvedProfile) {
  const { definition } = tool;
  return {
    id: tool.id,
    name: tool.modelName,
    ...(definition.aliases ? { aliases: definition.aliases } : {}),
    title: definition.title,
    kind: definition.kind,
    description: definition.modelDescription,
    inputSchema: definition.inputSchema,
    ...(definition.outputSchema ? { outputSchema: definition.outputSchema } : {}),
    permissions: definition.permissions,
    scopes: definition.scopes,
    riskLevel: definition.riskLevel,
    sideEffects: sideEffectsUnder(definition, profile.scopes),
    costClass: definition.costClass,
    idempotency: definition.idempotency,
    ...(definition.rateLimit ? { rateLimit: definition.rateLimit } : {}),
    source: sourceKey(tool.source),
    ...(definition.agentOnly ? { agentOnly: true } : {}),
    ...(definition.agentVisible === false ? { agentVisible: false } : {}),
    enabled: profile.isToolEnabled(tool),
    ...(profile.mode === 'plan' ? { refusedInPlanMode: plansRefuse(tool) } : {}),
    missingScopes: missingScopes(tool, profile),
  };
}
