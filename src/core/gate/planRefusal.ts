import { familyOf, isReadOnly } from '../vocabulary/access';
import type { RegisteredTool } from '../registry/registry';
import { sourceKind } from '../vocabulary/toolSource';

/**
 * What plan mode refuses of a tool, as far as its declaration tells before there is a call: every call, those that
 * change something, or none. `checkMode` decides of each call by what it touches.
 */
export function plansRefuse({ definition, source }: RegisteredTool): 'all' | 'changes' | 'nothing' {
  const { sideEffects, kind } = definition;
  const acts = kind === 'action' || kind === 'control';
  if (sideEffects.length === 0) return acts && !sourceKind(source).isOurs ? 'all' : 'nothing';
  const changing = sideEffects.filter((effect) => !isReadOnly({ effect, resource: '' }));
  // Whether a request only reads is seen by its method.
  if (changing.some((effect) => familyOf(effect) !== 'network')) return 'all';
  return changing.length > 0 && acts ? 'changes' : 'nothing';
}
