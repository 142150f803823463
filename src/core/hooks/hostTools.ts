import { remembering } from '../base/maps';
import { say } from '../base/sentence';
import type { Capability } from '../capability/capability';
import type { ToolHandler } from '../capability/tool';
import { foreignDefinition } from '../foreign/foreignTool';
import type { FileSystem } from '../ports/files';
import type { RegisteredTool } from '../registry/registry';
import { refusal } from '../vocabulary/errors';
import { hostAgentNames } from '../vocabulary/hostAgentNames';
import { toolId } from '../vocabulary/names';
import type { ToolDefinition } from '../vocabulary/toolDefinition';
import { type HostAgent, hostAgents } from './hostEvent';
import { hostToolRow, type HostToolRow, isServerTool } from './hostToolTable';

/**
 * Names that our own tools have in other agents. They are judged by our gate when they run, so nothing is asked about
 * them here; what rules deny is denied all the same, because anybody may take such a name. Where a repository has done
 * so, they are asked about as all foreign ones are.
 */
const ourServer = /^(?:mcp_agent[-_. ]?capab|mcp__agent[-_]?capabilities__|agent[-_]capabilities[-/_])/i;
/** In the editor our tools are its own; elsewhere a server named `cap` has tools that begin so. */
const isLikeOurs = (agent: HostAgent, name: string): boolean =>
  ourServer.test(name) || (agent === 'vscode' && name.startsWith('cap_'));

/** Tells whether a repository gives an agent that works in these folders a server of our name. */
type TakesOurName = (agent: HostAgent, folders: readonly string[]) => Promise<boolean>;
/** The texts that an agent which works in these folders may take for a skill; undefined where nobody can tell. */
type ReadSkill = (name: string, folders: readonly string[]) => Promise<readonly string[] | undefined>;
const mostKept = 500;
const reference = /^host:([a-z]+):(.{1,200})$/s;

/** The id of a tool of another agent, by which rules, grants and records name it. */
export const hostToolId = (agent: HostAgent, tool: string): string => `host:${agent}:${tool}`;

/**
 * Finds the tools of other agents by their ids. They are made when they are asked for: an agent may have any tool, and
 * they are offered nowhere.
 * @param files the machine's files, in which an agent reads its paths, whatever root a profile has.
 */
export function hostTools(
  files: () => FileSystem,
  takesOurName: TakesOurName,
  readSkill: ReadSkill,
): (id: string) => RegisteredTool | undefined {
  return remembering(mostKept, (id) => {
    const [, agentName, name] = reference.exec(id) ?? [];
    const agent = hostAgents.find((one) => one === agentName);
    if (!agent || name === undefined) return undefined;
    return makeTool(agent, name, files, takesOurName, readSkill);
  });
}

function makeTool(
  agent: HostAgent,
  name: string,
  files: () => FileSystem,
  takesOurName: TakesOurName,
  readSkill: ReadSkill,
): RegisteredTool {
  const source = { type: 'host', agent } as const;
  const capability: Capability = {
    id: `host_${agent}`,
    version: '1.0.0',
    name: hostAgentNames[agent],
    description: `Tools of ${hostAgentNames[agent]}`,
    status: 'available',
    source,
    provenance: { by: 'user', from: `host:${agent}` },
    icon: 'plug',
    category: 'Other agents',
    tools: [],
  };
  const row = hostToolRow(agent, name);
  const definition = row ? ownDefinition(agent, name, row) : serverDefinition(agent, name);
  const handler: ToolHandler = {
    async accesses(input, { cwd, folders = [], stayed = [] }) {
      if (row) {
        const { hostAccesses } = await import('./hostAccesses');
        const skill = (named: string) => readSkill(named, [cwd ?? '.', ...folders]);
        return hostAccesses({ agent, tool: name, row, input, files: files(), cwd, stayed, skill });
      }
      const { foreignAccesses } = await import('../foreign/argumentReader');
      const { inputSchema: schema, sideEffects } = definition;
      const facts = { tool: name, schema, sideEffects, readOnly: false, mapping: {} };
      const found = await foreignAccesses(facts, input, files(), cwd);
      const isKnown = isLikeOurs(agent, name)
        ? !ourServer.test(name) || !(await takesOurName(agent, [cwd ?? '.', ...folders]))
        : isServerTool(agent, name);
      return isKnown ? found : [...found, { effect: 'system.exec', resource: `${agent} ${name}` }];
    },
    run: () => Promise.reject(refusal('not_available', say('not_available', name, say('host_runs_it', agent)))),
  };
  return {
    id: toolId({ id: capability.id, source }, name),
    modelName: name,
    isNamedByOthers: !row && !name.startsWith('mcp_'),
    definition,
    source,
    capability,
    load: () => Promise.resolve(handler),
  };
}

const reads: ReadonlySet<HostToolRow['does']> = new Set(['nothing', 'search', 'grep', 'fetch']);

/** The agent asks its own user where it means to; what is here too strict a policy asks about besides. */
function ownDefinition(agent: HostAgent, name: string, row: HostToolRow): ToolDefinition {
  const isReading = reads.has(row.does) || (row.does === 'files' && row.effects.every((one) => one === 'fs.read'));
  return {
    name,
    title: name,
    kind: isReading ? 'data' : 'action',
    modelDescription: `The tool ${name} of ${hostAgentNames[agent]}.`,
    userDescription: `${name} of ${hostAgentNames[agent]}`,
    inputSchema: { type: 'object' },
    permissions: { user: 'allowed', agent: 'allowed' },
    scopes: [],
    riskLevel: isReading ? 'low' : 'medium',
    sideEffects: [],
    costClass: 'free',
    idempotency: isReading ? 'idempotent' : 'non-idempotent',
    reversible: false,
    repeatable: true,
    timeoutMs: 600_000,
    icon: 'plug',
  };
}

/** A tool of an MCP server, or one that is not known: judged by its name and its arguments, as all foreign ones are. */
function serverDefinition(agent: HostAgent, name: string): ToolDefinition {
  const { definition } = foreignDefinition(
    { name, description: '', inputSchema: { type: 'object' } },
    { from: hostAgentNames[agent], hintsConfirmed: false, override: undefined, timeoutMs: 600_000 },
  );
  const made = { ...definition, name, repeatable: true };
  if (!isLikeOurs(agent, name)) return made;
  return { ...made, permissions: { user: 'allowed', agent: 'allowed' }, riskLevel: 'medium', sideEffects: [] };
}
