import { say, worded } from '../../src/core/base/sentence';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AuditEvent } from '../../src/core/audit/event';
import type { Head, HeadKeeper } from '../../src/core/audit/head';

type Finished = Extract<AuditEvent, { type: 'invocation.finished' }>;
type Violation = Extract<AuditEvent, { type: 'policy.violation' }>;

const facts = {
  invocationId: 'c0ffee00-0000-4000-8000-0000a81f3c',
  toolId: 'cap:file_system:write_file',
  toolName: 'write_file',
  capabilityId: 'file_system',
  source: 'builtin',
  riskLevel: 'medium',
  actor: { type: 'agent', id: 'copilot' },
  surface: 'chat',
  profileId: 'Writer',
  mode: 'execute',
} as const;

/** A finished call as the gate reports it; a test overrides what it is about. */
export function finished(more: Partial<Finished> = {}): Finished {
  return {
    ...facts,
    type: 'invocation.finished',
    time: Date.UTC(2026, 10, 21, 12, 0, 0),
    outcome: 'success',
    durationMs: 14,
    accesses: [{ effect: 'fs.write', resource: 'src/app.ts' }],
    withheld: 0,
    steps: [
      { step: 'find', effect: 'pass', reasons: [] },
      { step: 'permission', effect: 'ask', reasons: [{ said: say('confirmation_for_agents') }] },
      {
        step: 'boundaries',
        effect: 'pass',
        reasons: [{ said: say('as_it_is', 'only advises'), rule: 'source-code', advisory: true }],
      },
    ],
    declaredSideEffects: ['fs.write'],
    input: { path: 'src/app.ts', content: 'const port = 8080\n' },
    payload: { path: 'src/app.ts', size: 18 },
    approvedBy: 'user',
    approvalWaitMs: 2100,
    ...more,
  };
}

const denied = say(
  'denied_with_steer',
  'no-secrets',
  say('as_it_is', '.env files hold secrets'),
  say('as_it_is', 'read .env.example'),
);

/** A denied call; a message that a test gives stands in its record, as one does whose secrets were hidden. */
export function violation(more: Partial<Violation> = {}): Violation {
  return {
    ...facts,
    type: 'policy.violation',
    time: Date.UTC(2026, 10, 21, 12, 0, 1),
    step: 'boundaries',
    errorCode: 'denied_by_policy',
    errorMessage: worded(denied),
    said: denied,
    rules: ['no-secrets'],
    accesses: [{ effect: 'fs.read', resource: '.env' }],
    steps: [
      {
        step: 'boundaries',
        effect: 'deny',
        reasons: [{ said: say('as_it_is', '.env files hold secrets'), rule: 'no-secrets' }],
      },
    ],
    input: { path: '.env' },
    ...more,
  };
}

/** Runs a test with a folder of its own, which is gone afterwards. */
export async function withFolder<T>(body: (dir: string) => T | Promise<T>): Promise<T> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'audit-'));
  try {
    return await body(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Keeps heads in memory, as the editor's storage does for a user. */
export function memoryKeeper(): HeadKeeper {
  const kept = new Map<string, Head>();
  return {
    heads: () => [...kept.values()],
    keep: (head) => void kept.set(head.segment, head),
    forget: (segments) => segments.forEach((segment) => kept.delete(segment)),
  };
}
