import { starPattern } from '../../../core/base/starPattern';

interface Rule {
  readonly length: number;
  readonly allow: boolean;
  /** @param path in the spelling of `normalize`. */
  matches(path: string): boolean;
}

export interface RobotsRules {
  /** In the order in which they decide: the longest first, an allowing one first where two are equally long. */
  readonly rules: readonly Rule[];
  readonly crawlDelayMs: number;
}

export const allowAll: RobotsRules = { rules: [], crawlDelayMs: 0 };
export const denyAll: RobotsRules = { rules: [ruleOf('/', false)], crawlDelayMs: 0 };

/** Of one group; what stands behind them is not read. */
const mostRules = 10_000;

/** Reads the rules that a robots.txt has for a product: its own groups, else those for `*` (RFC 9309). */
export function parseRobots(text: string, product: string): RobotsRules {
  const own = product.toLowerCase();
  const groups = new Map<string, { rules: Rule[]; crawlDelayMs: number }>();
  const current = new Set<string>();
  let naming = false;
  const lines = text.replace(/^\ufeff/, '').slice(0, 512_000);
  for (const line of lines.split(/\r\n?|\n/)) {
    const [, name, rest = ''] = /^\s*([a-z-]+)\s*:([^#]*)/i.exec(line) ?? [];
    const [field, value] = [name?.toLowerCase(), rest.trim()];
    if (field === 'user-agent') {
      if (!naming) current.clear();
      naming = true;
      const agent = value.toLowerCase().split(/[\s/]/, 1)[0] ?? '';
      if (agent !== own && agent !== '*') continue;
      current.add(agent);
      if (!groups.has(agent)) groups.set(agent, { rules: [], crawlDelayMs: 0 });
      continue;
    }
    if (field === undefined) continue;
    naming = false;
    for (const agent of current) {
      const group = groups.get(agent);
      if (!group) continue;
      if ((field === 'allow' || field === 'disallow') && value !== '' && group.rules.length < mostRules)
        group.rules.push(ruleOf(value, field === 'allow'));
      if (field === 'crawl-delay') group.crawlDelayMs = Math.max(0, Number(value) * 1_000 || 0);
    }
  }
  const found = groups.get(own) ?? groups.get('*');
  found?.rules.sort((a, b) => b.length - a.length || Number(b.allow) - Number(a.allow));
  return found ?? allowAll;
}

/** Whether a path with its query may be fetched: the first rule that matches decides. */
export function isAllowedByRobots({ rules }: RobotsRules, path: string): boolean {
  const normal = normalize(path);
  return rules.find((rule) => rule.matches(normal))?.allow ?? true;
}

/** `*` stands for any characters, a final `$` for the end. */
function ruleOf(pattern: string, allow: boolean): Rule {
  const whole = pattern.endsWith('$') ? normalize(pattern.slice(0, -1)) : `${normalize(pattern)}*`;
  return { length: pattern.length, allow, matches: starPattern(whole) };
}

/** One spelling for what may be percent-encoded or not. */
function normalize(text: string): string {
  try {
    return encodeURI(decodeURI(text));
  } catch {
    return text;
  }
}
