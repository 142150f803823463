import type { ToolKind } from '../../core/vocabulary/toolDefinition';
import { noAccesses, type ToolHandler } from '../../core/capability/tool';

export interface SearchToolsInput {
  readonly query: string;
  readonly limit: number;
  readonly kind?: ToolKind;
  readonly source?: string;
}

const longestDescription = 300;

/** Finds offered tools by words; each answer names a tool that can be called as it is. */
export const searchTools: ToolHandler<SearchToolsInput> = {
  accesses: noAccesses,
  async run({ query, limit, kind, source }, { ports }) {
    const filter = { ...(kind === undefined ? {} : { kind }), ...(source === undefined ? {} : { source }) };
    const tools = ports.discovery.search(query, limit, filter).map((tool) => ({
      name: tool.name,
      description:
        tool.description.length > longestDescription
          ? `${tool.description.slice(0, longestDescription)}…`
          : tool.description,
      parameters: Object.keys(tool.input.properties ?? {}),
      kind: tool.kind,
      agent: tool.permission,
      risk: tool.riskLevel,
      source: tool.source,
    }));
    return { payload: { count: tools.length, tools } };
  },
};
