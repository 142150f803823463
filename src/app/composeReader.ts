import type { PolicyRevision } from '../core/audit/event';
import type { CallApprover } from '../core/call/gateCall';
import { ReaderApprovals } from '../core/policy/approvals/readerApprovals';
import type { PolicyEngine } from '../core/policy/rules/engine';
import type { SecondReader } from '../core/ports/secondReader';
import type { SettingsInForce } from '../core/settings/settingsInForce';
import type { Platform } from './platform';

interface ReaderParts {
  readonly platform: Pick<Platform, 'clock' | 'storage'>;
  readonly settings: SettingsInForce;
  readonly engine: PolicyEngine;
  /** The policy in force, as records name it. */
  readonly revision: () => PolicyRevision;
  readonly person: Pick<CallApprover, 'ask'>;
  readonly reader: SecondReader;
  readonly onError: (error: unknown) => void;
}

/** The second reader before a person; loaded with the first question while `approvals.reader` names a model. */
export function composeReader(parts: ReaderParts): ReaderApprovals {
  const { platform, settings, engine, revision, person, reader, onError } = parts;
  const { clock, storage } = platform;
  return new ReaderApprovals({
    reader,
    person,
    clock,
    storage,
    rules: (id) => engine.rules().flatMap(({ boundary }) => (boundary.id === id ? [boundary] : [])),
    policyRevision: () => revision().hash.slice(0, 16),
    choice: () => settings.now.get('approvals.reader').trim(),
    perHour: () => settings.now.get('approvals.readerPerHour'),
    onError,
  });
}
