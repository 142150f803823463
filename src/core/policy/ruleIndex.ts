import type { BoundaryMatch } from './boundary';
import { type CompiledRule, literalSegments } from './compile';
import { expandBraces, hasMagic, hostGlob } from './glob';
import type { PolicySubject } from './subject';

/**
 * Finds the rules that could match a subject. Each rule stands under the keys of one of its clauses, the one that says most:
 * a tool's name, a literal segment of its paths, a host, a capability, an effect. A rule without such a clause is always a candidate.
 * So the cost of a call grows with the rules that could match it, not with all of them.
 */
export class RuleIndex {
  readonly #always: CompiledRule[] = [];
  readonly #byKey = new Map<string, CompiledRule[]>();
  readonly #pathRules: CompiledRule[] = [];
  readonly #joined = new WeakMap<readonly CompiledRule[], readonly CompiledRule[]>();
  readonly size: number;

  constructor(rules: readonly CompiledRule[]) {
    this.size = rules.length;
    const counts = new Map<string, number>();
    for (const rule of rules)
      for (const segments of pathAlternatives(rule.match))
        for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
    for (const rule of rules) {
      const keys = keysOf(rule.match, counts);
      if (!keys) this.#always.push(rule);
      else
        for (const key of new Set(keys)) {
          const bucket = this.#byKey.get(key);
          if (bucket) bucket.push(rule);
          else this.#byKey.set(key, [rule]);
        }
      if (keys?.some((key) => key.startsWith('segment:'))) this.#pathRules.push(rule);
    }
  }

  /** The rules that could match, each once, in no particular order. */
  candidates(subject: PolicySubject): Iterable<CompiledRule> {
    if (this.#byKey.size === 0) return this.#always;
    const found: Found = { byKey: this.#byKey, bucket: undefined, more: undefined };
    if (subject.tool) {
      add(found, `tool:${subject.tool.id}`);
      for (const name of subject.tool.names) add(found, `tool:${name}`);
    }
    add(found, `capability:${subject.capabilityId}`);
    for (const alias of subject.capabilityAliases) add(found, `capability:${alias}`);
    for (const effect of subject.sideEffects) addEffect(found, effect);
    for (const { access, path, host } of subject.accesses) {
      addEffect(found, access.effect);
      if (host !== undefined) {
        add(found, `host:${host}`);
        for (let at = host.indexOf('.'); at >= 0; at = host.indexOf('.', at + 1)) add(found, `host:*${host.slice(at)}`);
      }
      if (!path) continue;
      // A short name may stand for any segment.
      if (path.hasShortName) addAll(found, this.#pathRules);
      if (this.#pathRules.length > 0) for (const key of path.keys) for (const segment of key.split('/')) add(found, `segment:${segment}`);
    }
    if (found.more) return new Set([...this.#always, ...found.more]);
    return found.bucket ? this.#withAlways(found.bucket) : this.#always;
  }

  /** Most calls find one bucket, and mostly the same. */
  #withAlways(bucket: readonly CompiledRule[]): readonly CompiledRule[] {
    if (this.#always.length === 0) return bucket;
    let all = this.#joined.get(bucket);
    if (!all) this.#joined.set(bucket, (all = [...this.#always, ...bucket]));
    return all;
  }
}

/** The buckets that were found for a subject: the first, and the rules of all where there is more than one. */
interface Found {
  readonly byKey: ReadonlyMap<string, readonly CompiledRule[]>;
  bucket: readonly CompiledRule[] | undefined;
  more: Set<CompiledRule> | undefined;
}

function add(found: Found, key: string): void {
  const bucket = found.byKey.get(key);
  if (bucket) addAll(found, bucket);
}

function addAll(found: Found, bucket: readonly CompiledRule[]): void {
  if (bucket.length === 0 || bucket === found.bucket) return;
  if (!found.bucket) found.bucket = bucket;
  else {
    found.more ??= new Set(found.bucket);
    for (const rule of bucket) found.more.add(rule);
  }
}

function addEffect(found: Found, effect: string): void {
  add(found, `effect:${effect}`);
  const dot = effect.indexOf('.');
  if (dot > 0) add(found, `effect:${effect.slice(0, dot)}`);
}

function pathAlternatives({ path }: BoundaryMatch): readonly (readonly string[])[] {
  if (path === undefined) return [];
  try {
    return (typeof path === 'string' ? [path] : path).flatMap(literalSegments);
  } catch {
    return [];
  }
}

/** The keys under which a rule stands; undefined where nothing in it can be looked up. */
function keysOf(match: BoundaryMatch, counts: ReadonlyMap<string, number>): readonly string[] | undefined {
  const { tool, capability, host, sideEffectsAny, accessAny } = match;
  try {
    if (tool !== undefined) {
      const names = expandBraces(tool);
      if (names.every((name) => !hasMagic(name))) return names.map((name) => `tool:${name}`);
    }
    const paths = pathAlternatives(match);
    if (paths.length > 0 && paths.every((segments) => segments.length > 0))
      return paths.map((segments) => `segment:${rarest(segments, counts)}`);
    if (host !== undefined) {
      const keys = (typeof host === 'string' ? [host] : host).map(hostKey);
      if (keys.every((key) => key !== undefined)) return keys;
    }
    if (capability !== undefined) {
      const names = expandBraces(capability);
      if (names.every((name) => !hasMagic(name))) return names.map((name) => `capability:${name}`);
    }
    const effects = accessAny ?? sideEffectsAny;
    if (effects !== undefined && !effects.some((effect) => effect === '*' || effect.slice(0, -2).includes('.*')))
      return effects.map((effect) => `effect:${effect.endsWith('.*') ? effect.slice(0, -2).split('.')[0] : effect}`);
  } catch {
    // A clause that cannot be read was left out when the rule was compiled, so it may not narrow the search either.
  }
  return undefined;
}

function rarest(segments: readonly string[], counts: ReadonlyMap<string, number>): string {
  return segments.reduce((best, one) => ((counts.get(one) ?? 0) < (counts.get(best) ?? 0) ? one : best), segments[0] ?? '');
}

function hostKey(pattern: string): string | undefined {
  const glob = hostGlob(pattern);
  const text = glob.withPort ? glob.pattern.replace(/:\d+$/, '') : glob.pattern;
  if (!text.includes('*')) return `host:${text}`;
  const rest = text.slice(1);
  return text.startsWith('*.') && !rest.includes('*') ? `host:${text}` : undefined;
}
