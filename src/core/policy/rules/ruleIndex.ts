import { entryOf } from '../../base/maps';
import { type BoundaryMatch, listed } from '../../vocabulary/boundary';
import { alternativesBound, expandBraces } from '../../base/braces';
import { plainHost } from './clauses';
import type { CompiledRule } from './compile';
import { hasMagic } from '../../base/pathGlob';
import { literalNames } from './pathRule';
import type { AccessFacts, PolicySubject } from './subject';

/**
 * Finds the rules that could match a subject. Each rule stands under the keys of one of its clauses, the one that says
 * most: a tool's name, a literal segment of its paths, a host, a capability, an effect. A rule without such a clause is
 * always a candidate. So the cost of a call grows with the rules that could match it, not with all of them.
 */
export class RuleIndex {
  readonly #always: CompiledRule[] = [];
  /** A table for each kind of clause: what no rule asks about is not looked up. */
  readonly #tables: Record<Keys['of'], Table> = {
    tool: new Map(),
    segment: new Map(),
    host: new Map(),
    capability: new Map(),
    effect: new Map(),
  };
  readonly #pathRules: CompiledRule[] = [];
  readonly #hostRules: CompiledRule[] = [];
  readonly #joined = new WeakMap<readonly CompiledRule[], readonly CompiledRule[]>();

  constructor(rules: readonly CompiledRule[]) {
    const counts = new Map<string, number>();
    const names = new Map<CompiledRule, readonly (readonly string[])[]>();
    for (const rule of rules) {
      const alternatives = namesOf(rule.match);
      if (!alternatives) continue;
      names.set(rule, alternatives);
      for (const segments of alternatives)
        for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
    }
    for (const rule of rules) {
      const keys = keysOf(rule.match, names.get(rule), counts);
      if (!keys) {
        this.#always.push(rule);
        continue;
      }
      for (const name of new Set(keys.names)) entryOf(this.#tables[keys.of], name, []).push(rule);
      if (keys.of === 'segment') this.#pathRules.push(rule);
      if (keys.of === 'host') this.#hostRules.push(rule);
    }
  }

  /** The rules that could match, each once, in no particular order. */
  candidates(subject: PolicySubject): Iterable<CompiledRule> {
    const { tool, segment, capability, effect } = this.#tables;
    const found: Found = { bucket: undefined, more: undefined };
    if (subject.tool && tool.size > 0) {
      add(found, tool, fold(subject.tool.id));
      for (const name of subject.tool.names) add(found, tool, fold(name));
    }
    if (capability.size > 0) {
      add(found, capability, fold(subject.capabilityId));
      for (const alias of subject.capabilityAliases) add(found, capability, fold(alias));
    }
    if (effect.size > 0) {
      for (const name of subject.sideEffects) addEffect(found, effect, name);
      for (const { access } of subject.accesses) addEffect(found, effect, access.effect);
    }
    if (this.#hostRules.length > 0 || this.#pathRules.length > 0)
      for (const { path, network } of subject.accesses) {
        if (network) this.#addHosts(found, network);
        if (!path) continue;
        // A short name may stand for any segment.
        if (path.hasShortName) addAll(found, this.#pathRules);
        for (const key of path.keys) for (const name of key.split('/')) add(found, segment, name);
      }
    if (found.more) return new Set([...this.#always, ...found.more]);
    return found.bucket ? this.#withAlways(found.bucket) : this.#always;
  }

  #addHosts(found: Found, { hosts }: NonNullable<AccessFacts['network']>): void {
    const table = this.#tables.host;
    for (const one of hosts) {
      if (one.type === 'name') {
        add(found, table, one.name);
        for (let at = one.name.indexOf('.'); at >= 0; at = one.name.indexOf('.', at + 1))
          add(found, table, `*${one.name.slice(at)}`);
      } else if (one.type === 'address')
        for (const address of [one.address, ...one.carries]) add(found, table, address);
      else addAll(found, this.#hostRules);
    }
  }

  /** Most calls find one bucket, and mostly the same. */
  #withAlways(bucket: readonly CompiledRule[]): readonly CompiledRule[] {
    if (this.#always.length === 0) return bucket;
    let all = this.#joined.get(bucket);
    if (!all) this.#joined.set(bucket, (all = [...this.#always, ...bucket]));
    return all;
  }
}

type Table = Map<string, CompiledRule[]>;

/** The buckets that were found for a subject: the first, and the rules of all where there is more than one. */
interface Found {
  bucket: readonly CompiledRule[] | undefined;
  more: Set<CompiledRule> | undefined;
}

function add(found: Found, table: Table, name: string): void {
  const bucket = table.get(name);
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

function addEffect(found: Found, table: Table, effect: string): void {
  const folded = effect.toLowerCase();
  add(found, table, folded);
  const dot = folded.indexOf('.');
  if (dot > 0) add(found, table, folded.slice(0, dot));
}

/** As the rules that restrict compare names. */
const fold = (text: string): string => text.trim().normalize('NFC').toLowerCase();

function namesOf({ path }: BoundaryMatch): readonly (readonly string[])[] | undefined {
  if (path === undefined) return undefined;
  const found: (readonly string[])[] = [];
  try {
    for (const pattern of listed(path)) {
      const names = literalNames(pattern);
      if (!names || names.some((one) => one.length === 0) || found.length > mostKeys) return undefined;
      found.push(...names);
    }
  } catch {
    return undefined;
  }
  return found;
}

/** A rule that would stand under more keys is a candidate always, so that a few rules cannot make the index large. */
const mostKeys = 64;

interface Keys {
  readonly of: 'tool' | 'segment' | 'host' | 'capability' | 'effect';
  readonly names: readonly string[];
}

/** The keys under which a rule stands; undefined where nothing in it can be looked up. */
function keysOf(
  match: BoundaryMatch,
  segments: readonly (readonly string[])[] | undefined,
  counts: ReadonlyMap<string, number>,
): Keys | undefined {
  const { host, sideEffectsAny, accessAny } = match;
  try {
    const tools = plainNames(match.tool);
    if (tools) return { of: 'tool', names: tools };
    if (segments) return { of: 'segment', names: segments.map((one) => rarest(one, counts)) };
    const hosts = host === undefined ? undefined : listed(host);
    // What needs a parser to be known is a candidate always.
    if (isShort(hosts) && hosts.every((name) => name !== '*' && plainHost.test(name) && !name.includes('xn--')))
      return { of: 'host', names: hosts };
    const capabilities = plainNames(match.capability);
    if (capabilities) return { of: 'capability', names: capabilities };
    const effects = (accessAny ?? sideEffectsAny)?.map((effect) => effect.trim().toLowerCase());
    if (isShort(effects) && !effects.some((effect) => effect === '*' || effect.slice(0, -2).includes('.*')))
      return { of: 'effect', names: effects.map((one) => (one.endsWith('.*') ? (one.split('.')[0] ?? one) : one)) };
  } catch {
    // A clause that cannot be read was left out when the rule was compiled, so it may not narrow the search either.
  }
  return undefined;
}

const isShort = (names: readonly string[] | undefined): names is readonly string[] =>
  names !== undefined && names.length <= mostKeys;

function plainNames(pattern: string | undefined): readonly string[] | undefined {
  if (pattern === undefined || alternativesBound(pattern) > 16) return undefined;
  const names = expandBraces(pattern);
  return names.every((name) => !hasMagic(name)) ? names.map(fold) : undefined;
}

function rarest(segments: readonly string[], counts: ReadonlyMap<string, number>): string {
  return segments.reduce(
    (best, one) => ((counts.get(one) ?? 0) < (counts.get(best) ?? 0) ? one : best),
    segments[0] ?? '',
  );
}
