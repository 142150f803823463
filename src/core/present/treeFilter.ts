import type { Capability } from '../capability/capability';
import { plainWords, type Translate } from '../base/translate';
import type { CapabilityRegistry, RegisteredTool } from '../registry/registry';
import { type Permission, type RiskLevel, riskLevels } from '../vocabulary/toolDefinition';
import { isFacet, parseToolFilter, type ToolFacts } from '../registry/toolFilter';
import { sourceKey, sourceName } from '../vocabulary/toolSource';
import type { ToolState } from './treeRow';
import { permissionWord, riskWord } from './words';

/** Decides what the Capabilities view shows; made once per text, asked once per capability. */
export interface TreeFilter {
  readonly text: string;
  /** The tools to show under a capability, or undefined where the capability itself is left out. */
  keep(capability: Capability, tools: readonly ToolState[]): readonly ToolState[] | undefined;
}

type Test = (state: ToolState) => boolean;

/** Facets that the tree reads in its own way; all others are those of every list of tools. */
const ownFacets = ['source', 'is'] as const;

/**
 * Reads a filter such as `write risk:<=medium -effect:fs.write source:mcp is:on`. A plain word is one that a row shows as its
 * state (`asks`, `high`, `off`), or stands in names and descriptions; `key:value` narrows by risk, side effect, source
 * or state. Everything that is given must hold. Empty text is no filter.
 */
export function parseFilter(
  registry: CapabilityRegistry,
  text: string,
  t: Translate = plainWords,
): TreeFilter | undefined {
  const words: string[] = [];
  const tests: Test[] = [];
  for (const part of text.trim().split(/\s+/).filter(Boolean)) {
    const [key, ...rest] = part.split(':');
    const value = rest.join(':').toLowerCase();
    const facet = ownFacets.find((one) => one === key?.toLowerCase());
    if (value !== '' && facet !== undefined) tests.push(facetTest(facet, value));
    else if (isFacet(part)) {
      const { keep, faults } = parseToolFilter(part);
      tests.push((state) => faults.length === 0 && keep(factsOf(state)));
    } else words.push(part.toLowerCase());
  }
  if (words.length === 0 && tests.length === 0) return undefined;
  const states = stateWords(t);
  const found = words.map((word) => ({
    word,
    finds: registry.finds(word),
    state: states.get(word),
  }));
  return {
    text,
    keep(capability, tools) {
      const about = `${capability.name} ${capability.id} ${capability.category ?? ''}`.toLowerCase();
      const holds: Test = (state) =>
        tests.every((test) => test(state)) &&
        found.every(({ word, finds, state: shows }) =>
          shows ? shows(state) || isNamed(state.tool, word) : about.includes(word) || finds(state.tool),
        );
      const kept = tools.filter(holds);
      if (kept.length > 0) return kept;
      return tests.length === 0 && words.every((word) => about.includes(word)) ? tools : undefined;
    },
  };
}

/** The words that a row shows of a tool, in English and in the person's language, with what they mean. */
function stateWords(t: Translate): ReadonlyMap<string, Test> {
  const words = new Map<string, Test>();
  const add = (test: Test, ...names: readonly string[]): void => {
    for (const name of names) words.set(name.toLowerCase(), test);
  };
  for (const risk of riskLevels) add(ofRisk(risk), risk, riskWord(risk, t));
  for (const permission of permissions)
    add(whichMeets(permission), permissionWord(permission, plainWords), permissionWord(permission, t));
  add(({ enabled }) => enabled, 'on', t('enabled'), 'enabled');
  add(({ enabled }) => !enabled, 'off', t('disabled'), 'disabled');
  return words;
}

const permissions: readonly Permission[] = ['allowed', 'confirmation_required', 'forbidden'];

const ofRisk =
  (risk: RiskLevel): Test =>
  ({ tool }) =>
    tool.definition.riskLevel === risk;

/** What is off meets nobody. */
const whichMeets =
  (permission: Permission): Test =>
  ({ tool, enabled }) =>
    enabled && tool.definition.permissions.agent === permission;

const isNamed = ({ definition }: RegisteredTool, word: string): boolean =>
  definition.name.toLowerCase().split('_').includes(word);

/** Property by property: of 10,000 tools, copies of whole definitions took three quarters of the filter's time. */
const factsOf = ({ tool: { definition, capability, source }, enabled }: ToolState): ToolFacts => ({
  name: definition.name,
  description: definition.modelDescription,
  kind: definition.kind,
  riskLevel: definition.riskLevel,
  sideEffects: definition.sideEffects,
  scopes: definition.scopes,
  category: capability.category,
  source: sourceKey(source),
  permission: definition.permissions.agent,
  enabled,
});

function facetTest(facet: (typeof ownFacets)[number], value: string): Test {
  switch (facet) {
    case 'source':
      return ({ tool: { source } }) => [source.type, (sourceName(source) ?? '').toLowerCase()].includes(value);
    case 'is':
      return stateWords(plainWords).get(value) ?? (() => false);
  }
}
