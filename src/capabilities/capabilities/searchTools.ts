import { isObject, type Json, type JsonObject } from '../../core/base/json';
import { cutEnd } from '../../core/base/text';
import { noAccesses, type ToolHandler } from '../../core/capability/tool';
import type { SearchToolsInput } from './inputs';

const longestDescription = 300;

/** Finds offered tools by words; each answer names a tool that can be called as it is. */
export const searchTools: ToolHandler<SearchToolsInput> = {
  accesses: noAccesses,
  async run({ query, limit, kind, source }, { ports }) {
    const filter = { ...(kind === undefined ? {} : { kind }), ...(source === undefined ? {} : { source }) };
    const tools = ports.discovery.search(query, limit, filter).map((tool) => ({
      name: tool.name,
      description: cutEnd(tool.description, longestDescription),
      parameters: Object.keys(tool.input.properties ?? {}),
      kind: tool.kind,
      agent: tool.permission,
      risk: tool.riskLevel,
      source: tool.source,
    }));
    return { payload: { count: tools.length, tools } };
  },
  text: foundText,
};

/** What was found, one a line: its definition joins the list of tools, so that one sentence is enough here. */
function foundText({ tools }: JsonObject): string | undefined {
  if (!Array.isArray(tools)) return undefined;
  const lines = tools.map((tool: Json) => {
    if (!isObject(tool)) return undefined;
    const [sentence] = String(tool['description'])
      .replace(/\s+/g, ' ')
      .split(/(?<=\.) /, 1);
    const agent = tool['agent'] === 'allowed' ? '' : ` (${String(tool['agent'])})`;
    const source = tool['source'] === 'builtin' ? '' : ` [${String(tool['source'])}]`;
    return `${String(tool['name'])}${source}: ${sentence}${agent}`;
  });
  if (lines.includes(undefined)) return undefined;
  return lines.length === 0 ? 'nothing fits' : lines.join('\n');
}
