import { defined, isObject, type Json, plainJson } from '../../base/json';
import { parseGranted } from './grantPattern';
import type { Grant, GrantCover, GrantScope } from './grant';

/** So long, in milliseconds, and so many ids of grants that are gone are kept, for windows that still know them. */
const keptGoneMs = 90 * 86_400_000;
const mostGone = 5000;

/** When each grant that was revoked or used up went, by its id. */
type GoneGrants = ReadonlyMap<string, number>;

/** The grants of a scope, and those that are gone, as one value. */
export function toStored(grants: readonly Grant[], gone: GoneGrants, now: number): Json | undefined {
  const kept = [...gone].filter(([, at]) => now - at < keptGoneMs).sort(([, a], [, b]) => a - b);
  const rows = [...grants, ...kept.slice(-mostGone).map(([id, goneAt]) => ({ id, goneAt }))];
  return rows.length === 0 ? undefined : plainJson(rows);
}

/** Reads what was stored; a row in which anything is unexpected is void, so that it is asked again. */
export function fromStored(
  stored: unknown,
  scope: GrantScope,
): { readonly grants: readonly Grant[]; readonly gone: GoneGrants } {
  const rows: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const gone = rows.flatMap((row): [string, number][] =>
    isObject(row) && isText(row['id']) && isNumber(row['goneAt']) ? [[row['id'], row['goneAt']]] : [],
  );
  return { grants: rows.flatMap((row) => parseGrant(row, scope) ?? []), gone: new Map(gone) };
}

function parseGrant(value: unknown, scope: GrantScope): Grant | undefined {
  if (!isObject(value)) return undefined;
  const { id, toolId, toolName, binding, actor, reasons } = value;
  const { createdAt, expiresAt, usesLeft, admin } = value;
  const cover = parseCover(value['cover']);
  if (!isText(id) || !isText(toolId) || !isText(toolName) || !isText(binding) || !cover) return undefined;
  if ((actor !== 'agent' && actor !== 'user') || !Array.isArray(reasons) || !reasons.every(isText)) return undefined;
  if (!isNumber(createdAt) || !isNumberIfThere(expiresAt) || !isNumberIfThere(usesLeft)) return undefined;
  return {
    id,
    toolId,
    toolName,
    binding,
    actor,
    scope,
    cover,
    reasons,
    createdAt,
    ...defined({ expiresAt, usesLeft, admin: admin === true || undefined }),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isNumberIfThere = (value: unknown): value is number | undefined => value === undefined || isNumber(value);

function parseCover(value: unknown): GrantCover | undefined {
  if (!isObject(value)) return undefined;
  if (value['type'] === 'tool') return { type: 'tool' };
  const { digest, shown, accesses } = value;
  if (value['type'] === 'arguments' && isText(digest) && isText(shown)) return { type: 'arguments', digest, shown };
  if (value['type'] !== 'resources' || !Array.isArray(accesses)) return undefined;
  const rows = accesses.map(parseGranted).filter((row) => row !== undefined);
  return rows.length === accesses.length ? { type: 'resources', accesses: rows } : undefined;
}
