import { isObject, type JsonObject } from '../base/json';
import { pointerParts } from '../base/pointer';
import type { RecentInputs } from './recentInputs';
import type { AuditRecord } from './record';
import { familyOf } from '../vocabulary/access';

/**
 * The arguments with which a recorded call can be run again, as far as they are still known: those that this window
 * remembers, else those that the log keeps. A value that the log holds in cleaned form is left out, so that nobody
 * sends the words that stand in its place.
 */
export function argumentsToRunAgain(record: AuditRecord, inputs: Pick<RecentInputs, 'of'>): JsonObject {
  const remembered = inputs.of(record['gen_ai.tool.call.id'] ?? '')?.input;
  if (isObject(remembered)) return remembered as JsonObject; // reason: the gate read it as JSON
  const kept = record['gen_ai.tool.call.arguments'];
  if (isObject(kept)) {
    const places = (record.hidden ?? []).map(({ path }) => pointerParts(path));
    const cleaned = new Set(places.flatMap(([root, name]) => (root === 'arguments' ? [name] : [])));
    return Object.fromEntries(Object.entries(kept).filter(([name]) => !cleaned.has(name))) as JsonObject; // reason: part of JSON
  }
  // With no arguments kept, the one file that a call touched is what most of them ask for.
  const [only, ...more] = record.accesses ?? [];
  return only && familyOf(only.effect) === 'fs' && more.length === 0 ? { path: only.resource } : {};
}
