import { worded } from '../base/sentence';
import type { Access } from '../vocabulary/access';
import type { AuditEvent } from './event';
import type { Redactor } from './redact';
import { inputShape } from './shape';
import { withoutContent } from './withoutContent';
import { cut, duration, grouped } from '../base/figures';

interface AuditLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
}

const shownAccesses = 3;

/**
 * Words an event as one line of the output channel, which adds the time:
 * `agent  Writer  write_file  ask→allowed by user (2.1 s)  fs.write src/app.ts  ok 14 ms  #a81f3c`.
 * Denials are warnings and internal errors are errors. The risk decides how much is said.
 */
export function auditLine(
  event: AuditEvent,
  redactor: Redactor,
  profileName: (id: string) => string = (id) => id,
): AuditLine | undefined {
  const clean = (text: string): string => visible(cut(redactor.text(text), 300));
  switch (event.type) {
    case 'changed':
      return line('info', event.actor.type, `${event.what} changed`, clean(event.id), clean(worded(event.detail)));
    case 'probe':
      return line('info', 'probe', clean(event.requirementId), clean(event.state), duration(event.durationMs));
    case 'server': {
      const level = event.state === 'failed' ? 'error' : 'info';
      return line(level, 'server', clean(event.server), event.state, clean(worded(event.detail)));
    }
    case 'audit': {
      const level = event.what === 'lost' ? 'error' : event.what === 'opened' ? 'debug' : 'warn';
      const count = event.count === undefined ? '' : grouped(event.count);
      return line(level, 'audit', event.what, count, clean(worded(event.detail)));
    }
    default:
      return callLine(event, clean, profileName);
  }
}

type CallEvent = Exclude<AuditEvent, { readonly type: 'changed' | 'probe' | 'server' | 'audit' }>;

/** The line of a call, or of a question about one; none for the start and the question of one with a low risk. */
function callLine(
  told: CallEvent,
  clean: (text: string) => string,
  profileName: (id: string) => string,
): AuditLine | undefined {
  const event = withoutContent(told);
  const risk = event.riskLevel;
  const head = [event.actor.type, clean(profileName(event.profileId)), clean(event.toolName)];
  const id = `#${shortId(event.invocationId)}`;
  const shape = 'input' in event && (risk === 'high' || risk === 'critical') ? clean(inputShape(event.input)) : '';
  switch (event.type) {
    case 'invocation.started':
      if (risk === 'low') return undefined;
      return line('info', ...head, 'started', shape === '' ? '' : accessWords(event.accesses, clean), shape, id);
    case 'invocation.finished':
      return line(
        event.outcome === 'internal_error' ? 'error' : 'info',
        ...head,
        decision(event, clean),
        accessWords(event.accesses, clean),
        event.withheld > 0 ? `${grouped(event.withheld)} left out` : '',
        event.retries ? `tried ${event.retries.length + 1} times` : '',
        `${event.outcome === 'success' ? 'ok' : (event.errorCode ?? event.outcome)} ${duration(event.durationMs)}`,
        event.outcome === 'internal_error' && event.reference !== undefined ? `reference ${event.reference}` : '',
        shape,
        id,
      );
    case 'policy.violation':
      return line(
        'warn',
        ...head,
        event.deniedBy === undefined
          ? `denied at ${event.step}`
          : `ask→denied by ${clean(event.deniedBy)}${waited(event.approvalWaitMs)}`,
        accessWords(event.accesses, clean),
        event.errorCode,
        clean(event.errorMessage),
        shape,
        id,
      );
    case 'approval.asked':
      if (risk === 'low') return undefined;
      return line(
        'info',
        ...head,
        'asks',
        accessWords(event.accesses, clean),
        clean(event.reasons.map((one) => worded(one)).join('; ')),
        id,
      );
    case 'approval.answered':
      return line(
        event.outcome === 'denied' ? 'warn' : 'info',
        ...head,
        `${event.outcome} by ${clean(event.by)}${waited(event.waitedMs)}`,
        event.grantId === undefined ? '' : clean(event.grantId),
        id,
      );
  }
}

function line(level: AuditLine['level'], ...parts: readonly string[]): AuditLine {
  return { level, text: parts.filter((part) => part !== '').join('  ') };
}

function waited(ms: number | undefined): string {
  return ms === undefined ? '' : ` (${duration(ms)})`;
}

function decision(
  event: Extract<AuditEvent, { type: 'invocation.finished' }>,
  clean: (text: string) => string,
): string {
  const asked = event.steps.some((step) => step.effect === 'ask');
  if (event.approvedBy === undefined) return asked ? 'ask→allowed' : 'allowed';
  return `ask→allowed by ${clean(event.approvedBy)}${waited(event.approvalWaitMs)}`;
}

function accessWords(accesses: readonly Access[], clean: (text: string) => string): string {
  const shown = accesses.slice(0, shownAccesses).map((access) => `${clean(access.effect)} ${clean(access.resource)}`);
  if (accesses.length > shownAccesses) shown.push(`… ${grouped(accesses.length - shownAccesses)} more`);
  return shown.join(', ');
}

/** The end of an id finds its record and fits a line. */
function shortId(invocationId: string): string {
  return invocationId.replace(/[^A-Za-z0-9]/g, '').slice(-6);
}

/** A line break or an escape in a path must not forge a line of the log. */
function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (char) => `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}
