import type { GateCall } from '../call/gateCall';
import { familyOf, type SideEffect } from '../vocabulary/access';
import { sourceKind } from '../vocabulary/toolSource';

/** True for a call that may change files of the workspace without our ports: it runs a program, or is run by others. */
export function changesOutside({ tool, accesses }: Pick<GateCall, 'tool' | 'accesses'>): boolean {
  const runs = accesses.some(({ effect }) => effect.startsWith('system.exec'));
  const { isRunHere, isFetched, isOthers } = sourceKind(tool.source);
  // What our own code does to files goes through our ports, and so does what it asks of others.
  if (runs || isRunHere || isFetched) return runs;
  const { sideEffects, kind, origins } = tool.definition;
  if (accesses.some(({ effect }) => isChange(effect)) || sideEffects.some(isChange)) return true;
  if (kind === 'data' || kind === 'status') return false;
  // What a stranger's tool is called, and what its arguments are, says nothing of what else it does.
  if (isOthers && origins?.sideEffects === 'inferred') return true;
  // Of a tool of which nothing is known everything may be.
  return accesses.length === 0 && sideEffects.length === 0;
}

const isChange = (effect: SideEffect): boolean =>
  effect.startsWith('system.exec') || (familyOf(effect) === 'fs' && effect !== 'fs.read');
