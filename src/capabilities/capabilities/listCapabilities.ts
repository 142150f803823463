import type { Json, JsonObject } from '../../core/base/json';
import { worded } from '../../core/base/sentence';
import { matchesSource } from '../../core/profiles/discovery';
import { parseToolFilter } from '../../core/registry/toolFilter';
import { toolError, unfitInput } from '../../core/vocabulary/errors';
import type { CatalogueCapability, CatalogueTool } from '../../core/ports/discovery';
import { noAccesses, type ToolHandler } from '../../core/capability/tool';
import type { ListCapabilitiesInput } from './inputs';

const pageSize = 200;
const pageWithShapes = 25;

/** What there is by kind, what may be called, and the shape of the data. */
export const listCapabilities: ToolHandler<ListCapabilitiesInput> = {
  accesses: noAccesses,
  async run(input, { ports }) {
    const all = ports.discovery.catalogue();
    if (input.capability !== undefined && !all.some((one) => one.id === input.capability))
      throw toolError(
        'not_found',
        `no capability is called \`${input.capability}\`; call again without \`capability\` to see all`,
      );
    const wanted = all.filter(
      (one) =>
        (input.include_disabled || one.enabled) &&
        (input.capability === undefined || one.id === input.capability) &&
        (input.category === undefined || one.category?.toLowerCase() === input.category.toLowerCase()) &&
        (input.source === undefined || matchesSource(one.source, input.source)),
    );
    const filter = parseToolFilter(input.filter ?? '');
    if (filter.faults.length > 0) throw unfitInput(filter.faults.map((fault) => worded(fault)).join('; '));
    const most = input.shapes ? pageWithShapes : pageSize;
    let skip = input.offset;
    let room = most;
    let total = 0;
    const capabilities: Json[] = [];
    for (const one of wanted) {
      const { category, source, enabled } = one;
      const about = `${one.id} ${one.name} ${category ?? ''}`;
      const tools = one.tools.filter(
        (tool) =>
          (input.kind === undefined || tool.kind === input.kind) &&
          filter.keep({ ...tool, about, category, source, enabled }),
      );
      total += tools.length;
      if (tools.length === 0 && (input.kind !== undefined || input.filter !== undefined || input.offset > 0)) continue;
      const page = tools.slice(skip, skip + room);
      skip = Math.max(0, skip - tools.length);
      if (page.length === 0 && tools.length > 0) continue;
      room -= page.length;
      capabilities.push(describe(one, page, input.shapes));
    }
    const shown = Math.min(total, input.offset + most);
    return { payload: { total_tools: total, capabilities, ...(shown < total ? { next_offset: shown } : {}) } };
  },
};

function describe(one: CatalogueCapability, tools: readonly CatalogueTool[], shapes: boolean): JsonObject {
  return {
    id: one.id,
    name: one.name,
    description: one.description,
    ...(one.category === undefined ? {} : { category: one.category }),
    source: one.source,
    ...(one.status === 'available' ? {} : { status: one.status }),
    ...(one.enabled ? {} : { enabled: false }),
    tools: tools.map((tool) => ({
      name: tool.name,
      kind: tool.kind,
      agent: tool.permission,
      risk: tool.riskLevel,
      ...(shapes
        ? {
            description: tool.description,
            // Schemas are plain JSON by their definition.
            input: tool.input as JsonObject,
            ...(tool.output ? { output: tool.output as JsonObject } : {}),
          }
        : {}),
    })),
  };
}
