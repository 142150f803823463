import { isObject } from '../base/json';
import type { Access } from '../vocabulary/access';

/** The accesses of a record, each checked; what is none is left out. */
export function parseAccesses(value: unknown): readonly Access[] {
  if (!Array.isArray(value)) return [];
  const items: readonly unknown[] = value;
  return items.flatMap((one): readonly Access[] => {
    if (!isObject(one)) return [];
    const { effect, resource, method, recursive, permanent } = one;
    if (typeof effect !== 'string' || typeof resource !== 'string') return [];
    return [
      {
        effect,
        resource,
        ...(typeof method === 'string' ? { method } : {}),
        ...(recursive === true ? { recursive } : {}),
        ...(permanent === true ? { permanent } : {}),
      },
    ];
  });
}
