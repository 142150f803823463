import { canonicalJson } from '../base/json';
import type { Crypto } from '../ports/platform';
import type { Settings } from '../settings/settings';
import type { Boundary } from '../vocabulary/boundary';
import type { PolicyRevision } from './event';

/** Names a policy: the rules and limits in force, and the signed bundles that say some of them. */
export function policyRevision(
  rules: readonly Boundary[],
  { layers: { managed, user, workspace, bundles } }: Settings,
  crypto: Pick<Crypto, 'sha256'>,
): PolicyRevision {
  const limits = [managed, user, workspace, ...bundles.map((bundle) => bundle.settings)].map((one) => one.limits);
  return {
    hash: crypto.sha256(canonicalJson({ rules, limits })),
    bundles: bundles.flatMap(({ name, revision, hash }) => (hash === '' ? [] : [`${name} ${revision} ${hash}`])),
  };
}
