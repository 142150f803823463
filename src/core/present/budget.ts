import { listedTools, offeredTools } from '../profiles/offeredTools';
import type { ResolvedProfile } from '../profiles/profile';
import { buildRuntimeAgent, toolTokens } from '../profiles/runtimeAgent';
import type { Translate } from '../base/translate';
import { shortCount, toolCount, wholeNumber } from './words';
import { profileWords } from '../profiles/shippedProfiles';

/** The most tools that one request may carry; the editor refuses more. */
const toolLimit = 128;
/** From so many tools in all a person is warned, while there is still room. */
const warnFrom = 116;

/** What a profile costs in every request. */
export interface Budget {
  /** Tools that this profile sends; exact. */
  readonly own: number;
  /** Tools that are sent once a search found them, where the profile offers search instead of all. */
  readonly bySearch: number;
  /** Tools of the editor and other extensions; some may be hidden, so this is an upper bound. */
  readonly others: number;
  readonly tokens: number;
  /** The share of each capability, by its id. */
  readonly tokensOf: ReadonlyMap<string, number>;
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
  const tokensOf = new Map<string, number>();
  let tokens = 0;
  const add = (id: string, cost: number): void => {
    tokensOf.set(id, (tokensOf.get(id) ?? 0) + cost);
    tokens += cost;
  };
  for (const tool of tools) add(tool.capability.id, toolTokens(tool));
  for (const part of agent.parts) {
    if (part.origin.type === 'capability') add(part.origin.id, part.tokens);
    else tokens += part.tokens;
  }
  const all = tools.length + others;
  return {
    own: tools.length,
    bySearch: offered.length - tools.length,
    others,
    tokens,
    tokensOf,
    state: tools.length > toolLimit || all > toolLimit ? 'over' : all >= warnFrom ? 'near' : 'ok',
  };
}

/** The view's description: `Writer · execute · 9 tools · ~1.8k tokens`. */
export function budgetLine(profile: ResolvedProfile, budget: Budget, t: Translate): string {
  const tokens = t('~{0} tokens', shortCount(budget.tokens, t));
  return `${profileWords(profile.profile, t).name} · ${profile.mode} · ${toolCount(budget.own, t)} · ${tokens}`;
}

/**
 * What a request carries of this profile and of others, for somebody who sees it for the first time; short, because it
 * stands above every row of the view. What it costs stands in the view's description.
 */
export function budgetWords(budget: Budget, t: Translate): string {
  return [
    budget.own === 1
      ? t('Each request carries 1 tool.')
      : t('Each request carries {0} tools.', wholeNumber(budget.own, t)),
    ...(budget.bySearch > 0
      ? [
          budget.bySearch === 1
            ? t('1 more is added when a search finds it.')
            : t('{0} more are added when a search finds them.', wholeNumber(budget.bySearch, t)),
        ]
      : []),
    budget.others > 0
      ? t('The editor and others may add up to {0}; {1} is the most.', wholeNumber(budget.others, t), toolLimit)
      : t('{0} is the most.', toolLimit),
  ].join(' ');
}
