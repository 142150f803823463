import { starPattern } from '../../../core/base/starPattern';

interface Rule {
  readonly pattern: string;
  readonly allow: boolean;
}

export interface RobotsRules {
  readonly rules: readonly Rule[];
  readonly crawlDelayMs: number;
}

export const allowAll: RobotsRules = { rules: [], crawlDelayMs: 0 };
export const denyAll: RobotsRules = { rules: [{ pattern: '/', allow: false }], crawlDelayMs: 0 };

/** Reads the rules that a robots.txt has for a product: its own groups, else those for `*` (RFC 9309). */
export function parseRobots(text: string, product: string): RobotsRules {
  const groups = new Map<string, { rules: Rule[]; crawlDelayMs: number }>();
  let current: string[] = [];
  let naming = false;
  for (const raw of text
    .replace(/^\ufeff/, '')
    .slice(0, 512_000)
    .split(/\r\n?|\n/)) {
    const match = /^\s*([a-z-]+)\s*:\s*(.*?)\s*$/i.exec(raw.replace(/#.*$/, ''));
    const field = match?.[1]?.toLowerCase();
    const value = match?.[2] ?? '';
    if (field === 'user-agent') {
      if (!naming) current = [];
      naming = true;
      const name = value.toLowerCase().split(/[\s/]/)[0] ?? '';
      current.push(name);
      if (!groups.has(name)) groups.set(name, { rules: [], crawlDelayMs: 0 });
      continue;
    }
    if (field === undefined) continue;
    naming = false;
    for (const name of current) {
      const group = groups.get(name);
      if ((field === 'allow' || field === 'disallow') && value !== '')
        group?.rules.push({ pattern: value, allow: field === 'allow' });
      if (field === 'crawl-delay' && group) group.crawlDelayMs = Math.max(0, Number(value) * 1_000 || 0);
    }
  }
  return groups.get(product.toLowerCase()) ?? groups.get('*') ?? allowAll;
}

/**
 * Whether a path with its query may be fetched: the longest matching rule decides, an allowing one where two are
 * equally long.
 */
export function isAllowedByRobots(robots: RobotsRules, path: string): boolean {
  let best: Rule | undefined;
  for (const rule of robots.rules) {
    if (
      best &&
      (rule.pattern.length < best.pattern.length || (rule.pattern.length === best.pattern.length && !rule.allow))
    )
      continue;
    if (matches(rule.pattern, path)) best = rule;
  }
  return best?.allow ?? true;
}

/** `*` stands for any characters, a final `$` for the end. */
function matches(pattern: string, path: string): boolean {
  const whole = pattern.endsWith('$') ? normalize(pattern.slice(0, -1)) : `${normalize(pattern)}*`;
  return starPattern(whole)(normalize(path));
}

/** One spelling for what may be percent-encoded or not. */
function normalize(text: string): string {
  try {
    return encodeURI(decodeURI(text));
  } catch {
    return text;
  }
}
