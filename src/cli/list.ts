import { counted } from '../core/base/figures';
import { worded } from '../core/base/sentence';
import type { Capability } from '../core/capability/capability';
import type { RegisteredTool } from '../core/registry/registry';
import { parseToolFilter } from '../core/registry/toolFilter';
import { plansRefuse } from '../core/gate/planRefusal';
import { offeredTools } from '../core/profiles/offeredTools';
import { actorType, type CliArgs, type CliIo, UsageError } from './args';
import { withWorkspace } from './openWorkspace';
import { brief } from './problemLines';
import { type CapabilityStatus, sideEffectsUnder } from '../core/vocabulary/toolDefinition';
import { sourceKey } from '../core/vocabulary/toolSource';
import { missingScopes, type ResolvedProfile } from '../core/profiles/profile';

/**
 * `list [FILTER…] [--json] [--as user|agent]`: every capability with its tools, those of the profile first and in its
 * order. What is for agents only is listed with `--as agent`, which leaves out what is not offered to them.
 */
export async function runList(args: CliArgs, io: CliIo): Promise<number> {
  const isForAgents = actorType(args, 'user') === 'agent';
  const text = args.words.join(' ');
  const filter = text === '' ? undefined : parseToolFilter(text);
  if (filter && filter.faults.length > 0) throw new UsageError(filter.faults.map((one) => worded(one)).join('\n'));
  return withWorkspace(args, io, async ({ core }) => {
    await core.servers.list.discover();
    const profile = core.tools.profiles.active();
    const order = new Map(profile.entries.map(({ capability }, index) => [capability, index]));
    const inOrder = [...core.tools.registry.capabilities()].sort(
      (one, other) => (order.get(one) ?? order.size) - (order.get(other) ?? order.size),
    );
    const all = inOrder.map((capability) => ({
      id: capability.id,
      name: capability.name,
      version: capability.version,
      description: capability.description,
      status: capability.status,
      source: sourceKey(capability.source),
      ...(capability.icon ? { icon: capability.icon } : {}),
      ...(capability.category ? { category: capability.category } : {}),
      enabled: profile.entries.some(
        (entry) =>
          entry.capability === capability &&
          entry.entry.enabled &&
          !entry.isUnfit &&
          capability.status !== 'coming_soon',
      ),
      ...(capability.replacement ? { replacement: capability.replacement } : {}),
      ...missingHere(capability),
      tools: core.tools.registry
        .tools({
          where: (tool) =>
            tool.capability === capability &&
            (isForAgents ? tool.definition.agentVisible !== false : tool.definition.agentOnly !== true),
        })
        .map((tool) => describe(tool, profile))
        .filter(
          (tool) =>
            filter?.keep({
              ...tool,
              permission: tool.permissions.agent,
              about: `${capability.id} ${capability.name} ${capability.category ?? ''}`,
              category: capability.category,
            }) !== false,
        ),
    }));
    const capabilities = filter ? all.filter(({ tools }) => tools.length > 0) : all;
    const problems = core.problems();
    if (args.has('json'))
      io.out(JSON.stringify({ profile: profile.id, mode: profile.mode, capabilities, problems }, undefined, 2));
    else {
      const head = `profile ${profile.id} · ${profile.mode} · ${counted(offeredTools(profile).length, 'tool')} for agents`;
      const shown = capabilities.reduce((sum, { tools }) => sum + tools.length, 0);
      io.out(filter ? `${head} · filtered by \`${text}\`: ${shown} shown` : head);
      for (const capability of capabilities) {
        io.out(
          `${capability.enabled ? '[x]' : '[ ]'} ${capability.id}  ${capability.name}${statusOf(capability)}: ${capability.description}`,
        );
        for (const tool of capability.tools)
          io.out(`    ${tool.enabled ? '[x]' : '[ ]'} ${tool.name}  ${tool.riskLevel} · ${metByAgents(tool)}`);
      }
      for (const problem of problems) io.error(brief(problem));
    }
    return 0;
  });
}

/** Why a capability cannot work on this machine; its tools are offered to nobody. */
function missingHere({ missing }: Capability): { readonly missing?: string } {
  const said = missing?.();
  return said ? { missing: worded(said) } : {};
}

/** What keeps a capability from being used now, or soon. */
function statusOf({
  status,
  replacement,
  missing,
}: {
  readonly status: CapabilityStatus;
  readonly replacement?: string;
  readonly missing?: string;
}): string {
  if (missing !== undefined) return ` (not available: ${missing})`;
  if (status === 'coming_soon') return ' (coming soon)';
  return status === 'deprecated' ? ` (deprecated${replacement === undefined ? '' : `, use ${replacement}`})` : '';
}

/** What an agent's call meets. What is off says its permission alone. */
function metByAgents(tool: ReturnType<typeof describe>): string {
  if (tool.agentVisible === false) return 'not offered to agents';
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
