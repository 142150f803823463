import { canonicalJson } from '../base/json';
import type { Crypto } from '../ports/platform';
import type { Settings } from '../settings/settings';
import type { Boundary } from '../vocabulary/boundary';
import type { AuditSink, PolicyRevision } from './event';

interface PolicyInForce {
  /** The rules in force: the same list while none changed. */
  readonly boundaries: () => readonly Boundary[];
  readonly settings: () => Settings;
  readonly crypto: Pick<Crypto, 'sha256'>;
}

/** Names the policy in force; computed once for each. */
export function policyRevisions({ boundaries, settings, crypto }: PolicyInForce): () => PolicyRevision {
  let known: { readonly rules: readonly Boundary[]; readonly of: Settings; readonly revision: PolicyRevision };
  return () => {
    const [rules, of] = [boundaries(), settings()];
    if (known?.rules === rules && known.of === of) return known.revision;
    const { managed, user, workspace, bundles } = of.layers;
    const limits = [managed, user, workspace, ...bundles.map((bundle) => bundle.settings)].map((one) => one.limits);
    const revision = {
      hash: crypto.sha256(canonicalJson({ rules, limits })),
      bundles: bundles.flatMap(({ name, revision: number, hash }) =>
        hash === '' ? [] : [`${name} ${number} ${hash}`],
      ),
    };
    known = { rules, of, revision };
    return revision;
  };
}

/** A sink whose records of calls name the policy by which they were judged: that in force when the call began to run. */
export function namingPolicy(audit: AuditSink, revision: () => PolicyRevision): AuditSink {
  const running = new Map<string, PolicyRevision>();
  return {
    record(event) {
      if (!('invocationId' in event)) return audit.record(event);
      const { type, invocationId } = event;
      const policy = running.get(invocationId) ?? revision();
      if (type === 'invocation.started') running.set(invocationId, policy);
      else if (type === 'invocation.finished') running.delete(invocationId);
      audit.record({ ...event, policy });
    },
  };
}
