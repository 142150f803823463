import { canonicalJson, type Json, type JsonObject, ownValue } from '../base/json';
import type { Capability } from '../capability/capability';
import { effectiveConfig } from './promptTemplate';
import type { ResolvedProfile } from './profile';
import { promptAdditions } from './runtimeAgent';
import type { RateLimit } from '../vocabulary/toolDefinition';
import type { Mode } from '../vocabulary/decision';

/**
 * Everything of a profile that decides about a call or that a model reads: what "allows more" is about. A test says of
 * every field of profiles and capabilities which of these it comes to.
 */
export interface Allowance {
  /** The ids of the tools that are on. */
  readonly tools: ReadonlySet<string>;
  /** The scopes that are granted, listed or not. */
  readonly scopes: ReadonlySet<string>;
  readonly mode: Mode;
  /**
   * By capability that is on or kept: its configuration with defaults, and the order of its keys. Roots of files are
   * among them.
   */
  readonly configuration: ReadonlyMap<string, Configured>;
  /** The boundaries that capabilities carry, each as canonical text. */
  readonly boundaries: ReadonlySet<string>;
  readonly limits: ReadonlyMap<string, RateLimit>;
  /** What each capability that is on requires before a call. */
  readonly requirements: ReadonlyMap<string, ReadonlySet<string>>;
  readonly basePrompt: BasePromptRef;
  /** What capabilities add to the prompt, by capability. */
  readonly promptAdditions: ReadonlyMap<string, string>;
}

interface Configured {
  readonly values: JsonObject;
  readonly order: Readonly<Record<string, readonly Json[]>>;
  /** True where the profile says something of it, and not the defaults alone. */
  readonly isSaid: boolean;
}

/** Where the base prompt comes from. What stands in the file is bound where the file is read. */
interface BasePromptRef {
  readonly text: string;
  readonly file: string;
}

export type AllowanceField = keyof Allowance;

/**
 * The order of each field: true where what stands first lies within what stands second. A field without one does not
 * compile.
 */
const orders: { readonly [F in AllowanceField]: (a: Allowance[F], b: Allowance[F]) => boolean } = {
  tools: isSubset,
  scopes: isSubset,
  mode: (a, b) => a === 'plan' || b === 'execute',
  configuration: (a, b) =>
    [...b].every(([id, own]) => configurationFits(a.get(id), own)) && [...a.keys()].every((id) => b.has(id)),
  boundaries: (a, b) => isSubset(b, a),
  limits: (a, b) => [...b].every(([id, rate]) => isAsStrict(a.get(id), rate)),
  requirements: (a, b) => [...a].every(([id, needed]) => isSubset(b.get(id) ?? new Set(), needed)),
  basePrompt: (a, b) => a.file === b.file && a.text === b.text,
  promptAdditions: (a, b) => [...a].every(([id, text]) => b.get(id) === text),
};

export const allowanceFields = Object.keys(orders) as readonly AllowanceField[];

const known = new WeakMap<ResolvedProfile, Allowance>();

/** Works out what a profile allows as it is held against the registry. */
export function allowanceOf(resolved: ResolvedProfile): Allowance {
  const before = known.get(resolved);
  if (before) return before;
  const on = resolved.entries.filter(({ entry }) => entry.enabled).map(({ capability }) => capability);
  const made: Allowance = {
    tools: new Set(resolved.tools.map((tool) => tool.id)),
    scopes: resolved.scopes,
    mode: resolved.mode,
    configuration: new Map(
      [...resolved.entries, ...resolved.kept]
        .filter(({ entry }) => entry.enabled)
        .map(({ capability: { id, stricterConfig }, entry }) => [
          id,
          { values: resolved.config(id), order: stricterConfig ?? {}, isSaid: Object.keys(entry.config).length > 0 },
        ]),
    ),
    boundaries: new Set(
      resolved.carriers.flatMap(({ id, boundaries }) => (boundaries ?? []).map((one) => `${id} ${canonicalJson(one)}`)),
    ),
    limits: new Map(resolved.carriers.flatMap(({ id, limits }) => (limits ? [[id, limits]] : []))),
    requirements: new Map(
      on.map(({ id, requires = [], composed }) => [
        id,
        new Set([...requires, ...(composed ? [canonicalJson(composed)] : [])]),
      ]),
    ),
    basePrompt: { text: resolved.profile.systemPrompt, file: resolved.profile.systemPromptFile ?? '' },
    promptAdditions: new Map(promptAdditions(resolved).map(({ capability, text }) => [capability.id, text])),
  };
  known.set(resolved, made);
  return made;
}

/** The fields in which the first allows anything that the second does not; none where it lies within. */
export function beyond(a: Allowance, b: Allowance): readonly AllowanceField[] {
  return allowanceFields.filter((field) => !inOrder(field, a, b));
}

/** The one partial order of allowances: the first allows nothing that the second does not. */
export const within = (a: Allowance, b: Allowance): boolean => beyond(a, b).length === 0;

function inOrder<F extends AllowanceField>(field: F, a: Allowance, b: Allowance): boolean {
  return orders[field](a[field], b[field]);
}

function isSubset(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const one of a) if (!b.has(one)) return false;
  return true;
}

/**
 * A limit is as strict as another where it lets through no more in no longer a time: fewer calls, in windows at least
 * as long.
 */
function isAsStrict(a: RateLimit | undefined, b: RateLimit): boolean {
  return a !== undefined && a.requests <= b.requests && a.windowMs >= b.windowMs;
}

/**
 * What is off in one profile has no configuration there; the other's is lost with it where it says more than the
 * defaults.
 */
function configurationFits(met: Configured | undefined, own: Configured): boolean {
  if (!met) return !own.isSaid;
  const { values } = met;
  const keys = new Set([...Object.keys(values), ...Object.keys(own.values)]);
  return [...keys].every((key) =>
    isStricterOrSame(ownValue(values, key), ownValue(own.values, key), ownValue(own.order, key)),
  );
}

/**
 * Compares two values of one configuration key by its declared order. Without an order only the same value is as
 * strict.
 */
function isStricterOrSame(a: Json | undefined, b: Json | undefined, order: readonly Json[] | undefined): boolean {
  const text = (value: Json | undefined): string => canonicalJson(value ?? null);
  if (a === undefined || b === undefined) return a === b;
  if (text(a) === text(b)) return true;
  const places = (order ?? []).map(text);
  const [mine, theirs] = [places.indexOf(text(a)), places.indexOf(text(b))];
  return mine >= 0 && theirs >= 0 && mine >= theirs;
}

/**
 * Lets the configuration that a workspace writes for a capability meet the user's own, key by key: what it leaves out
 * is the user's, what it says counts where it is as strict. `held` names the keys whose value is the user's although
 * the workspace says another.
 */
export function meetConfiguration(
  capability: Capability,
  wanted: JsonObject,
  own: JsonObject,
): { readonly config: JsonObject; readonly held: readonly string[] } {
  const effective = effectiveConfig(capability, own);
  const isHeld = (key: string): boolean =>
    !isStricterOrSame(wanted[key], ownValue(effective, key), ownValue(capability.stricterConfig ?? {}, key));
  const held = Object.keys(wanted).filter(isHeld);
  const counting = Object.fromEntries(Object.entries(wanted).filter(([key]) => !held.includes(key)));
  return { config: { ...own, ...counting }, held };
}
