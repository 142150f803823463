import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { say } from '../../../../src/core/base/sentence';
import type { ApprovalRequest } from '../../../../src/core/call/gateCall';
import { ReaderApprovals } from '../../../../src/core/policy/approvals/readerApprovals';
import { placesOf } from '../../../../src/core/policy/approvals/readerClass';
import { readerQuestion, readerSays } from '../../../../src/core/policy/approvals/readerQuestion';
import type { SecondReader } from '../../../../src/core/ports/secondReader';
import type { Access } from '../../../../src/core/vocabulary/access';
import type { Reason } from '../../../../src/core/vocabulary/decision';
import { runs } from '../../../support/counts';
import { fakeCall } from '../../../support/gateCall';
import { FakeClock, MemoryStore } from '../../../support/toolContext';

const yes: SecondReader = { ask: async () => ({ model: 'm', text: 'yes' }) };
const permission: Reason = { said: say('confirmation_for_agents') };
const byRule = (rule: string): Reason => ({ said: say('boundary_says', rule, 'because'), rule });
const scopes = { own: 'user', theirs: 'workspace', shipped: 'builtin', ordered: 'managed', team: 'bundle' } as const;

function asked(more: Partial<ApprovalRequest> & Parameters<typeof fakeCall>[0] = {}): ApprovalRequest {
  const { definition, actor, input, accesses = [{ effect: 'fs.write', resource: 'src/a.ts' }], ...rest } = more;
  const call = fakeCall({
    definition: { riskLevel: 'medium', ...definition },
    accesses,
    ...(actor ? { actor } : {}),
    input,
  });
  const base = {
    id: 'q',
    call,
    accesses,
    reasons: [permission],
    preview: { undo: 'possible' },
    needsAdmin: false,
  };
  return { ...base, ...rest } as ApprovalRequest;
}

function setup(reader = yes, { choice = 'm', perHour = 1000 } = {}) {
  const clock = new FakeClock();
  let person: 'allow' | 'deny' = 'allow';
  let questions = 0;
  const approvals = new ReaderApprovals({
    reader,
    clock,
    storage: new MemoryStore(),
    person: {
      ask: async () => {
        questions++;
        return person === 'allow'
          ? { outcome: 'allowed', by: 'user', waitedMs: 0 }
          : { outcome: 'denied', by: 'user', waitedMs: 0 };
      },
    },
    rules: (id) => (id in scopes ? [{ scope: scopes[id as keyof typeof scopes] }] : []),
    policyRevision: () => 'r',
    choice: () => choice,
    perHour: () => perHour,
    onError: () => undefined,
  });
  const ask = (request: ApprovalRequest) => approvals.ask(request, new AbortController().signal);
  return {
    clock,
    approvals,
    ask,
    questions: () => questions,
    /** From now on the person allows nothing. */
    refuse: () => (person = 'deny'),
  };
}

const anyAccess: fc.Arbitrary<Access> = fc
  .record({
    effect: fc.constantFrom(
      'fs.read',
      'fs.write',
      'fs.delete',
      'fs.chmod',
      'network.http',
      'network.socket',
      'system.exec',
      'database.read',
      'database.write',
      'payments',
      'cloud.key_read',
      'invented',
    ),
    resource: fc.constantFrom(
      'src/a.ts',
      '../a.ts',
      '/etc/a',
      'https://known.example/a',
      'https://other.example/',
      'main',
      '',
      'C:\\a',
      'src\\..\\a',
    ),
    method: fc.option(fc.constantFrom('GET', 'HEAD', 'POST'), { nil: undefined }),
    recursive: fc.option(fc.boolean(), { nil: undefined }),
    permanent: fc.option(fc.boolean(), { nil: undefined }),
  })
  .map((one) => JSON.parse(JSON.stringify(one)) as Access);

/** Half of them of the class, so that the property is about something. */
const access: fc.Arbitrary<Access> = fc.oneof(
  anyAccess,
  fc.constantFrom<Access>(
    { effect: 'fs.write', resource: 'src/b.ts' },
    { effect: 'fs.read', resource: 'src/b.ts' },
    { effect: 'fs.delete', resource: 'src/b.ts' },
    { effect: 'network.http', resource: 'https://known.example/b', method: 'GET' },
  ),
);

const request = fc
  .record({
    risk: fc.constantFrom('low', 'low', 'medium', 'medium', 'high', 'critical'),
    type: fc.constantFrom('agent', 'agent', 'agent', 'user'),
    accesses: fc.array(access, { minLength: 0, maxLength: 2 }),
    reasons: fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constant(permission) },
        { weight: 4, arbitrary: fc.constantFrom('own', 'theirs', 'shipped').map(byRule) },
        fc.constantFrom('own', 'theirs', 'shipped', 'ordered', 'team', 'limit', 'review').map(byRule),
        fc.constant({ ...byRule('own'), admin: true }),
        fc.constant({ said: say('same_call_again', 3) }),
        fc.constant({ said: say('cannot_take_back', 'x') }),
        fc.constant({ ...byRule('ordered'), advisory: true }),
      ),
      { minLength: 0, maxLength: 2 },
    ),
    undo: fc.constantFrom('possible', 'possible', 'possible', 'from-trash', 'never', undefined),
    needsAdmin: fc.constantFrom(false, false, false, false, false, false, true),
    flow: fc.constantFrom(
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      { private: [], untrusted: [] },
      { private: [1], untrusted: [] },
      { private: [], untrusted: [1] },
      'unreadable',
    ),
  })
  .map(({ risk, type, undo, flow, ...rest }) => {
    const made = asked({
      definition: { riskLevel: risk },
      actor: { type, id: 'x' },
      ...rest,
      preview: undo ? { undo } : {},
    } as never);
    return flow === undefined ? made : { ...made, call: { ...made.call, flow: flow as never } };
  });

/** The class as the issue says it, written a second time. */
function isInClass({ call, accesses, reasons, preview, needsAdmin }: ApprovalRequest): boolean {
  const { riskLevel } = call.tool.definition;
  const flow = (call as unknown as { flow?: { private: unknown[]; untrusted: unknown[] } }).flow;
  const isLabelled =
    flow !== undefined && (typeof flow === 'string' || flow.private.length + flow.untrusted.length > 0);
  const asking = reasons.filter((one) => !one.advisory);
  const isManaged = asking.some(({ rule }) => rule === 'ordered' || rule === 'team');
  const isHard = asking.some(
    ({ rule, said, admin }) =>
      admin || ['limit', 'review'].includes(rule ?? '') || ['same_call_again', 'cannot_take_back'].includes(said.code),
  );
  const canUndo = accesses.every(
    ({ effect, method, recursive, permanent }) =>
      !recursive &&
      !permanent &&
      (/^(?:fs|database)\.read$/.test(effect) ||
        (effect === 'network.http' && /^(?:GET|HEAD)$/.test(method ?? '')) ||
        (/^fs\.(?:write|delete)$/.test(effect) && (preview.undo === 'possible' || preview.undo === 'from-trash'))),
  );
  return (
    call.actor.type === 'agent' &&
    ['low', 'medium'].includes(riskLevel) &&
    !isLabelled &&
    !isManaged &&
    !isHard &&
    !needsAdmin &&
    canUndo &&
    preview.undo !== 'never'
  );
}

describe('the second reader', () => {
  it('D.reader: one that always says yes lets nothing pass but its class, and nothing that is new here', async () => {
    let passed = 0;
    await fc.assert(
      fc.asyncProperty(request, fc.array(request, { maxLength: 2 }), fc.boolean(), async (wanted, before, isKnown) => {
        const { ask, refuse } = setup();
        for (const one of isKnown ? [...before, wanted] : before) await ask(one);
        refuse();
        const answer = await ask(wanted);
        if (answer.outcome !== 'allowed') return;
        passed++;
        assert.equal(answer.by, 'reader');
        assert.ok(isInClass(wanted), JSON.stringify({ ...wanted, call: wanted.call.tool.definition.riskLevel }));
        const known = new Set((isKnown ? [...before, wanted] : before).flatMap(placesOf));
        assert.ok(
          placesOf(wanted).every((place) => known.has(place)),
          'a person allowed it here before',
        );
      }),
      { seed: 23, numRuns: runs(1500, 30_000) },
    );
    assert.ok(passed > 10, `${passed} passed: the property would hold for nothing`);
  });

  it('D.reader: a no, silence for 5 s, a failure and a used-up hour ask the person', async () => {
    const said = (text: string): SecondReader => ({ ask: async () => ({ model: 'm', text }) });
    const failing: SecondReader = { ask: async () => Promise.reject(new Error('no model')) };
    for (const reader of [said('no'), said(''), said('maybe yes'), said('yesterday'), said('yes/no'), failing]) {
      const { ask, questions } = setup(reader);
      await ask(asked());
      await ask(asked());
      assert.equal(questions(), 2);
    }
    const silent = setup({
      ask: async (_choice, _question, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    });
    await silent.ask(asked());
    const waiting = silent.ask(asked());
    await Promise.resolve();
    assert.equal(silent.questions(), 1);
    silent.clock.advance(5000);
    await waiting;
    assert.equal(silent.questions(), 2);

    const short = setup(yes, { perHour: 2 });
    for (let at = 0; at < 5; at++) await short.ask(asked());
    assert.deepEqual(
      [short.questions(), short.approvals.status()],
      [3, { model: 'm', isMissing: false, yes: 2, left: 0 }],
    );
    short.clock.advance(3_600_001);
    await short.ask(asked());
    assert.equal(short.questions(), 3, 'the next hour has questions again');
  });

  it('D.reader: says that there is no such model once one was looked for, and forgets it once there is one', async () => {
    let isThere = false;
    const { approvals, ask, questions } = setup({
      ask: async () => (isThere ? { model: 'm', text: 'no' } : 'no-model'),
    });
    await ask(asked());
    assert.equal(approvals.status()?.isMissing, false, 'nobody looked for it yet');
    await ask(asked());
    assert.deepEqual([approvals.status()?.isMissing, questions()], [true, 2]);
    isThere = true;
    await ask(asked());
    assert.deepEqual([approvals.status()?.isMissing, questions()], [false, 3]);
  });

  it('D.reader: a call that ended meanwhile is not allowed', async () => {
    const stop = new AbortController();
    const { ask, approvals } = setup({ ask: async () => (stop.abort(), { model: 'm', text: 'yes' }) });
    await ask(asked());
    assert.notEqual((await approvals.ask(asked(), stop.signal)).by, 'reader');
  });

  it('D.reader: sees arguments and rules as data, and no text that may be the content of a file', () => {
    const question = readerQuestion(
      asked({ input: { path: 'src/a.ts', content: 'secret\nlines', more: ['x'.repeat(300)], hidden: 'a\u202eb' } }),
    );
    assert.match(question, /src\/a\.ts/);
    assert.match(question, /\(a text of 12 characters\)/);
    assert.match(question, /\(a text of 300 characters\)/);
    assert.match(question, /U\+202E/);
    assert.doesNotMatch(question, /secret/);
    assert.deepEqual(readerSays(' Yes: fine\nand more '), { isYes: true, words: 'Yes: fine and more' });
  });
});
