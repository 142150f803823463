import { say, type Sentence } from '../../core/base/sentence';
import type { Capability } from '../../core/capability/capability';
import type { ListedTool } from '../../core/foreign/foreignList';
import { visibleLine } from '../../core/base/visible';
import { foreignDefinition } from '../../core/foreign/foreignTool';
import { foreignToolName } from '../../core/foreign/toolName';
import { overrideFor, type ToolOverride } from '../../core/foreign/overrides';
import type { McpServerSpec } from '../../core/foreign/serverSpec';
import type { JudgedTool } from '../../core/present/listingWords';
import { type CapabilityOptions, called, folderOf } from './callTool';
import { contentTools } from './serverContents';
import { defineTool, type Tool, type ToolHandler } from '../../core/capability/tool';

/** The tools as a person approves them, with the risk that is inferred of each while nothing of them is believed. */
export function judgedTools(spec: McpServerSpec, tools: readonly ListedTool[]): readonly JudgedTool[] {
  return tools.map((tool) => {
    const { definition } = foreignDefinition(tool, {
      from: spec.name,
      hintsConfirmed: false,
      override: overrideFor(spec.tools, tool.name),
      timeoutMs: spec.timeoutMs,
    });
    return { tool, risk: definition.riskLevel };
  });
}

/**
 * Makes the capability of a server from its approved tools; tools that the registry could not hold are named as faults.
 */
export function capabilityOf(
  spec: McpServerSpec,
  listed: readonly ListedTool[],
  options: CapabilityOptions,
): { readonly capability: Capability; readonly faults: readonly Sentence[] } {
  const tools: Tool[] = [];
  const faults: Sentence[] = [];
  const names = new Set<string>();
  for (const tool of listed) {
    const override = overrideFor(spec.tools, tool.name);
    if (override?.enabled === false) continue;
    const name = foreignToolName(tool.name);
    if (names.has(name)) {
      faults.push(say('tool_left_out', visibleLine(tool.name), say('tool_name_alike')));
      continue;
    }
    names.add(name);
    tools.push(toolOf(spec, tool, override, options));
  }
  // A tool of the server's own comes first; ours are of no use then.
  for (const tool of contentTools(spec, options)) if (!names.has(tool.definition.name)) tools.push(tool);
  return {
    faults,
    capability: {
      id: spec.capabilityId,
      version: '1.0.0',
      name: spec.name,
      description: `Tools of the MCP server ${spec.name}`,
      summary: say('tools_of_server', spec.name),
      status: 'available',
      source: { type: 'mcp', server: spec.name },
      provenance: options.provenance,
      icon: 'server',
      category: 'MCP servers',
      tools,
    },
  };
}

function toolOf(
  spec: McpServerSpec,
  tool: ListedTool,
  override: ToolOverride | undefined,
  options: CapabilityOptions,
): Tool {
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
  return defineTool(definition, async () => {
    const { readCallResult } = await import('../../core/foreign/result');
    const handler: ToolHandler = {
      async accesses(input) {
        options.target.check();
        const { foreignAccesses } = await import('../../core/foreign/argumentReader');
        return foreignAccesses(facts, input, options.ports.files, folderOf(spec, options.ports));
      },
      run: (input, context) =>
        called(spec, options, context, async (connection) => {
          const raw = await connection.callTool(tool.name, input, tool.inputSchema, context);
          return readCallResult(raw, definition.name, definition.outputSchema !== undefined);
        }),
    };
    return handler;
  });
}
