import { say } from '../base/sentence';
import { defined } from '../base/json';
import { got } from '../base/jsonReader';
import type { ObjectReader } from '../base/jsonReader';
import { nearestNames } from '../base/nearest';
import { highest } from '../base/order';
import {
  type Permission,
  readRiskLevel,
  type RiskLevel,
  riskLevels,
  type ToolKind,
  toolKinds,
  permissions,
} from '../vocabulary/toolDefinition';
import type { SideEffect } from '../vocabulary/access';
import { foreignToolName } from './toolName';

/**
 * What an argument of a foreign tool touches: `fs.read`, several effects, or `none` for an argument that only looks
 * like a path.
 */
export type ArgumentEffect = SideEffect | readonly SideEffect[];

/**
 * By tool (a name or a glob), then by argument (its name or a JSON pointer): what the argument touches. Editable by the
 * user.
 */
export type AccessMapping = Readonly<Record<string, Readonly<Record<string, ArgumentEffect>>>>;

/** What the user says about one tool, in place of what is inferred. */
export interface ToolOverride {
  readonly risk?: RiskLevel;
  readonly sideEffects?: readonly string[];
  readonly kind?: ToolKind;
  readonly permission?: Permission;
  readonly enabled?: boolean;
}

/** Reads `accessMapping`: what arguments touch, by tool and argument. What cannot be read is reported and left out. */
export function parseMapping(entry: ObjectReader): AccessMapping {
  const mapping = entry.table('accessMapping');
  return (
    mapping?.each((tool) => {
      const table = mapping.table(tool);
      return table?.each((name) => table.take(name, argumentEffect, () => say('mapping_effect')));
    }) ?? {}
  );
}

function argumentEffect(value: unknown): ArgumentEffect | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string') ? value : undefined;
}

/**
 * What an override means that nobody can read: it was to say something about the tool, so the tool is as restricted as
 * one can say.
 */
export const strictestOverride: ToolOverride = { risk: 'critical', permission: 'forbidden' };

/**
 * Reads `tools`: what the user says about tools, by name. Everything that cannot be read is reported, and counts as the
 * strictest that could stand there: no slip makes a tool freer than it was meant to be.
 */
export function parseOverrides(entry: ObjectReader): Readonly<Record<string, ToolOverride>> {
  if (!entry.has('tools')) return {};
  const tools = entry.table('tools');
  if (!tools) return { '*': strictestOverride };
  return tools.each((tool) => {
    const override = tools.reader(tool);
    return override ? parseOverride(override) : strictestOverride;
  });
}

function parseOverride(reader: ObjectReader): ToolOverride {
  // `risk` is the short form; of two that differ, the higher counts.
  const risks = (['riskLevel', 'risk'] as const).flatMap(
    (key) => reader.take(key, readRiskLevel, () => say('override_risk'), 'critical') ?? [],
  );
  const kind = reader.take('kind', oneIn(toolKinds), () => say('override_kind'), 'action');
  const permission = reader.take('permission', oneIn(permissions), () => say('override_permission'), 'forbidden');
  const sideEffects = reader.take('sideEffects', filledTexts, () => say('override_effects'));
  if (reader.has('sideEffects') && !sideEffects) risks.push('critical');
  const enabled = reader.take(
    'enabled',
    (value) => (typeof value === 'boolean' ? value : undefined),
    (value) => say('override_enabled', got(value)),
    false,
  );
  const risk = risks.reduce<RiskLevel | undefined>((one, other) => highest(riskLevels, one ?? other, other), undefined);
  const unknown = reader.unasked();
  const lost = unknown.map((key): ToolOverride => {
    const [near] = nearestNames(key, overrideKeys, 1);
    if (near === 'enabled') return { enabled: false };
    return near === undefined || near === 'permission' ? strictestOverride : { risk: 'critical' };
  });
  reader.finish('error');
  return Object.assign(defined({ risk, kind, permission, sideEffects, enabled }), ...lost);
}

const overrideKeys = ['riskLevel', 'risk', 'sideEffects', 'kind', 'permission', 'enabled'] as const;

function oneIn<T>(allowed: readonly T[]): (value: unknown) => T | undefined {
  return (value) => allowed.find((one) => one === value);
}

function filledTexts(value: unknown): readonly string[] | undefined {
  const isRight = (one: unknown): one is string => typeof one === 'string' && one !== '';
  return Array.isArray(value) && value.every(isRight) ? value : undefined;
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
