import { isObject, type Json, type JsonObject } from '../../core/base/json';
import type { Capability } from '../../core/capability';
import { foreignAccesses } from '../../core/mcp/accessMapping';
import type { ListedTool } from '../../core/mcp/foreignList';
import { foreignDefinition, foreignToolName, shownText } from '../../core/mcp/foreignTool';
import { mcpError, readCallResult, readResource } from '../../core/mcp/result';
import { overrideFor, type ToolOverride } from '../../core/mcp/overrides';
import type { McpServerSpec } from '../../core/mcp/serverSpec';
import { isToolError } from '../../core/errors';
import { defineTool, type Tool, type ToolContext, type ToolHandler } from '../../core/tool';
import type { ToolMedia, ToolOutcome } from '../../core/toolResult';
import type { McpConnection } from './connection';
import { serverFolder } from './serverFolder';
import type { McpParts } from './parts';

/** The server as its tools see it. */
export interface CallTarget {
  check(): void;
  connection(): Promise<McpConnection>;
  succeeded(): void;
}

export interface CapabilityOptions {
  readonly hintsConfirmed: boolean;
  readonly hasResources: boolean;
  readonly target: CallTarget;
  readonly parts: McpParts;
}

/** The lines in which a person sees a server's tools before approving them. */
export function approvalLines(spec: McpServerSpec, tools: readonly ListedTool[]): readonly string[] {
  return tools.map((tool) => {
    const { definition } = foreignDefinition(tool, {
      from: spec.name,
      hintsConfirmed: false,
      override: overrideFor(spec.tools, tool.name),
      timeoutMs: spec.timeoutMs,
    });
    return `${shownText(tool.name, 80)} (${definition.riskLevel}): ${shownText(tool.description ?? '', 300).replace(/\s+/g, ' ')}`;
  });
}

/** Makes the capability of a server from its approved tools; tools that the registry could not hold are named as faults. */
export function capabilityOf(
  spec: McpServerSpec,
  listed: readonly ListedTool[],
  options: CapabilityOptions,
): { readonly capability: Capability; readonly faults: readonly string[] } {
  const tools: Tool[] = [];
  const faults: string[] = [];
  const names = new Set<string>();
  for (const tool of listed) {
    const override = overrideFor(spec.tools, tool.name);
    if (override?.enabled === false) continue;
    const name = foreignToolName(tool.name);
    if (names.has(name)) {
      faults.push(`the tool \`${shownText(tool.name, 80)}\` is left out: its name is too much like another's`);
      continue;
    }
    names.add(name);
    tools.push(toolOf(spec, tool, override, options));
  }
  if (options.hasResources) {
    if (!names.has('list_resources')) tools.push(listResources(spec, options));
    if (!names.has('read_resource')) tools.push(readResourceTool(spec, options));
  }
  return {
    faults,
    capability: {
      id: spec.capabilityId,
      version: '1.0.0',
      name: spec.name,
      description: `Tools of the MCP server ${spec.name}`,
      status: 'available',
      source: { type: 'mcp', server: spec.name },
      icon: 'server',
      category: 'MCP servers',
      tools,
    },
  };
}

function folderOf(spec: McpServerSpec, parts: McpParts): string | undefined {
  const workspace = parts.files.folders().find((folder) => folder.scheme === 'file')?.path;
  if (spec.transport.type !== 'stdio') return workspace;
  return serverFolder((spec.transport.cwd ?? '').replaceAll('${workspaceFolder}', workspace ?? ''), workspace);
}

function toolOf(spec: McpServerSpec, tool: ListedTool, override: ToolOverride | undefined, options: CapabilityOptions): Tool {
  const { definition, inference } = foreignDefinition(tool, {
    from: `the MCP server ${spec.name}`,
    hintsConfirmed: options.hintsConfirmed,
    override,
    timeoutMs: spec.timeoutMs,
    icon: 'server',
  });
  const facts = {
    tool: tool.name,
    schema: tool.inputSchema,
    sideEffects: definition.sideEffects,
    readOnly: inference.readOnly,
    mapping: spec.accessMapping,
    roles: new Map(),
  };
  const handler: ToolHandler = {
    async accesses(input, context) {
      options.target.check();
      return foreignAccesses(facts, input, context.ports.files, folderOf(spec, options.parts));
    },
    run: (input, context) =>
      called(spec, options, context, async (connection) => {
        const raw = await connection.callTool(tool.name, input, {
          signal: () => context.signal,
          onStop: (listener) => context.onStop(listener),
          timeoutMs: spec.timeoutMs,
          inputSchema: tool.inputSchema,
          onProgress: (progress) => context.report(progress),
        });
        return readCallResult(raw, definition.name, definition.outputSchema !== undefined);
      }),
  };
  return defineTool(definition, async () => handler);
}

/** Runs one request and words what goes wrong for the model. */
async function called(
  spec: McpServerSpec,
  options: CapabilityOptions,
  context: ToolContext,
  run: (connection: McpConnection) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const connection = await options.target.connection();
  try {
    const outcome = await run(connection);
    options.target.succeeded();
    return outcome;
  } catch (error) {
    if (isToolError(error) || context.signal.aborted) throw error;
    const text = error instanceof Error ? error.message : String(error);
    throw mcpError(
      `the MCP server \`${spec.name}\` answered with an error: ${shownText(text, 2000)}`,
      { server: spec.name },
      /closed|not running/i.test(text),
    );
  }
}

const readOnlyTool = {
  kind: 'data',
  permissions: { user: 'allowed', agent: 'allowed' },
  riskLevel: 'low',
  sideEffects: [],
  costClass: 'free',
  idempotency: 'idempotent',
  reversible: true,
  contentField: 'text',
  untrustedOutput: true,
  icon: 'database',
  scopes: [],
} as const;

function listResources(spec: McpServerSpec, options: CapabilityOptions): Tool {
  return defineTool(
    {
      ...readOnlyTool,
      name: 'list_resources',
      title: `List resources of ${spec.name}`,
      modelDescription: `List the resources that the MCP server ${spec.name} offers for reading. Returns for each its uri, name, description and type; pass a uri to read_resource of the same server.`,
      userDescription: `Lists what ${spec.name} offers for reading`,
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      timeoutMs: spec.timeoutMs,
    },
    async () => ({
      accesses: () => {
        options.target.check();
        return [];
      },
      run: (_input, context) =>
        called(spec, options, context, async (connection) => {
          const listed = await connection.listResources(context.signal);
          const resources = listed.slice(0, 1000).flatMap((one): JsonObject[] => {
            if (!isObject(one) || typeof one['uri'] !== 'string') return [];
            const fields = ['uri', 'name', 'title', 'description', 'mimeType'].flatMap((key) =>
              typeof one[key] === 'string' ? [[key, shownText(one[key], 500)]] : [],
            );
            return [Object.fromEntries(fields)];
          });
          return { payload: { count: listed.length, resources } };
        }),
    }),
  );
}

function readResourceTool(spec: McpServerSpec, options: CapabilityOptions): Tool {
  return defineTool<{ uri: string }>(
    {
      ...readOnlyTool,
      name: 'read_resource',
      title: `Read a resource of ${spec.name}`,
      modelDescription: `Read one resource of the MCP server ${spec.name} by the uri that its list_resources answers. Returns its text; pictures come as pictures.`,
      userDescription: `Reads one resource of ${spec.name}`,
      inputSchema: {
        type: 'object',
        properties: { uri: { type: 'string', minLength: 1, maxLength: 4096, description: 'The uri of the resource.' } },
        required: ['uri'],
        additionalProperties: false,
      },
      timeoutMs: spec.timeoutMs,
    },
    async () => ({
      async accesses(input, context) {
        options.target.check();
        const isPlace = /^(?:https?|file):\/\//i.test(input.uri);
        if (!isPlace) return [];
        const facts = {
          tool: 'read_resource',
          schema: { type: 'object', properties: { uri: { type: 'string', format: 'uri' } } },
          sideEffects: ['fs.read'],
          readOnly: true,
          mapping: spec.accessMapping,
        };
        return foreignAccesses(facts, input, context.ports.files, folderOf(spec, options.parts));
      },
      run: (input, context) =>
        called(spec, options, context, async (connection) => {
          const raw = await connection.readResource(input.uri, context.signal, spec.timeoutMs);
          const contents = isObject(raw) && Array.isArray(raw['contents']) ? raw['contents'] : [];
          const texts: string[] = [];
          const links: JsonObject[] = [];
          const media: ToolMedia[] = [];
          const warnings: string[] = [];
          for (const one of contents.slice(0, 100)) readResource(one, (text) => texts.push(text), links, media, warnings);
          const payload: Json = { ...(links.length > 0 ? { links } : {}), text: texts.join('\n') };
          return { payload, ...(media.length > 0 ? { media } : {}), ...(warnings.length > 0 ? { warnings } : {}) };
        }),
    }),
  );
}
