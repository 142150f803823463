import { isObject, typeName } from '../base/json';
import type { Problem } from '../problem';
import { type Permission, readRiskLevel, type RiskLevel, type ToolKind } from '../tool';
import type { AccessMapping, ArgumentEffect } from './accessMapping';
import { foreignToolName } from './toolName';

/** What the user says about one tool, in place of what is inferred. */
export interface ToolOverride {
  readonly risk?: RiskLevel;
  readonly sideEffects?: readonly string[];
  readonly kind?: ToolKind;
  readonly permission?: Permission;
  readonly enabled?: boolean;
}

type Report = (message: string, severity?: Problem['severity']) => void;

/** Reads `accessMapping`: what arguments touch, by tool and argument. What cannot be read is reported and left out. */
export function parseMapping(value: unknown, report: Report): AccessMapping {
  if (value === undefined) return {};
  const out: Record<string, Record<string, ArgumentEffect>> = {};
  if (!isObject(value)) {
    report(`\`/accessMapping\` must be an object (got ${typeName(value)})`);
    return out;
  }
  for (const [tool, table] of Object.entries(value)) {
    if (!isObject(table)) {
      report(`\`/accessMapping/${tool}\` must be an object (got ${typeName(table)})`);
      continue;
    }
    const effects: Record<string, ArgumentEffect> = {};
    for (const [argument, effect] of Object.entries(table)) {
      if (typeof effect === 'string' && effect !== '') effects[argument] = effect;
      else if (Array.isArray(effect) && effect.length > 0 && effect.every((one): one is string => typeof one === 'string'))
        effects[argument] = effect;
      else report(`\`/accessMapping/${tool}/${argument}\` must be a side effect such as fs.read, several, or none`);
    }
    out[tool] = effects;
  }
  return out;
}

const kinds: ReadonlySet<unknown> = new Set(['data', 'state', 'action', 'control', 'status']);
const permissions: ReadonlySet<unknown> = new Set(['allowed', 'confirmation_required', 'forbidden']);

/** Reads `tools`: what the user says about tools, by name. What cannot be read is reported and left out. */
export function parseOverrides(value: unknown, report: Report): Readonly<Record<string, ToolOverride>> {
  if (value === undefined) return {};
  const out: Record<string, ToolOverride> = {};
  if (!isObject(value)) {
    report(`\`/tools\` must be an object (got ${typeName(value)})`);
    return out;
  }
  for (const [tool, table] of Object.entries(value)) {
    if (!isObject(table)) {
      report(`\`/tools/${tool}\` must be an object (got ${typeName(table)})`);
      continue;
    }
    const at = (key: string, expected: string): void => report(`\`/tools/${tool}/${key}\` must be ${expected}`);
    const { risk, sideEffects, kind, permission, enabled } = table;
    const level = readRiskLevel(risk);
    if (risk !== undefined && level === undefined) at('risk', 'one of low, medium, high, critical');
    if (kind !== undefined && !kinds.has(kind)) at('kind', 'one of data, state, action, control, status');
    if (permission !== undefined && !permissions.has(permission)) at('permission', 'one of allowed, confirmation_required, forbidden');
    const effects =
      Array.isArray(sideEffects) && sideEffects.every((one): one is string => typeof one === 'string') ? sideEffects : undefined;
    if (sideEffects !== undefined && !effects) at('sideEffects', 'an array of strings');
    out[tool] = {
      // The sets above have just been asked; their types are wider than what they hold.
      ...(level === undefined ? {} : { risk: level }),
      ...(kinds.has(kind) ? { kind: kind as ToolKind } : {}),
      ...(permissions.has(permission) ? { permission: permission as Permission } : {}),
      ...(effects ? { sideEffects: effects } : {}),
      ...(typeof enabled === 'boolean' ? { enabled } : {}),
    };
  }
  return out;
}

/** What the user says about one tool: what stands under `*` for all of the source, and over it what stands under the tool's own name. */
export function overrideFor(tools: Readonly<Record<string, ToolOverride>>, name: string): ToolOverride | undefined {
  const own = (key: string): ToolOverride | undefined => (Object.hasOwn(tools, key) ? tools[key] : undefined);
  const all = own('*');
  const one = own(name) ?? own(foreignToolName(name));
  return all || one ? { ...all, ...one } : undefined;
}
