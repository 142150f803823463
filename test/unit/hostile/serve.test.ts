import { say } from '../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { main } from '../../../src/cli/main';
import type { ApprovalRequest, GateCall } from '../../../src/core/call/gateCall';
import type { Access } from '../../../src/core/vocabulary/access';
import type { Provenance } from '../../../src/core/vocabulary/provenance';
import { ElicitationApprover } from '../../../src/mcp/server/elicitationApprovals';
import { ClientConnection, type Question, type RunningCall } from '../../../src/mcp/server/runningCalls';
import { unhurriedClock } from '../../support/unhurriedClock';
import { temporaryWorkspace } from '../../support/cli';
import { runs } from '../../support/counts';
import { fakeCall } from '../../support/gateCall';
import { scripted, served, until } from '../../support/mcp/harness';
import type { Reason } from '../../../src/core/vocabulary/decision';

const never = new AbortController().signal;
const writes: readonly Access[] = [{ effect: 'fs.write', resource: 'a.txt' }];
const asks: Reason = { said: say('confirmation_for_agents') };
const limit = (times: number): Reason => ({ said: say('same_call_again', times), rule: 'limit.repetition' });
const ruled: Reason = { said: say('as_it_is', 'the rule says so'), rule: 'no-friday' };

interface Made {
  readonly from: ClientConnection | undefined;
  readonly tool?: string;
  readonly accesses?: readonly Access[];
  readonly reasons?: readonly Reason[];
  readonly input?: unknown;
  readonly provenance?: Provenance;
  readonly profile?: string;
}

/** An approver with clients whose users answer what a test says. */
function approver(yes = false) {
  const running = new Map<string, RunningCall>();
  // Of the running calls, an approver looks for one by its id and nothing else.
  const calls = { of: (id: string) => running.get(id) } as never;
  const asked: Question[] = [];
  let decision = 'allow_session';
  let turns: string[] = [];
  const made = new ElicitationApprover({
    calls,
    clock: unhurriedClock(),
    timeoutSeconds: () => 0,
    yes,
    isAdmin: () => false,
  });
  let next = 0;
  const callOf = ({
    from,
    tool = 'write_file',
    accesses = writes,
    input = {},
    provenance,
    profile,
  }: Made): GateCall => {
    const id = `call${next++}`;
    running.set(id, {
      invocationId: id,
      connection: from,
      source: 'builtin',
      canAsk: true,
      canSample: false,
      ask: async (question) => {
        asked.push(question);
        return { action: 'accept', content: { decision: turns.shift() ?? decision } };
      },
      sample: async () => assert.fail(),
    });
    const call = fakeCall({ id, tool, accesses, input, ...(provenance ? { more: { provenance } } : {}) });
    const other = profile === undefined ? call.profile : { ...call.profile, id: profile };
    return { ...call, invocationId: id, profile: other as GateCall['profile'] };
  };
  const request = (one: Made, more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
    id: 'r',
    call: callOf(one),
    accesses: one.accesses ?? writes,
    reasons: one.reasons ?? [asks],
    preview: {},
    needsAdmin: false,
    ...more,
  });
  return {
    asked,
    answer(next: string): void {
      decision = next;
    },
    /** What is answered to the next questions, one after the other. */
    turn(next: readonly string[]): void {
      turns = [...next];
    },
    ask: (one: Made, more: Partial<ApprovalRequest> = {}) => made.ask(request(one, more), never),
    covers: (one: Made): boolean =>
      made.covering(callOf(one), one.accesses ?? writes, one.reasons ?? [asks]) !== undefined,
  };
}

const choices = ({ schema }: Question): readonly unknown[] =>
  // The form is one of ours.
  (schema as any).properties.decision.oneOf.map((one: { const: unknown }) => one.const);

describe('D.approval-binding: what a client’s user allows in serve', () => {
  const a = new ClientConnection();
  const first: Made = { from: a };
  const approved: Provenance = { by: 'workspace', from: 'server:s', hash: 'x' };
  const others: readonly (readonly [title: string, allowed: Made, then: Made, covered: boolean])[] = [
    ['covers the same call again', first, first, true],
    ['does not cover another client', first, { from: new ClientConnection() }, false],
    ['does not cover a request of no connection', first, { from: undefined }, false],
    ['does not cover another reason', first, { from: a, reasons: [ruled] }, false],
    ['does not cover one reason more', first, { from: a, reasons: [asks, ruled] }, false],
    ['covers fewer reasons', { from: a, reasons: [asks, ruled] }, { from: a, reasons: [ruled] }, true],
    [
      'does not cover a rule of another name',
      { from: a, reasons: [ruled] },
      { from: a, reasons: [{ ...ruled, rule: 'b' }] },
      false,
    ],
    [
      'does not cover a rule that says something else',
      { from: a, reasons: [ruled] },
      { from: a, reasons: [{ ...ruled, said: say('as_it_is', 'b') }] },
      false,
    ],
    ['covers a limit that has counted on', { from: a, reasons: [limit(3)] }, { from: a, reasons: [limit(4)] }, true],
    [
      'does not cover a rule that calls itself a limit',
      { from: a, reasons: [limit(3)] },
      { from: a, reasons: [{ said: say('as_it_is', 'no'), rule: 'limit.repetition' }] },
      false,
    ],
    ['does not cover what needs the admin token', first, { from: a, reasons: [{ ...asks, admin: true }] }, false],
    ['does not cover another tool', first, { from: a, tool: 'delete_file' }, false],
    ['does not cover another file', first, { from: a, accesses: [{ effect: 'fs.write', resource: 'b.txt' }] }, false],
    [
      'does not cover another effect',
      first,
      { from: a, accesses: [{ effect: 'fs.delete', resource: 'a.txt' }] },
      false,
    ],
    [
      'does not cover one file more',
      first,
      { from: a, accesses: [...writes, { effect: 'fs.write', resource: 'b' }] },
      false,
    ],
    ['does not cover another profile', first, { from: a, profile: 'other' }, false],
    [
      'does not cover other arguments where nothing is touched',
      { from: a, accesses: [], input: { x: 1 } },
      { from: a, accesses: [], input: { x: 2 } },
      false,
    ],
    [
      'covers the same arguments where nothing is touched',
      { from: a, accesses: [], input: { x: 1 } },
      { from: a, accesses: [], input: { x: 1 } },
      true,
    ],
    [
      'does not cover what the tool became',
      { from: a, provenance: approved },
      { from: a, provenance: { ...approved, hash: 'y' } },
      false,
    ],
    [
      'does not cover the tool of another origin',
      { from: a, provenance: approved },
      { from: a, provenance: { ...approved, by: 'user' } },
      false,
    ],
    ['does not cover a tool that nobody vouched for', { from: a, provenance: approved }, { from: a }, false],
  ];
  for (const [title, allowed, then, covered] of others)
    it(`D.approval-binding S1.policy: ${title}`, async () => {
      const d = approver();
      allowed.from?.allowed.clear();
      assert.equal((await d.ask(allowed)).outcome, 'allowed');
      assert.equal(d.covers(then), covered);
    });

  for (const decision of ['allow_once', 'deny', 'ALLOW_SESSION', 'allow_always', ''])
    it(`D.approval-binding: \`${decision}\` is remembered for nobody`, async () => {
      const d = approver();
      const from = new ClientConnection();
      d.answer(decision);
      assert.equal((await d.ask({ from })).outcome, decision === 'allow_once' ? 'allowed' : 'denied');
      assert.equal(d.covers({ from }), false);
    });

  it('D.approval-binding: nothing can be remembered where requests belong to no connection, or not all was shown', async () => {
    const d = approver();
    assert.equal((await d.ask({ from: undefined })).outcome, 'denied', 'it was not offered');
    const from = new ClientConnection();
    const long = { lines: Array.from({ length: 100 }, (_, i) => `line ${i}`) };
    assert.equal((await d.ask({ from }, { preview: long })).outcome, 'denied');
    assert.deepEqual(d.asked.map(choices), [
      ['allow_once', 'deny'],
      ['allow_once', 'deny'],
    ]);
    assert.equal(d.covers({ from }), false);
  });

  it('D.approval-binding: what a call would do is shown to its end before the yes, by pages where it is long', async () => {
    const d = approver();
    d.answer('allow_once');
    const from = new ClientConnection();
    const lines = (count: number): object => ({
      lines: Array.from({ length: count }, (_, i) => `line ${i} ${'x'.repeat(200)}`),
    });
    assert.equal((await d.ask({ from }, { preview: lines(25) })).outcome, 'allowed');
    assert.ok(d.asked[0]?.message.includes('line 24 '), d.asked[0]?.message);
    // Whoever says yes to the first of several pages has not seen the others.
    assert.deepEqual([(await d.ask({ from }, { preview: lines(60) })).outcome, d.asked.length], ['denied', 2]);
    assert.deepEqual(d.asked.map(choices), [
      ['allow_once', 'deny'],
      ['next', 'refuse'],
    ]);
    const tooLong = await d.ask({ from }, { preview: lines(8000) });
    assert.deepEqual(
      [tooLong.outcome, tooLong.outcome === 'denied' && tooLong.by, d.asked.length],
      ['denied', 'unavailable', 2],
    );
    d.turn(['next', 'next', 'allow_once']);
    assert.equal((await d.ask({ from }, { preview: lines(60) })).outcome, 'allowed');
    assert.match(d.asked.at(-1)?.message ?? '', /line 59 x+[^]*\(page 3 of 3\)$/);
    d.turn(['next', 'refuse', 'allow_once']);
    assert.equal((await d.ask({ from }, { preview: lines(60) })).outcome, 'denied');
  });

  it('D.approval-binding D.tightens: a call is covered only where that very client was asked for every one of its reasons', async () => {
    const reason = fc.constantFrom<Reason>(
      asks,
      ruled,
      { said: say('as_it_is', 'a') },
      { said: say('as_it_is', 'a'), rule: 'r' },
      { said: say('as_it_is', 'b'), rule: 'r' },
    );
    const step = fc.record({
      client: fc.nat(2),
      tool: fc.constantFrom('write_file', 'delete_file'),
      resource: fc.constantFrom('a', 'b'),
      reasons: fc.uniqueArray(reason, { minLength: 1, maxLength: 3 }),
      decision: fc.constantFrom('allow_session', 'allow_session', 'allow_once', 'deny'),
      reconnects: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const d = approver();
        const clients = [new ClientConnection(), new ClientConnection(), new ClientConnection()];
        const model = new Map<string, Set<string>>();
        for (const { client, tool, resource, reasons, decision, reconnects } of steps) {
          if (reconnects) {
            clients[client] = new ClientConnection();
            for (const key of [...model.keys()]) if (key.startsWith(`${client} `)) model.delete(key);
          }
          const one: Made = { from: clients[client], tool, accesses: [{ effect: 'fs.write', resource }], reasons };
          const key = `${client} ${tool} ${resource}`;
          const known = model.get(key) ?? new Set();
          const words = reasons.map((each) => JSON.stringify([each.rule, each.said]));
          const covered = model.has(key) && words.every((word) => known.has(word));
          assert.equal(d.covers(one), covered);
          if (covered) continue;
          d.answer(decision);
          await d.ask(one);
          if (decision === 'allow_session') model.set(key, new Set([...known, ...words]));
        }
      }),
      { numRuns: runs(12, 1000, 2000) },
    );
  });
});

describe('D.approval-binding: serve, with real clients', () => {
  const tools = [
    ...Array.from({ length: 60 }, (_, i) => ({
      name: `tool_${i}`,
      description: 'Does a lot of things. '.repeat(8),
      inputSchema: { type: 'object' },
    })),
    { name: 'steal', description: 'Steals.', inputSchema: { type: 'object' } },
  ];

  it('D.approval-binding: a client that says yes to the first page of a long list gets none of its tools', async () => {
    const s = await served({
      servers: { s: scripted({ tools }) },
      answer: () => ({ action: 'accept', content: { decision: 'approve' } }),
    });
    try {
      const names = (await s.client.listTools()).tools.map(({ name }) => name);
      await until(() => s.questions.length > 0);
      assert.deepEqual([s.questions.length, names.filter((name) => name.startsWith('s_'))], [1, []]);
    } finally {
      await s.close();
    }
  });

  it('D.approval-binding: a rule that asks from now on is asked about, whatever was allowed before', async () => {
    const s = await served({ answer: () => ({ action: 'accept', content: { decision: 'allow_session' } }) });
    try {
      let times = 0;
      const write = () => s.call('write_file', { path: '/a.txt', content: `${times++}` });
      await write();
      await write();
      const before = s.questions.length;
      await write();
      assert.equal(s.questions.length, before);
      const folder = path.join(s.folder, '.vscode', 'capabilities');
      mkdirSync(folder, { recursive: true });
      const rule = {
        id: 'no-friday',
        match: { accessAny: ['fs.write'], path: '**' },
        decision: 'require_approval',
        reason: 'not on a friday',
      };
      writeFileSync(path.join(folder, 'boundaries.json'), JSON.stringify([rule]));
      await write();
      assert.equal(s.questions.length, before + 1);
      assert.match(s.questions.at(-1) ?? '', /not on a friday/);
      await write();
      assert.equal(s.questions.length, before + 1, 'and once only');
    } finally {
      await s.close();
    }
  });

  it('D.approval-binding: over HTTP, what one client’s user allowed holds neither for another client nor for one that comes back', async () => {
    const { folder, dispose } = temporaryWorkspace({ token: 'a'.repeat(64) });
    const stop = new AbortController();
    const errors: string[] = [];
    const ended = main(['serve', '--workspace', folder, '--http', '0', '--token-file', path.join(folder, 'token')], {
      out() {},
      error: (line) => errors.push(line),
      environment: { PATH: process.env['PATH'] },
      signal: stop.signal,
      clock: unhurriedClock(),
    });
    const connect = async (decision: string, era: 'legacy' | 'modern' = 'legacy') => {
      const asked: string[] = [];
      const mode = era === 'modern' ? { pin: '2026-07-28' } : ('legacy' as const);
      const client = new Client(
        { name: 'same-name', version: '1' },
        { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
      );
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        asked.push(params.message);
        return { action: 'accept', content: { decision } };
      });
      const url = new URL(/listening on (\S+)/.exec(errors.join('\n'))?.[1] ?? '');
      const headers = { Authorization: `Bearer ${'a'.repeat(64)}` };
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
      const write = async (): Promise<boolean> => {
        const answer: any = await client.callTool({ name: 'write_file', arguments: { path: '/a.txt', content: 'x' } });
        return answer.isError !== true;
      };
      return { client, asked, write };
    };
    try {
      await until(() => errors.some((line) => /listening on/.test(line)));
      const a = await connect('allow_session');
      assert.ok((await a.write()) && (await a.write()));
      const before = a.asked.length;
      assert.ok(await a.write());
      assert.equal(a.asked.length, before, 'allowed for the session');
      const b = await connect('deny');
      assert.deepEqual([await b.write(), b.asked.length], [false, 1]);
      const again = await connect('deny');
      await a.client.close();
      assert.deepEqual([await again.write(), again.asked.length], [false, 1]);
      // A client of the newer protocol has no session that anything could be remembered for.
      const modern = await connect('allow_once', 'modern');
      assert.deepEqual([await modern.write(), await modern.write(), modern.asked.length], [true, true, 2]);
      for (const one of [b, again, modern]) await one.client.close();
    } finally {
      stop.abort();
      await ended;
      dispose();
    }
  });
});
