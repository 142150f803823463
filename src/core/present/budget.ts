import { listedTools, offeredTools } from '../profiles/offeredTools';
import type { ResolvedProfile } from '../profiles/profile';
import { buildRuntimeAgent, toolTokens } from '../profiles/runtimeAgent';
import { plainWords, type Translate } from '../base/translate';
import { shortCount } from './words';
import { grouped } from '../base/figures';

/** The most tools that one request may carry; the editor refuses more. */
const toolLimit = 128;
/** From so many tools in all a person is warned, while there is still room. */
const warnFrom = 116;

interface CapabilityCost {
  readonly tools: number;
  readonly tokens: number;
}

/** What a profile costs in every request. */
export interface Budget {
  /** Tools that this profile sends; exact. */
  readonly own: number;
  /** Tools that are sent once a search found them, where the profile offers search instead of all. */
  readonly bySearch: number;
  /** Tools of the editor and other extensions; some may be hidden, so this is an upper bound. */
  readonly others: number;
  readonly tokens: number;
  readonly byCapability: ReadonlyMap<string, CapabilityCost>;
  readonly state: 'ok' | 'near' | 'over';
}

/**
 * @param others the number of tools that the editor knows from elsewhere.
 * @param basePrompt the profile's own prompt, where it may stand in a file.
 * @param found the names of the tools that searches found.
 */
export function budgetOf(
  profile: ResolvedProfile,
  others: number,
  basePrompt = profile.profile.systemPrompt,
  found: ReadonlySet<string> = new Set(),
): Budget {
  const agent = buildRuntimeAgent(profile, { text: basePrompt, problems: [] });
  const offered = offeredTools(profile, agent);
  const tools = listedTools(profile, found, offered);
  const byCapability = new Map<string, { tools: number; tokens: number }>();
  let tokens = 0;
  const add = (id: string, count: number, cost: number): void => {
    const entry = byCapability.get(id) ?? { tools: 0, tokens: 0 };
    entry.tools += count;
    entry.tokens += cost;
    byCapability.set(id, entry);
    tokens += cost;
  };
  for (const tool of tools) add(tool.capability.id, 1, toolTokens(tool));
  for (const part of agent.parts) {
    if (part.origin.type === 'capability') add(part.origin.id, 0, part.tokens);
    else tokens += part.tokens;
  }
  const all = tools.length + others;
  return {
    own: tools.length,
    bySearch: offered.length - tools.length,
    others,
    tokens,
    byCapability,
    state: tools.length > toolLimit || all > toolLimit ? 'over' : all >= warnFrom ? 'near' : 'ok',
  };
}

/** The view's description: `Writer · execute · 9 tools here + up to 41 others, of 128 · ~1.8k tokens`. */
export function budgetLine(profile: ResolvedProfile, budget: Budget, t: Translate = plainWords): string {
  return `${profile.profile.name} · ${profile.mode} · ${budgetWords(budget, t)}`;
}

/** The part of it that is about the budget, for places that name the profile elsewhere. */
export function budgetWords(budget: Budget, t: Translate = plainWords): string {
  const own = budget.own === 1 ? t('1 tool here') : t('{0} tools here', grouped(budget.own));
  const bySearch = budget.bySearch > 0 ? `, ${t('{0} more by search', grouped(budget.bySearch))}` : '';
  const others = budget.others > 0 ? ` + ${t('up to {0} others', grouped(budget.others))}` : '';
  return `${own}${bySearch}${others}, ${t('of {0}', toolLimit)} · ${t('~{0} tokens', shortCount(budget.tokens))}`;
}
