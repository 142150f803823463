import type { Capability } from '../capability/capability';
import type { CapabilityRegistry } from '../registry/registry';
import type { ToolState } from './treeRow';
import { readRiskLevel } from '../vocabulary/toolDefinition';
import { sourceName } from '../vocabulary/toolSource';

/** Decides what the Capabilities view shows; made once per text, asked once per capability. */
export interface TreeFilter {
  readonly text: string;
  /** The tools to show under a capability, or undefined where the capability itself is left out. */
  keep(capability: Capability, tools: readonly ToolState[]): readonly ToolState[] | undefined;
}

const facets = ['risk', 'effect', 'source', 'is'] as const;

/**
 * Reads a filter such as `write risk:high effect:fs.write source:mcp is:on`: plain words are searched in names and
 * descriptions, `key:value` narrows by risk, side effect, source or state. Everything that is given must hold. Empty
 * text is no filter.
 */
export function parseFilter(registry: CapabilityRegistry, text: string): TreeFilter | undefined {
  const words: string[] = [];
  const tests: ((state: ToolState) => boolean)[] = [];
  for (const part of text.trim().split(/\s+/).filter(Boolean)) {
    const [key, ...rest] = part.split(':');
    const value = rest.join(':').toLowerCase();
    const facet = facets.find((one) => one === key?.toLowerCase());
    if (facet === undefined || value === '') words.push(part);
    else tests.push(facetTest(facet, value));
  }
  if (words.length === 0 && tests.length === 0) return undefined;
  const found = words.length === 0 ? undefined : new Set(registry.search(words.join(' ')).map((tool) => tool.id));
  const needles = words.map((word) => word.toLowerCase());
  const holds = (state: ToolState): boolean => tests.every((test) => test(state));
  return {
    text,
    keep(capability, tools) {
      const named = needles.every((needle) =>
        `${capability.name} ${capability.id} ${capability.category ?? ''}`.toLowerCase().includes(needle),
      );
      const kept = tools.filter((state) => (found === undefined || named || found.has(state.tool.id)) && holds(state));
      if (kept.length > 0) return kept;
      return named && tests.length === 0 ? tools : undefined;
    },
  };
}

function facetTest(facet: (typeof facets)[number], value: string): (state: ToolState) => boolean {
  switch (facet) {
    case 'risk':
      return ({ tool }) => tool.definition.riskLevel === readRiskLevel(value);
    case 'effect':
      return ({ tool }) =>
        tool.definition.sideEffects.some((effect) => effect === value || effect.startsWith(`${value}.`));
    case 'source':
      return ({ tool: { source } }) => [source.type, (sourceName(source) ?? '').toLowerCase()].includes(value);
    case 'is':
      return ({ tool, enabled }) =>
        value === 'on'
          ? enabled
          : value === 'off'
            ? !enabled
            : value === 'asks'
              ? tool.definition.permissions.agent === 'confirmation_required'
              : false;
  }
}
