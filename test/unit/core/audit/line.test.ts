import { strict as assert } from 'node:assert';
import { auditLine } from '../../../../src/core/audit/line';
import { createRedactor } from '../../../../src/core/audit/redact';
import { inputShape } from '../../../../src/core/audit/shape';
import { say } from '../../../../src/core/base/sentence';
import { combineSinks } from '../../../../src/core/audit/sinks';
import type { AuditEvent } from '../../../../src/core/audit/event';
import { auditChannel } from '../../../../src/vscode/audit/auditChannel';
import { finished, violation } from '../../../support/auditEvents';

const redactor = createRedactor();
const line = (event: AuditEvent): string | undefined => {
  const made = auditLine(event, redactor);
  return made && `${made.level}: ${made.text}`;
};

describe('the audit line', () => {
  it('D.audit-channel: says who called what, how it was decided, what it touched and how it ended', () => {
    const { type: _type, outcome: _outcome, ...facts } = finished();
    const started: AuditEvent = { ...facts, type: 'invocation.started' };
    assert.deepEqual(
      [
        finished(),
        finished({ steps: [], accesses: [], outcome: 'tool_error', errorCode: 'not_found', durationMs: 3, ...without }),
        finished({ outcome: 'internal_error', errorCode: 'internal_error', reference: 'r-1', steps: [] }),
        violation(),
        violation({ deniedBy: 'user', approvalWaitMs: 900, errorCode: 'declined', errorMessage: 'the user declined' }),
        started,
        { ...started, riskLevel: 'low' as const },
        { ...started, riskLevel: 'high' as const },
        { type: 'audit' as const, time: 0, what: 'lost' as const, detail: say('note_lost'), count: 1234 },
      ].map(line),
      [
        'info: agent  Writer  write_file  ask→allowed by user (2.1 s)  fs.write src/app.ts  ok 14 ms  #a81f3c',
        'info: agent  Writer  write_file  allowed  not_found 3 ms  #a81f3c',
        'error: agent  Writer  write_file  ask→allowed by user (2.1 s)  fs.write src/app.ts  internal_error 14 ms  reference r-1  #a81f3c',
        'warn: agent  Writer  write_file  denied at boundaries  fs.read .env  denied_by_policy  denied by boundary "no-secrets": .env files hold secrets. allowed instead: read .env.example  #a81f3c',
        'warn: agent  Writer  write_file  ask→denied by user (900 ms)  fs.read .env  declined  the user declined  #a81f3c',
        'info: agent  Writer  write_file  started  #a81f3c',
        undefined,
        'info: agent  Writer  write_file  started  fs.write src/app.ts  { path: string(10), content: string(18) }  #a81f3c',
        'error: audit  lost  1,234  records did not fit while the log could not be written',
      ],
    );
  });

  it('cannot be forged or coloured by what a model names, and shows no secret', () => {
    const text = line(
      finished({
        toolName: 'x\n2026 [warn] y\u001b[31m\u202e',
        accesses: [{ effect: 'network.http', resource: 'https://a:hunter22@b.c/?token=abcdef' }],
      }),
    );
    assert.match(text ?? '', /x⟨U\+000A⟩2026 \[warn\] y⟨U\+001B⟩\[31m⟨U\+202E⟩/);
    assert.doesNotMatch(text ?? '', /hunter22|abcdef/);
  });

  it('goes to the log output channel at its level, and a closed channel fails no call', () => {
    const seen: string[] = [];
    const say = (level: string) => (text: string) => void seen.push(`${level} ${text.split('  ')[2]}`);
    const channel = auditChannel(
      { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') },
      redactor,
    );
    channel.record(finished());
    channel.record(violation());
    channel.record(finished({ outcome: 'internal_error' }));
    const closed = auditChannel(
      {
        debug() {},
        warn() {},
        error() {},
        info() {
          throw new Error('closed');
        },
      },
      redactor,
    );
    closed.record(finished());
    assert.deepEqual(seen, ['info write_file', 'warn write_file', 'error write_file']);
  });

  it('reaches every sink although one throws, which is said once', () => {
    const heard: string[] = [];
    const problems: string[] = [];
    const bad = {
      record() {
        throw new Error('broken');
      },
    };
    const sink = combineSinks([bad, { record: (event) => void heard.push(event.type) }], (message) =>
      problems.push(message),
    );
    sink.record(finished());
    sink.record(violation());
    assert.deepEqual(
      [heard, problems],
      [['invocation.finished', 'policy.violation'], ['an audit sink failed: broken']],
    );
  });
});

const without = { approvedBy: undefined, approvalWaitMs: undefined } as never as object;

describe('the shape of arguments', () => {
  it('tells types and sizes and no value, not even a short one or a key that is content', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    assert.deepEqual(
      [
        { path: 'src/app.ts', content: 'x'.repeat(1204) },
        { mode: 'overwrite', count: 3, ratio: 0.5, all: true, none: null },
        [1, 2, 'a', 'b'],
        { 'my key!': 'v', deep: { a: { b: { c: { d: 1 } } } } },
        cycle,
        {
          get bad(): string {
            throw new Error('no');
          },
        },
        new Uint8Array(5000),
        undefined,
      ].map(inputShape),
      [
        '{ path: string(10), content: string(1,204) }',
        '{ mode: string(9), count: integer, ratio: number, all: boolean, none: null }',
        'array(4 of integer | string(1) | …)',
        '{ key(7): string(1), deep: { a: { b: { c: { 1 keys } } } } }',
        '{ self: { self: { self: { self: { 1 keys } } } } }',
        'unreadable',
        'bytes(5,000)',
        'nothing',
      ],
    );
  });
});
