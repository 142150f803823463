import { canonicalJson } from '../base/json';
import type { Crypto } from '../ports/platform';
import { isOwnFilesId } from '../policy/rules/ownFiles';
import type { Settings } from '../settings/settings';
import type { Boundary } from '../vocabulary/boundary';
import type { PolicyRevision } from './event';

/**
 * Names a policy: the rules and limits in force, and the signed bundles that say some of them. The rules that close our
 * own places name folders of this machine, as do the files in which rules stand, so these are left out.
 */
export function policyRevision(
  rules: readonly Boundary[],
  { layers: { managed, user, workspace, bundles } }: Settings,
  crypto: Pick<Crypto, 'sha256'>,
): PolicyRevision {
  const said = rules
    .filter(({ id, scope }) => !(scope === 'builtin' && isOwnFilesId(id)))
    .map(({ file: _file, line: _line, ...rule }) => rule);
  const limits = [managed, user, workspace, ...bundles.map((bundle) => bundle.settings)].map((one) => one.limits);
  return {
    hash: crypto.sha256(canonicalJson({ rules: said, limits })),
    bundles: bundles.flatMap(({ name, revision, hash }) => (hash === '' ? [] : [`${name} ${revision} ${hash}`])),
  };
}
