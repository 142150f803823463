import { say, type Sentence } from '../base/sentence';
import { camelCase, isObject, typeName } from '../base/json';
import { nearestNames, proposal } from '../base/nearest';
import { highest } from '../base/order';
import type { Problem } from '../base/problem';
import {
  type Permission,
  readRiskLevel,
  type RiskLevel,
  riskLevels,
  type ToolKind,
  toolKinds,
  permissions,
} from '../vocabulary/toolDefinition';
import { foreignToolName } from './toolName';
import type { AccessMapping, ArgumentEffect } from './argumentEffect';

/** What the user says about one tool, in place of what is inferred. */
export interface ToolOverride {
  readonly risk?: RiskLevel;
  readonly sideEffects?: readonly string[];
  readonly kind?: ToolKind;
  readonly permission?: Permission;
  readonly enabled?: boolean;
}

type Report = (fault: Sentence, severity?: Problem['severity']) => void;

/** Reads `accessMapping`: what arguments touch, by tool and argument. What cannot be read is reported and left out. */
export function parseMapping(value: unknown, report: Report): AccessMapping {
  if (value === undefined) return {};
  const out: Record<string, Record<string, ArgumentEffect>> = {};
  if (!isObject(value)) {
    report(say('at_key', 'accessMapping', say('must_be', say('an_object'), typeName(value))));
    return out;
  }
  for (const [tool, table] of Object.entries(value)) {
    if (!isObject(table)) {
      report(say('at_key', `accessMapping/${tool}`, say('must_be', say('an_object'), typeName(table))));
      continue;
    }
    const effects: Record<string, ArgumentEffect> = {};
    for (const [argument, effect] of Object.entries(table)) {
      if (typeof effect === 'string' && effect !== '') effects[argument] = effect;
      else if (
        Array.isArray(effect) &&
        effect.length > 0 &&
        effect.every((one): one is string => typeof one === 'string')
      )
        effects[argument] = effect;
      else report(say('at_key', `accessMapping/${tool}/${argument}`, say('mapping_effect')));
    }
    out[tool] = effects;
  }
  return out;
}

const kinds: ReadonlySet<unknown> = new Set(toolKinds);
const permissionWords: ReadonlySet<unknown> = new Set(permissions);

const overrideKeys = ['riskLevel', 'risk', 'sideEffects', 'kind', 'permission', 'enabled'] as const;

/**
 * What an override means that nobody can read: it was to say something about the tool, so the tool is as restricted as
 * one can say.
 */
const strictest: ToolOverride = { risk: 'critical', permission: 'forbidden' };

/**
 * Reads `tools`: what the user says about tools, by name. Everything that cannot be read is reported, and counts as the
 * strictest that could stand there: no slip makes a tool freer than it was meant to be.
 */
export function parseOverrides(value: unknown, report: Report): Readonly<Record<string, ToolOverride>> {
  if (value === undefined) return {};
  if (!isObject(value)) {
    report(say('at_key', 'tools', say('must_be', say('an_object'), typeName(value))));
    return { '*': strictest };
  }
  const out: Record<string, ToolOverride> = {};
  for (const [tool, table] of Object.entries(value)) {
    if (isObject(table))
      out[tool] = parseOverride(table, (key, fault) => report(say('at_key', `tools/${tool}/${key}`, fault)));
    else {
      report(say('at_key', `tools/${tool}`, say('must_be', say('an_object'), typeName(table))));
      out[tool] = strictest;
    }
  }
  return out;
}

function parseOverride(table: Record<string, unknown>, report: (key: string, fault: Sentence) => void): ToolOverride {
  const fields = new Map(Object.entries(table).map(([key, value]) => [camelCase(key), value]));
  let lost: ToolOverride = {};
  for (const key of fields.keys()) {
    if (overrideKeys.some((one) => one === key)) continue;
    report(key, say('unknown_key', proposal(key, overrideKeys)));
    const [near] = nearestNames(key, overrideKeys, 1);
    if (near === 'enabled') lost = { ...lost, enabled: false };
    else if (near === 'riskLevel' || near === 'risk' || near === 'sideEffects' || near === 'kind')
      lost = { ...lost, risk: 'critical' };
    else lost = { ...lost, ...strictest };
  }
  // `risk` is the short form; of two that differ, the higher counts.
  const risks = (['riskLevel', 'risk'] as const).flatMap((key) => {
    const value = fields.get(key);
    if (value === undefined) return [];
    const level = readRiskLevel(value);
    if (level === undefined) report(key, say('override_risk'));
    return [level ?? ('critical' as const)];
  });
  const kind = fields.get('kind');
  if (kind !== undefined && !kinds.has(kind)) report('kind', say('override_kind'));
  const permission = fields.get('permission');
  if (permission !== undefined && !permissionWords.has(permission)) report('permission', say('override_permission'));
  const sideEffects = fields.get('sideEffects');
  const effects =
    Array.isArray(sideEffects) && sideEffects.every((one): one is string => typeof one === 'string' && one !== '')
      ? sideEffects
      : undefined;
  if (sideEffects !== undefined && !effects) report('sideEffects', say('override_effects'));
  const enabled = fields.get('enabled');
  if (enabled !== undefined && typeof enabled !== 'boolean')
    report('enabled', say('override_enabled', typeName(enabled)));
  return {
    // The sets above have just been asked; their types are wider than what they hold.
    ...(risks.length === 0 ? {} : { risk: risks.reduce((one, other) => highest(riskLevels, one, other)) }),
    ...(kind === undefined ? {} : { kind: kinds.has(kind) ? (kind as ToolKind) : 'action' }),
    ...(permission === undefined
      ? {}
      : { permission: permissionWords.has(permission) ? (permission as Permission) : 'forbidden' }),
    ...(effects ? { sideEffects: effects } : {}),
    ...(sideEffects !== undefined && !effects ? { risk: 'critical' as const } : {}),
    ...(enabled === undefined ? {} : { enabled: enabled === true }),
    ...lost,
  };
}

/**
 * What the user says about one tool: what stands under `*` for all of the source, and over it what stands under the
 * tool's own name.
 */
export function overrideFor(tools: Readonly<Record<string, ToolOverride>>, name: string): ToolOverride | undefined {
  const own = (key: string): ToolOverride | undefined => (Object.hasOwn(tools, key) ? tools[key] : undefined);
  const all = own('*');
  const one = own(name) ?? own(foreignToolName(name));
  return all || one ? { ...all, ...one } : undefined;
}
