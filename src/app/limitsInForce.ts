import type { Problem } from '../core/base/problem';
import { effectiveLimits, parseLimits, parseManagedLimits } from '../core/policy/limits/limitSettings';
import type { Settings } from '../core/settings/settings';

/** The limits that all scopes come to together, and what is wrong with them. */
export function limitsInForce({ layers }: Settings) {
  const managed = layers.managed['limits'];
  const user = managed === undefined ? parseLimits(layers.user['limits']) : parseManagedLimits(managed);
  const bundled = layers.bundles.map((bundle) => bundle.settings['limits']);
  const { value, problems } = effectiveLimits(user.value, layers.workspace['limits'], bundled);
  const found: readonly Problem[] = [...user.problems, ...problems];
  return { value, problems: found };
}
