import { alike, coverTest, type GrantedAccess, literalGlob, sharedFolder } from '../policy/grants/grantPattern';
import { type Access, accessHost, familyOf } from '../vocabulary/access';
import type { DecidedCall } from './decidedCall';

/** So many questions alike are needed before a grant is offered. */
const fewestAlike = 3;

/** The smallest grant that would have saved questions alike, with its replay over the record. */
export interface Suggestion extends Pick<DecidedCall, 'tool' | 'toolName' | 'actor'> {
  readonly reasons: readonly string[];
  /** One pattern for all accesses. */
  readonly pattern: string;
  readonly accesses: readonly GrantedAccess[];
  /** What one of the calls touched. */
  readonly sample: readonly Access[];
  /** Questions of the record that it would have saved, of those about this tool for these reasons. */
  readonly saved: number;
  readonly asked: number;
  /** Denied calls of this tool in the record; it covers none of them, and no place that a call was not let touch. */
  readonly denied: number;
}

/**
 * The smallest grant that covers the call that is asked about and the last ones alike that a person allowed. Undefined
 * with fewer than three of them, and where every grant that covers them would cover a call that was denied.
 * @param record what was decided before, the newest first.
 */
export function suggestFor(call: DecidedCall, record: readonly DecidedCall[]): Suggestion | undefined {
  const key = keyOf(call);
  if (key === undefined) return undefined;
  const before = record.filter((one) => one.outcome === 'allowed' && keyOf(one) === key).slice(0, fewestAlike - 1);
  return before.length < fewestAlike - 1 ? undefined : smallest([call, ...before], record);
}

/** What would have saved questions of the record, the most first. @param record the newest first. */
export function suggestAll(record: readonly DecidedCall[]): readonly Suggestion[] {
  const groups = new Map<string, DecidedCall[]>();
  for (const one of record) {
    const key = one.outcome === 'allowed' ? keyOf(one) : undefined;
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const found = [...groups.values()].flatMap((group) => {
    const whole = group.length < fewestAlike ? undefined : smallest(group, record);
    return whole ? [whole] : parted(group).flatMap((part) => smallest(part, record) ?? []);
  });
  return found.sort((a, b) => b.saved - a.saved);
}

/** Questions alike: of one tool and caller, for the same reasons; undefined for what no pattern can cover. */
function keyOf({ tool, actor, reasons, accesses }: DecidedCall): string | undefined {
  if (reasons === undefined || reasons.length === 0 || accesses.length === 0) return undefined;
  return JSON.stringify([tool, actor, reasons]);
}

/** By the first folder or the host, where all together are too different. */
function parted(calls: readonly DecidedCall[]): readonly (readonly DecidedCall[])[] {
  const parts = new Map<string, DecidedCall[]>();
  for (const one of calls) {
    const [first] = one.accesses;
    const part = first ? (accessHost(first) ?? first.resource.split('/')[0] ?? '') : '';
    parts.set(part, [...(parts.get(part) ?? []), one]);
  }
  return [...parts.values()].filter((part) => part.length >= fewestAlike);
}

function smallest(calls: readonly DecidedCall[], record: readonly DecidedCall[]): Suggestion | undefined {
  const [first] = calls;
  if (!first) return undefined;
  const { tool, toolName, actor, reasons = [] } = first;
  const ofTool = record.filter((one) => one.tool === tool && one.actor === actor);
  const denied = ofTool.filter(({ outcome }) => outcome === 'denied');
  const never = [...denied.map((one) => one.accesses), ...ofTool.flatMap(({ refused }) => refused.map((one) => [one]))];
  const key = keyOf(first);
  const asked = ofTool.filter((one) => one.outcome === 'allowed' && keyOf(one) === key);
  for (const pattern of patternsFor(calls.flatMap(({ accesses }) => accesses))) {
    const accesses = alike(first.accesses, pattern);
    const covers = coverTest(accesses);
    if (!calls.every((one) => covers(one.accesses)) || never.some(covers)) continue;
    const saved = asked.filter((one) => covers(one.accesses)).length;
    const counts = { saved, asked: asked.length, denied: denied.length };
    return { tool, toolName, actor, reasons, pattern, accesses, sample: first.accesses, ...counts };
  }
  return undefined;
}

/** Patterns that may cover accesses, the narrowest first; never one for everything. */
function patternsFor(accesses: readonly Access[]): readonly string[] {
  const resources = [...new Set(accesses.map(({ resource }) => resource))];
  const [only = ''] = resources;
  if (resources.length === 1) return [`=${only}`];
  if (accesses.every(({ effect }) => familyOf(effect) === 'fs')) return pathPatterns(resources);
  if (!accesses.every(({ effect }) => familyOf(effect) === 'network')) return [];
  const places = new Set(resources.map((one) => (URL.canParse(one) ? new URL(one).host : one)));
  const [place = ''] = places;
  return places.size === 1 && !place.includes('*') ? [place] : [];
}

function pathPatterns(resources: readonly string[]): readonly string[] {
  const isOdd = (one: string): boolean => one.split('/').some((part) => part === '' || part === '.' || part === '..');
  if (resources.some((one) => isOdd(one) || one.includes('\\') || one.includes(':'))) return [];
  const shared = sharedFolder(resources);
  // Without a folder of their own it would be the whole workspace.
  if (shared.length === 0) return [];
  const folder = literalGlob(shared.join('/'));
  const endings = new Set(resources.map((one) => /[^/](\.[A-Za-z0-9]+)$/.exec(one)?.[1] ?? ''));
  const [ending = ''] = endings;
  const isFlat = resources.every((one) => one.split('/').length === shared.length + 1);
  const names = endings.size === 1 && ending !== '' ? [`*${ending}`, '*'] : ['*'];
  return [...(isFlat ? names.map((name) => `${folder}/${name}`) : []), ...names.map((name) => `${folder}/**/${name}`)];
}
