import type { Capability } from '../capability/capability';
import type { Sentence } from '../base/sentence';
import type { Translate } from '../base/translate';
import type { CapabilityRegistry, RegisteredTool } from '../registry/registry';
import { englishStates, parseToolFilter, type ToolFacts, type ToolTest } from '../registry/toolFilter';
import { sourceKey } from '../vocabulary/toolSource';
import { type Permission, riskLevels } from '../vocabulary/toolDefinition';
import type { ToolState } from './treeRow';
import { permissionWord, riskWord } from './words';

/** Decides what a list of tools for people shows; made once per text, asked once per capability. */
export interface TreeFilter {
  readonly text: string;
  /** What of the text cannot mean anything; a tool fits such a part never. */
  readonly faults: readonly Sentence[];
  /** The tools to show under a capability, or undefined where the capability itself is left out. */
  keep(capability: Capability, tools: readonly ToolState[]): readonly ToolState[] | undefined;
}

/**
 * Reads a filter by the grammar of every surface; in plain words the language of the person counts too, and the search
 * of the registry. Words that only a capability says of itself show it whole. Empty text is no filter.
 */
export function parseFilter(registry: CapabilityRegistry, text: string, t: Translate): TreeFilter | undefined {
  if (text.trim() === '') return undefined;
  // Facts are made per question; the tool behind them is what the registry searches.
  const tools = new WeakMap<ToolFacts, RegisteredTool>();
  const { keep, words, isOnlyWords, faults } = parseToolFilter(text, {
    states: stateWords(t),
    mentions: (word) => {
      const finds = registry.finds(word);
      return (facts) => {
        const tool = tools.get(facts);
        return facts.about?.includes(word) === true || (tool !== undefined && finds(tool));
      };
    },
  });
  return {
    text,
    faults,
    keep(capability, states) {
      const about = aboutOf(capability);
      const kept = states.filter((state) => {
        const facts = factsOf(state, about);
        tools.set(facts, state.tool);
        return keep(facts);
      });
      if (kept.length > 0) return kept;
      return isOnlyWords && words.every((word) => about.includes(word)) ? states : undefined;
    },
  };
}

/** The tools that fit a filter, in their order; all where it is empty. */
export function fittingTools<T extends ToolState>(
  registry: CapabilityRegistry,
  text: string,
  states: readonly T[],
  t: Translate,
): { readonly fitting: readonly T[]; readonly faults: readonly Sentence[] } {
  const filter = parseFilter(registry, text, t);
  if (!filter) return { fitting: states, faults: [] };
  const byCapability = new Map<Capability, T[]>();
  for (const state of states) {
    const own = byCapability.get(state.tool.capability);
    if (own) own.push(state);
    else byCapability.set(state.tool.capability, [state]);
  }
  const kept = new Set<ToolState>();
  for (const [capability, own] of byCapability) for (const state of filter.keep(capability, own) ?? []) kept.add(state);
  return { fitting: states.filter((state) => kept.has(state)), faults: filter.faults };
}

const aboutOf = ({ name, local, id, category }: Capability): string =>
  [name, local?.name, id, category, local?.category].join(' ').toLowerCase();

/** The words that a row shows of a tool, in English and in the person's language, with what they mean. */
export function stateWords(t: Translate): ReadonlyMap<string, ToolTest> {
  const words = new Map(englishStates);
  const also = (name: string, english: string): void => {
    const test = englishStates.get(english);
    if (test) words.set(name.toLowerCase(), test);
  };
  for (const risk of riskLevels) also(riskWord(risk, t), risk);
  const met: readonly Permission[] = ['allowed', 'confirmation_required', 'forbidden'];
  for (const permission of met) also(permissionWord(permission, t), permission);
  also(t('enabled'), 'on');
  also(t('disabled'), 'off');
  // The word of the example in the box into which filters are typed.
  also(t('off'), 'off');
  return words;
}

/** Property by property: of 10,000 tools, copies of whole definitions took three quarters of the filter's time. */
export const factsOf = (
  { tool: { id, definition, capability, source }, enabled }: ToolState,
  about = aboutOf(capability),
): ToolFacts => ({
  id,
  name: definition.name,
  description: definition.modelDescription,
  kind: definition.kind,
  riskLevel: definition.riskLevel,
  sideEffects: definition.sideEffects,
  scopes: definition.scopes,
  about,
  category: capability.category,
  source: sourceKey(source),
  permission: definition.permissions.agent,
  enabled,
});
