import { isObject, type Json, sanitizeJson } from '../base/json';
import { proposal } from '../base/nearest';
import { type Problem, problem } from '../base/problem';
import { say } from '../base/sentence';
import { type SettingKey, type SettingSpec, settingSpecs, type SettingValues } from './settingTable';
import type { BundleLayer } from './bundleLayer';
import type { SettingScope, Settings, SettingsLayers } from './settings';
import { checkSetting } from './settingChecks';
import { meantBy, misfit, unreadable } from './settingValues';

/**
 * Merges the scopes of every setting. A value that does not fit is reported, and the strictest that could stand there
 * holds in its place; of a list what fits holds beside that.
 */
export function readSettings(raw: SettingsLayers): Settings {
  const problems: Problem[] = [];
  const values = new Map<SettingKey, Json>();
  const known = new Set<string>(settingSpecs.map((spec) => spec.key));
  const read = (scope: SettingScope): Record<string, unknown> =>
    expand(raw[scope], (way) => {
      const said = say('forbidden_property', `agentCapabilities.${way.join('/')}`);
      problems.push(problem({ severity: 'error', said, subject: way[0] ?? scope }));
    });
  const managed = read('managed');
  const withSections = (layer: Record<string, unknown>): Record<string, unknown> => ({
    ...meantBy(Object.keys(layer), known.keys(), 'sections'),
    ...layer,
  });
  const scopes = {
    managed: { ...meantBy(Object.keys(managed), known.keys(), 'all'), ...managed },
    user: withSections(read('user')),
    workspace: withSections(read('workspace')),
  };
  const bundles = raw.bundles ?? [];
  const clean = { ...scopes, bundles };
  problems.push(...(raw.managedProblems ?? []));
  problems.push(...bundles.flatMap((bundle) => [...bundle.problems, ...withoutEffect(bundle)]));
  for (const [scope, layer] of Object.entries(scopes))
    for (const key of Object.keys(layer))
      if (!known.has(key)) {
        const said = say('unknown_setting', `agentCapabilities.${key}`, scope, proposal(key, known.keys()));
        problems.push(problem({ severity: scope === 'managed' ? 'error' : 'warning', said, subject: key }));
      }
  for (const spec of settingSpecs) values.set(spec.key, mergeOne(spec, clean, problems));
  // Safe: every declared setting has a value that was checked against the schema from which its type is made.
  return { layers: clean, problems, get: <Key extends SettingKey>(key: Key) => values.get(key) as SettingValues[Key] };
}

/** What a managed file means that is there and cannot be read, of which whoever reads it tells. */
export function unreadableSettings(): Record<string, unknown> {
  return Object.fromEntries(settingSpecs.map(({ key }) => [key, unreadable]));
}

/**
 * The strictest value of a setting: what its order ends with, what it declares, or its default. Numbers, flags that are
 * off by default and what a workspace may choose know none: what the scopes below say stays.
 */
function strictestOf({ merge, strictest, default: standard }: SettingSpec, below: Json): Json {
  if (merge.type === 'tighten') return merge.order.at(-1) ?? standard;
  if (strictest !== undefined) return strictest;
  return typeof standard === 'number' || standard === false || merge.type === 'workspace' ? below : standard;
}

function mergeOne(spec: SettingSpec, source: Settings['layers'], problems: Problem[]): Json {
  const { items, ...whole } = spec.schema;
  const isOpenList = items !== undefined && Array.isArray(spec.default) && spec.default.length === 0;
  // A value that cannot be read was meant to say something: the strictest counts, never what it was to replace.
  const read = (scope: SettingScope, below: Json): Json | undefined => {
    const value = source[scope][spec.key];
    if (value === undefined) return undefined;
    const instead = scope !== 'workspace' || spec.merge.type === 'tighten' ? strictestOf(spec, below) : undefined;
    if (value === unreadable) return instead;
    const fault = misfit(isOpenList ? whole : spec.schema, value);
    if (fault === undefined) {
      if (scope !== 'workspace' || spec.merge.type !== 'user') problems.push(...checkSetting(spec.key, value));
      if (!isOpenList || !Array.isArray(value)) return value as Json;
      const right = (value as readonly Json[]).filter((one) => misfit(items, one) === undefined);
      return right.length < value.length && Array.isArray(instead) ? [...right, ...instead] : right;
    }
    const isUsed = instead === Infinity ? say('unbounded') : say('value_is_used', JSON.stringify(instead));
    const used = instead === undefined ? say('user_value_is_used') : isUsed;
    const said = say('invalid_setting', `agentCapabilities.${spec.key}`, fault, used);
    problems.push(problem({ severity: 'error', said, subject: spec.key }));
    return instead;
  };
  const own = read('user', spec.default) ?? spec.default;
  const workspace = read('workspace', spec.default);
  const managed = read('managed', spec.merge.type === 'workspace' ? (workspace ?? own) : own);
  switch (spec.merge.type) {
    case 'user':
      if (workspace !== undefined) {
        const said = say('setting_ignored', `agentCapabilities.${spec.key}`);
        problems.push(problem({ severity: 'information', said, subject: spec.key }));
      }
      return stricter(spec.bundleOrder, managed ?? own, source.bundles, spec.key);
    case 'workspace':
      return managed ?? workspace ?? own;
    case 'layers':
      return managed ?? own;
    case 'tighten': {
      const { order } = spec.merge;
      const bundled = source.bundles.map(({ settings }) => settings[spec.key] as Json | undefined);
      const strictest = [managed, own, workspace, ...bundled]
        .filter((value) => value !== undefined)
        .map((value) => order.indexOf(value));
      return order[Math.max(0, ...strictest)] ?? spec.default;
    }
  }
}

/** The strictest of a value and what bundles say of it; both stand in the order, as every value is checked before. */
function stricter(
  order: readonly Json[] | undefined,
  value: Json,
  bundles: readonly BundleLayer[],
  key: SettingKey,
): Json {
  if (!order) return value;
  const said = bundles.map(({ settings }) => order.findIndex((one) => one === settings[key]));
  return order[Math.max(order.indexOf(value), ...said)] ?? value;
}

/** Settings of which no value is known to be stricter than another: what a bundle says of them changes nothing. */
function withoutEffect({ name, settings }: BundleLayer): readonly Problem[] {
  const idle = settingSpecs.filter(
    ({ key, merge, bundleOrder }) =>
      Object.hasOwn(settings, key) &&
      merge.type !== 'tighten' &&
      bundleOrder === undefined &&
      key !== 'policy.boundaries' &&
      key !== 'limits' &&
      key !== 'profiles',
  );
  return idle.map(({ key }) =>
    problem({ severity: 'information', said: say('bundle_only_tightens', name, key), subject: name }),
  );
}

/**
 * Accepts dotted keys and nested objects alike, as settings files do; `profiles`, `limits` and other object settings
 * stay whole.
 * @param leftOut hears of each property that is left out, with the way to it.
 */
export function expand(
  layer: Readonly<Record<string, unknown>>,
  leftOut?: (way: readonly string[]) => void,
): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  const known = new Set<string>(settingSpecs.map((spec) => spec.key));
  const walk = (prefix: string, value: unknown): void => {
    if (known.has(prefix) || !isObject(value) || ![...known].some((key) => key.startsWith(`${prefix}.`)))
      out[prefix] = value;
    else for (const [key, item] of Object.entries(value)) walk(`${prefix}.${key}`, item);
  };
  for (const [key, value] of Object.entries(layer)) {
    const name = key.replace(/^agentCapabilities\./, '');
    try {
      walk(name, sanitizeJson(value, 64, leftOut && ((way) => leftOut([name, ...way]))));
    } catch {
      // Nested too deep: nobody can read it, nor any setting that may stand in it.
      const within = [...known].filter((one) => one === name || one.startsWith(`${name}.`));
      for (const one of within.length > 0 ? within : [name]) out[one] = null;
    }
  }
  return out;
}
