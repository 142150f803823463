import { say } from '../../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Access } from '../../../../src/core/vocabulary/access';
import type { ApprovalAnswer, ApprovalRequest } from '../../../../src/core/call/gateCall';
import { AdminToken, type TokenHasher } from '../../../../src/core/policy/approvals/adminToken';
import { ApprovalQueue, type ConfirmerAnswer } from '../../../../src/core/policy/approvals/approvals';
import { describeApproval } from '../../../../src/core/present/approvalText';
import { uncovered } from '../../../../src/core/policy/grants/grantPattern';
import { GrantStore } from '../../../../src/core/policy/grants/grants';
import { briefGrant, explainGrant, localTime } from '../../../../src/core/present/grantWords';
import { plainWords, type Translate } from '../../../../src/core/base/translate';
import { runs } from '../../../support/counts';
import { type FakeCall, fakeCall } from '../../../support/gateCall';
import { FakeClock, fakePorts, MemorySecrets, MemoryStore } from '../../../support/toolContext';
import type { Reason } from '../../../../src/core/vocabulary/decision';
import { anyCharacter } from '../../../support/anyCharacter';
import { inGerman } from '../../../support/german';

const write = (resource: string): Access => ({ effect: 'fs.write', resource });
const permission: Reason = { said: say('confirmation_for_agents'), waivable: true };
const plainHasher: TokenHasher = {
  hash: async (token) => `h:${token}`,
  verify: async (token, stored) => stored === `h:${token}`,
};
const tick = () => new Promise((resolve) => setImmediate(resolve));

function world(timeoutSeconds = 300) {
  const clock = new FakeClock();
  const stores = { workspace: new MemoryStore(), user: new MemoryStore() };
  const { crypto } = fakePorts();
  const grants = new GrantStore({ clock, crypto, ...stores });
  const secrets = new MemorySecrets();
  const admin = new AdminToken({ secrets, hasher: plainHasher, clock });
  const shown: { request: ApprovalRequest; answer: (answer: ConfirmerAnswer) => void; signal: AbortSignal }[] = [];
  const refused: string[] = [];
  const queue = new ApprovalQueue({
    isShownWhole: (request) => !describeApproval(request).truncated,
    confirmer: {
      confirm: (request, signal) => new Promise((answer) => shown.push({ request, answer, signal })),
      refused: (_request, why) => refused.push(why.outcome),
    },
    grants,
    clock,
    admin,
    timeoutSeconds: () => timeoutSeconds,
  });
  let id = 0;
  const ask = (
    options: FakeCall = {},
    reasons: readonly Reason[] = [permission],
    controller = new AbortController(),
    preview = {},
  ) => {
    const call = fakeCall({ accesses: [write('src/a.ts')], input: { path: 'src/a.ts', content: 'x' }, ...options });
    const request: ApprovalRequest = {
      id: `ask-${++id}`,
      call,
      accesses: call.accesses,
      reasons,
      preview,
      needsAdmin: reasons.some((one) => one.admin),
      askedAt: clock.now(),
    };
    const out: { answer?: ApprovalAnswer; request: ApprovalRequest; controller: AbortController } = {
      request,
      controller,
    };
    void queue.ask(request, controller.signal).then((answer) => (out.answer = answer));
    return out;
  };
  return { clock, stores, crypto, grants, secrets, admin, shown, refused, queue, ask };
}

describe('approvals', () => {
  it('D.modal: anything but an explicit yes denies: no, a timeout, a cancellation, a fault of the surface, a closing window', async () => {
    const one = world(300);
    const no = one.ask();
    await tick();
    one.shown[0]?.answer({ outcome: 'deny' });
    await tick();
    assert.deepEqual(no.answer, { outcome: 'denied', by: 'user', waitedMs: 0 });
    const late = one.ask();
    one.clock.advance(299_999);
    await tick();
    assert.equal(late.answer, undefined);
    one.clock.advance(1);
    await tick();
    assert.deepEqual(late.answer, { outcome: 'denied', by: 'timeout', waitedMs: 300_000 });
    assert.equal(one.shown[1]?.signal.aborted, true);
    const cancelled = one.ask();
    cancelled.controller.abort();
    await tick();
    assert.deepEqual([cancelled.answer?.outcome, cancelled.answer?.by], ['denied', 'cancellation']);
    const unseen = one.ask();
    await tick();
    one.shown.at(-1)?.answer(Promise.reject(new Error('no window')) as never);
    await tick();
    assert.deepEqual(unseen.answer, {
      outcome: 'denied',
      by: 'unavailable',
      why: say('question_not_asked'),
      waitedMs: 0,
    });
    const closing = one.ask();
    await tick();
    one.queue.dispose();
    await tick();
    assert.deepEqual([closing.answer?.outcome, closing.answer?.by], ['denied', 'unavailable']);
    one.grants.dispose();
  });

  it('D.modal: an answer that comes after the call ended allows nothing and remembers nothing', async () => {
    const { ask, shown, grants, queue } = world();
    const call = ask();
    await tick();
    call.controller.abort();
    await tick();
    shown[0]?.answer({ outcome: 'always', grant: { scope: 'always', cover: 'tool' } });
    await tick();
    assert.deepEqual(
      [call.answer?.outcome, grants.list(), await queue.answer([call.request.id], { outcome: 'allow-once' })],
      ['denied', [], 0],
    );
    queue.dispose();
    grants.dispose();
  });

  it('asks for one call at a time; what was allowed for the session answers the equal calls that wait', async () => {
    const { ask, shown, queue, grants } = world();
    const [first, same, other] = [ask(), ask(), ask({ accesses: [write('src/b.ts')] })];
    await tick();
    assert.deepEqual([shown.length, queue.pending().map((one) => one.state)], [1, ['shown', 'queued', 'queued']]);
    shown[0]?.answer({ outcome: 'allow-session' });
    await tick();
    assert.deepEqual([first.answer?.by, same.answer?.by, other.answer], ['user', 'grant', undefined]);
    assert.equal(shown.length, 2);
    queue.dispose();
    grants.dispose();
  });

  it('a parked call waits in the inbox, leaves the modal free, and several are answered at once', async () => {
    const { ask, shown, queue, grants, clock } = world(10);
    const calls = [ask(), ask({ accesses: [write('b')] }), ask({ accesses: [write('c')] })];
    await tick();
    for (const index of [0, 1]) {
      shown[index]?.answer({ outcome: 'parked' });
      await tick();
    }
    assert.deepEqual(
      queue.pending().map((one) => one.state),
      ['parked', 'parked', 'shown'],
    );
    assert.equal(
      await queue.answer([calls[0]!.request.id, calls[2]!.request.id, 'gone'], { outcome: 'allow-once' }),
      2,
    );
    await tick();
    assert.deepEqual(
      [calls[0]?.answer?.outcome, calls[1]?.answer, calls[2]?.answer?.outcome],
      ['allowed', undefined, 'allowed'],
    );
    clock.advance(10_000);
    await tick();
    assert.deepEqual([calls[1]?.answer?.by, queue.pending()], ['timeout', []]);
    queue.dispose();
    grants.dispose();
  });

  it('S1.policy: an admin approval needs the right token, kept as a hash, and an unlocked time spares the token and not the question', async () => {
    const { ask, shown, refused, queue, grants, admin, secrets, clock } = world();
    const reason: Reason = { said: say('as_it_is', 'critical'), rule: 'admin-approval', admin: true };
    const answer = async (entry?: { token: string; lifetimeMs: number }) => {
      const call = ask({}, [reason]);
      await tick();
      shown.at(-1)?.answer({ outcome: 'allow-once', ...(entry ? { admin: entry } : {}) });
      for (let index = 0; index < 5; index++) await tick();
      return call.answer?.outcome;
    };
    assert.equal(await answer({ token: 'whatever', lifetimeMs: 0 }), 'denied', 'none is set');
    assert.deepEqual(await admin.set('short'), { outcome: 'too-short', shortest: 8 });
    await admin.set('correct horse');
    assert.deepEqual([...secrets.values.values()], ['h:correct horse']);
    assert.equal(await answer(), 'denied');
    assert.equal(await answer({ token: 'wrong', lifetimeMs: 0 }), 'denied');
    assert.equal(await answer({ token: 'correct horse', lifetimeMs: 60_000 }), 'allowed');
    assert.equal(await answer(), 'allowed');
    clock.advance(60_000);
    assert.equal(await answer(), 'denied');
    assert.deepEqual(refused, ['not-set', 'none', 'wrong', 'none'], 'the person hears why a yes did not count');
    for (let index = 0; index < 3; index++) await admin.unlock('bad', 0);
    assert.equal((await admin.unlock('correct horse', 0)).outcome, 'locked');
    clock.advance(60_000);
    assert.equal((await admin.set('another token', 'correct horse')).outcome, 'accepted');
    assert.equal((await admin.set(undefined, 'correct horse')).outcome, 'wrong');
    queue.dispose();
    grants.dispose();
  });

  it('S1.policy: wrong admin tokens that come at once are as many attempts, and lock as those that come one by one', async () => {
    const checked: string[] = [];
    const verify = async (token: string): Promise<boolean> => {
      checked.push(token);
      await tick();
      return token === 'correct horse';
    };
    const secrets = new MemorySecrets();
    const admin = new AdminToken({ secrets, hasher: { ...plainHasher, verify }, clock: new FakeClock() });
    await admin.set('correct horse');
    const guesses = ['one', 'two', 'three', 'four', 'correct horse'];
    const answers = await Promise.all(guesses.map((token) => admin.unlock(token, 60_000)));
    assert.deepEqual(
      answers.map(({ outcome }) => outcome),
      ['wrong', 'wrong', 'wrong', 'locked', 'locked'],
    );
    assert.deepEqual([checked, admin.isUnlocked], [['one', 'two', 'three'], false]);
  });

  it('asks once per host and session where a rule says so', async () => {
    const { ask, shown, queue, grants } = world();
    const reason: Reason = {
      said: say('as_it_is', 'host'),
      rule: 'preset.other-hosts',
      waivable: true,
      oncePer: 'host',
    };
    const get = (url: string): Access => ({ effect: 'network.http', resource: url, method: 'GET' });
    const covered = (url: string, reasons: readonly Reason[] = [reason]) =>
      queue.covering(fakeCall({ accesses: [get(url)] }), [get(url)], reasons) !== undefined;
    assert.equal(covered('https://a.example/1'), false);
    ask({ accesses: [get('https://a.example/1')] }, [reason]);
    await tick();
    shown[0]?.answer({ outcome: 'allow-once' });
    await tick();
    assert.deepEqual(
      [
        covered('https://A.example/2'),
        covered('https://b.example/'),
        covered('https://a.example/', [reason, permission]),
      ],
      [true, false, false],
    );
    queue.dispose();
    grants.dispose();
  });
});

describe('grants', () => {
  const setup = () => {
    const one = world();
    one.queue.dispose();
    const call = (resource: string, input: unknown = {}, more: FakeCall = {}) =>
      fakeCall({ accesses: [write(resource)], input, ...more });
    const covers = (of: ReturnType<typeof call>, reasons: readonly Reason[] = [permission]) =>
      one.grants.covering(of, of.accesses, reasons);
    return { ...one, call, covers };
  };

  it('covers exactly the resources, the arguments, the pattern or the tool that was chosen, for the same kind of caller', () => {
    const { grants, call, covers } = setup();
    const made = call('src/a.ts', { v: 1 });
    const cases: [Parameters<GrantStore['add']>[0], ReturnType<typeof call>[], ReturnType<typeof call>[]][] = [
      [
        { scope: 'session', cover: 'resources' },
        [call('src/a.ts', { v: 2 })],
        [call('src/b.ts'), call('SRC/a.ts'), call('src/a.ts', {}, { tool: 'other' })],
      ],
      [{ scope: 'session', cover: 'arguments' }, [call('src/a.ts', { v: 1 })], [call('src/a.ts', { v: 2 })]],
      [
        { scope: 'session', cover: 'pattern', pattern: 'src/**' },
        [call('src/x/y.ts')],
        [call('docs/a'), call('src/../x'), call('SRC/a'), call('src/GIT~1/x'), call('src/a.')],
      ],
      [
        { scope: 'session', cover: 'tool' },
        [call('anything')],
        [call('src/a.ts', {}, { tool: 'other' }), call('src/a.ts', { v: 1 }, { actor: { type: 'user', id: 'u' } })],
      ],
    ];
    for (const [draft, yes, no] of cases) {
      const grant = grants.add(draft, made, made.accesses, [permission]);
      assert.deepEqual(
        [...yes.map((one) => covers(one)?.id), ...no.map((one) => covers(one)?.id)],
        [...yes.map(() => grant.id), ...no.map(() => undefined)],
        JSON.stringify(draft),
      );
      assert.equal(grants.revoke(grant.id), true);
      assert.equal(covers(yes[0]!), undefined);
    }
    assert.throws(
      () => grants.add({ scope: 'session', cover: 'pattern', pattern: 'docs/**' }, made, made.accesses, []),
      /does not cover this call: `src\/a\.ts` lies outside/,
    );
    assert.deepEqual(
      [uncovered('src/**', made.accesses), uncovered('src/*', [write('src/a.ts'), write('docs/b.md')])?.resource],
      [undefined, 'docs/b.md'],
    );
    assert.throws(() => uncovered('[', made.accesses), /never closed/);
    assert.throws(
      () => grants.add({ scope: 'session', cover: 'pattern', pattern: '[' }, made, made.accesses, []),
      /never closed/,
    );
    grants.dispose();
  });

  it('answers only the reasons that were shown, so a new rule asks anew', () => {
    const { grants, call, covers } = setup();
    const made = call('src/a.ts');
    grants.add({ scope: 'session', cover: 'tool' }, made, made.accesses, [
      permission,
      { said: say('as_it_is', 'x'), rule: 'old' },
    ]);
    assert.ok(covers(made, [{ said: say('as_it_is', 'other words'), rule: 'old' }, permission]));
    assert.equal(covers(made, [permission, { said: say('as_it_is', 'y'), rule: 'new' }]), undefined);
    assert.equal(covers(made, [{ said: say('as_it_is', 'x'), rule: 'old', admin: true }]), undefined);
    grants.dispose();
  });

  it('ends with its time and its uses, and says in words what it allows', () => {
    const { grants, call, covers, clock } = setup();
    const made = call('src/a.ts');
    const timed = grants.add(
      { scope: 'always', cover: 'pattern', pattern: 'src/**', lifetimeMs: 1000 },
      made,
      made.accesses,
      [permission],
    );
    assert.equal(
      explainGrant(timed, clock.now()),
      `Agents may use write_file: change src/**. Holds everywhere until ${localTime(clock.now() + 1000)}. It answers: the tool needs confirmation for agents.`,
    );
    assert.equal(briefGrant(timed), `src/** · until ${localTime(clock.now() + 1000)}`);
    clock.advance(999);
    assert.ok(covers(made));
    clock.advance(1);
    assert.deepEqual([covers(made), grants.list()], [undefined, []]);
    grants.add({ scope: 'session', cover: 'tool', lifetimeMs: 3_600_000 }, made, made.accesses, [permission]);
    clock.time -= 60_000;
    assert.ok(covers(made));
    clock.time -= 1;
    assert.deepEqual([covers(made), grants.list()], [undefined, []], 'the clock was set back');
    const counted = grants.add({ scope: 'workspace', cover: 'tool', uses: 2 }, made, made.accesses, [permission]);
    covers(made)?.use();
    assert.match(explainGrant(grants.list()[0]!, clock.now()), /Holds in this workspace until revoked, 1 more call\./);
    covers(made)?.use();
    assert.deepEqual([covers(made), grants.revoke(counted.id)], [undefined, false]);
    grants.dispose();
  });

  it('survives a reload where its scope says so; a damaged one is void', () => {
    const { grants, call, stores, clock, crypto } = setup();
    const made = call('src/a.ts');
    for (const scope of ['session', 'workspace', 'always'] as const)
      grants.add({ scope, cover: 'resources' }, made, made.accesses, [permission]);
    grants.dispose();
    const again = new GrantStore({ clock, crypto, ...stores });
    assert.deepEqual(
      again
        .list()
        .map((one) => one.scope)
        .sort(),
      ['always', 'workspace'],
    );
    assert.ok(again.covering(made, made.accesses, [permission]));
    again.dispose();
    const rows = stores.user.values.get('grants') as Record<string, never>[];
    for (const broken of [
      { cover: { type: 'everything' } },
      { reasons: 'all' },
      { actor: 'robot' },
      { expiresAt: 'never' },
      { cover: { type: 'resources', accesses: [{ effect: 'fs.write', pattern: '[' }] } },
    ]) {
      stores.user.values.set('grants', [{ ...rows[0], ...broken } as never]);
      const loaded = new GrantStore({ clock, crypto, workspace: new MemoryStore(), user: stores.user });
      assert.deepEqual(loaded.list(), [], JSON.stringify(broken));
      loaded.dispose();
    }
  });
});

describe('the text of an approval', () => {
  const request = (
    options: FakeCall,
    preview: ApprovalRequest['preview'] = {},
    reasons: readonly Reason[] = [permission],
  ): ApprovalRequest => {
    const call = fakeCall(options);
    return { id: 'x', call, accesses: call.accesses, reasons, preview, needsAdmin: false, askedAt: 0 };
  };

  it('D.modal: says who asks for what and why, with the diff', () => {
    const text = describeApproval(
      request(
        { accesses: [write('src/app.ts')], definition: { riskLevel: 'medium' } },
        { diff: '-const port = 80\n+const port = 8080\n', undo: 'possible' },
        [permission, { said: say('as_it_is', 'boundary "source-code" asks for src/**'), rule: 'source-code' }],
      ),
    );
    assert.deepEqual(text, {
      title: 'Allow "write_file" to change src/app.ts?',
      action: 'change src/app.ts',
      detail:
        'The agent (profile Test) asks to change src/app.ts (medium risk, reversible).\nWhy you are asked: the tool needs confirmation for agents; boundary "source-code" asks for src/**.\n\n-const port = 80\n+const port = 8080',
      buttons: [
        { id: 'allow-once', label: 'Allow Once' },
        { id: 'allow-session', label: 'Allow write_file on src/app.ts for Session' },
        { id: 'always', label: 'Always Allow…' },
        { id: 'show', label: 'Show in Editor' },
      ],
      contentFrom: 3,
      truncated: false,
      lasting: 'now',
      lastingButtons: text.lastingButtons,
      isHeadWhole: true,
      lines: text.detail.split('\n'),
      full: text.full,
    });
    assert.match(
      describeApproval(request({ accesses: [write('a'), write('b'), write('c')] })).title,
      /to change 3 files\?$/,
    );
    assert.match(
      describeApproval(
        request({
          tool: 'get',
          accesses: [{ effect: 'network.http', resource: 'https://example.com/x', method: 'GET' }],
        }),
      ).detail,
      /^Hosts: example\.com$/m,
    );
  });

  it('D.undo: is called reversible only where its changes are kept, whatever the tool claims of itself', () => {
    const get = { effect: 'network.http', resource: 'https://example.com/x', method: 'GET' } as const;
    const said = (accesses: readonly Access[], reversible: boolean, undo?: 'possible' | 'never') => {
      const options = { accesses: [...accesses], definition: { riskLevel: 'medium', reversible } } as const;
      const [line] = describeApproval(request(options, undo ? { undo } : {})).lines;
      return /\(([^()]*)\)\.$/.exec(line ?? '')?.[1];
    };
    assert.deepEqual(
      [
        said([write('a')], true, 'possible'),
        said([write('a')], false, 'possible'),
        said([write('a')], true, 'never'),
        said([write('a')], true),
        said([{ effect: 'system.exec', resource: 'rm' }], true),
        said([{ ...get, method: 'POST' }], true),
        said([get, write('a')], true),
        said([get], true),
        said([get], false),
        said([], true),
      ],
      [
        'medium risk, reversible',
        'medium risk, reversible',
        'medium risk, cannot be undone',
        'medium risk, cannot be undone',
        'medium risk, cannot be undone',
        'medium risk, cannot be undone',
        'medium risk, cannot be undone',
        'medium risk',
        'medium risk, cannot be undone',
        'medium risk',
      ],
    );
  });

  it('D.modal: a delete says how it can be undone, and never two things at once', () => {
    const said = (undo: ApprovalRequest['preview']['undo']) => {
      const options = {
        accesses: [{ effect: 'fs.delete', resource: 'old.txt' }],
        definition: { riskLevel: 'high', reversible: false },
      } as const;
      return describeApproval(request(options, undo ? { undo } : {})).detail.split('\n')[0];
    };
    assert.deepEqual(
      [said('from-trash'), said('never'), said(undefined)],
      [
        'The agent (profile Test) asks to delete old.txt (high risk, can be restored from the trash).',
        'The agent (profile Test) asks to delete old.txt (high risk, cannot be undone).',
        'The agent (profile Test) asks to delete old.txt (high risk, cannot be undone).',
      ],
    );
  });

  it('D.modal: says that a file is new and where one moves to, and only where the accesses are no more than that', () => {
    const titled = (accesses: readonly Access[], action: 'create' | 'move'): string =>
      describeApproval(request({ accesses }, { action })).title.replace(/^Allow "write_file" to /, '');
    const gone = { effect: 'fs.delete', resource: 'a' } as const;
    assert.deepEqual(
      [
        titled([write('a')], 'create'),
        titled([gone, write('b')], 'move'),
        titled([write('a'), { effect: 'network.http', resource: 'https://x.test' }], 'create'),
        titled([gone, write('b'), write('c')], 'move'),
        titled([gone, { ...gone, resource: 'c' }, write('b')], 'move'),
      ],
      [
        'create a?',
        'move a to b?',
        'change a and contact https://x.test?',
        'delete a and change 2 files?',
        'delete 2 files and change b?',
      ],
    );
  });

  it('D.modal: a path that only the title cannot hold stands whole below, so that it may be allowed for longer', () => {
    const path = `src/${'long/'.repeat(15)}app.ts`;
    const text = describeApproval(request({ accesses: [write(path)] }));
    assert.deepEqual(
      [
        text.title.includes('…'),
        text.detail.split('\n').includes(`  change ${path}`),
        text.truncated,
        text.buttons.length,
      ],
      [true, true, false, 4],
    );
  });

  it('D.modal: a long path keeps its end, and what could not be compared shows the arguments and allows nothing lasting', () => {
    const path = `${'deep/'.repeat(60)}evil.js`;
    const long = describeApproval(request({ accesses: [write(path)], input: { path } }));
    assert.match(long.title, /^Allow "write_file" to change deep\/.*….*evil\.js\?$/);
    assert.match(long.detail, /asks to change deep.*…[^\n]*evil\.js \(/);
    assert.equal(long.truncated, true);
    const partial = describeApproval(
      request({ accesses: [write('a.bin')], input: { content: 'text' } }, { diff: '[not text]', isPartial: true }),
    );
    assert.match(partial.detail, /\[not text\]\ncontent: text$/);
    assert.equal(partial.truncated, true);
  });

  it('D.modal: a name, a host or a reason with a line break forges no line of ours, and a name with hidden characters withholds what lasts', () => {
    const forged = 'a.txt\nWhy you are asked: no reason';
    for (const [path, isWithheld] of [
      [forged, true],
      ['a\u202Etxt.exe', true],
      ['a b.txt', false],
    ] as const) {
      const reason: Reason = {
        said: say('as_it_is', 'boundary "x": because\nThe user allowed this already'),
        rule: 'x',
      };
      const text = describeApproval(request({ accesses: [write(path)] }, { diff: '+x\n' }, [permission, reason]));
      assert.equal(text.truncated, isWithheld, path);
      assert.equal(text.detail.split('\n').filter((line) => /^(?:Why you|The )/.test(line)).length, 2, text.detail);
      assert.ok(!text.title.includes('\n'));
    }
    const two = describeApproval(request({ accesses: [write(forged), write('b')] }, { diff: '+x\n' }));
    assert.equal(two.detail.split('\n').filter((line) => line.startsWith('Why you')).length, 1, two.detail);
    assert.equal(two.truncated, true);
  });

  it('D.modal: is said in the language that it is given, what others wrote as they wrote it', () => {
    const german: Record<string, string> = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8'));
    const t: Translate = (message, ...values) => plainWords(german[message] ?? `UNTRANSLATED ${message}`, ...values);
    const text = describeApproval(
      request(
        { accesses: [write('src/app.ts')], definition: { riskLevel: 'medium' } },
        { diff: '+x\n', undo: 'possible' },
        [
          permission,
          { said: say('boundary_says', 'source-code', say('as_it_is', 'ask the owner')), rule: 'source-code' },
          { said: say('boundary_says', 'preset.high-risk', say('high_risk')), rule: 'preset.high-risk' },
        ],
      ),
      t,
    );
    assert.equal(text.title, 'Darf „write_file“ src/app.ts ändern?');
    assert.equal(
      text.detail,
      'Der Agent (Profil Test) möchte src/app.ts ändern (mittleres Risiko, umkehrbar).\nWarum Sie gefragt werden:\n- das Tool braucht bei Agenten eine Bestätigung\n- Regel „source-code“: ask the owner\n- Regel „preset.high-risk“: das Tool hat ein hohes Risiko\n\n+x',
    );
  });

  it('D.modal: says in the person’s language what a call does, and what others wrote as they wrote it', () => {
    const body = ['preview_folder_made', 'preview_replaced', 'preview_to_trash', 'preview_not_to_trash'] as const;
    const { detail } = describeApproval(
      request(
        { accesses: [write('a')], input: {} },
        {
          lines: [
            ...body.map((code) => say(code)),
            say('preview_folder_empty'),
            say('preview_folder_one', 'x'),
            say('preview_folder', 2, 'x, y'),
            say('preview_mail_from', 'a@b.example'),
            say('preview_mail_html'),
            say('preview_more_lines', 8),
            say('preview_query_values', '[1]'),
            say('preview_node_module', 'run.js'),
            say('preview_process_in', 'sub', 'ls'),
            say('preview_process_in_workspace', 'ls'),
            'To: words of others',
          ],
        },
        [permission],
      ),
      inGerman,
    );
    assert.ok(
      detail.includes(
        [
          'Ein leerer Ordner wird angelegt.',
          'Die Datei, die den neuen Namen hat, wird ersetzt.',
          'Es kommt in den Papierkorb.',
          'Es kommt nicht in den Papierkorb.',
          'Ein leerer Ordner',
          'Ein Ordner mit 1 Eintrag: x',
          'Ein Ordner mit 2 Einträgen: x, y',
          'Absender: a@b.example',
          'Format: HTML',
          '… 8 Zeilen mehr',
          'mit [1]',
          'run.js läuft als Node-Modul des Editors, außerhalb der Sandbox',
          'in sub: ls',
          'im Arbeitsbereich: ls',
          'To: words of others',
        ].join('\n'),
      ),
      detail,
    );
  });

  it('D.modal: several or long reasons are shown whole, and still allow a lasting answer', () => {
    const long = `boundary "careful": ${'every change of this folder has been agreed upon with the operators before '.repeat(3)}`;
    const text = describeApproval(
      request({ accesses: [write('src/app.ts')], input: { path: 'src/app.ts' } }, {}, [
        permission,
        {
          said: say('boundary_says', 'admin-approval', say('admin_from_high')),
          rule: 'admin-approval',
        },
        { said: say('as_it_is', long.trim()), rule: 'careful' },
      ]),
    );
    assert.equal(text.truncated, false);
    assert.ok(
      text.detail.includes('\n- boundary "admin-approval": tools of high and critical risk need the admin token\n'),
      text.detail,
    );
    assert.equal(text.detail.replaceAll('\n  ', ' ').includes(`- ${long.trim()}`), true, text.detail);
    assert.ok(text.detail.split('\n').every((line) => line.length <= 120));
    const spoof = describeApproval(
      request({ accesses: [write('a')] }, {}, [{ said: say('as_it_is', 'x'.repeat(200)), rule: 'r' }]),
    );
    assert.equal(spoof.truncated, true, 'what has no place to break is cut and withholds what lasts');
  });

  it('D.modal: spoofed content cannot hide what is approved: it is shown as what it is, within 20 lines, and nothing lasting is offered', () => {
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 30 }),
      fc.constantFrom(
        '\u202e',
        '\u200b',
        '\u0000',
        '\t'.repeat(50),
        '\n'.repeat(30),
        ' '.repeat(500),
        '**bold** [x](y)',
        '\u2028',
        '\r',
        'a'.repeat(5000),
        '\ud800',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.array(piece, { maxLength: 3 }), (parts, name) => {
        const path = `src/${name.join('')}end.ts`;
        const content = parts.join('');
        const text = describeApproval(request({ accesses: [write(path)], input: { path, content } }));
        const lines = text.detail.split('\n');
        assert.ok(lines.length <= 20);
        for (const line of [...lines, text.title]) {
          assert.ok(line.length <= 130, line);
          assert.doesNotMatch(
            line,
            /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]/u,
          );
          assert.ok(!line.includes('\t') && !/ {9}/.test(line));
        }
        if (/[\u202a-\u202e\u200b\u0000]/.test(content + path)) assert.equal(text.truncated, true);
        assert.equal(
          text.buttons.some((one) => one.id === 'always' || one.id === 'allow-session'),
          !text.truncated,
        );
      }),
      { numRuns: runs(24, 1500, 10_000) },
    );
    const long = describeApproval(request({ accesses: [write('a')], input: { content: 'line\n'.repeat(5000) } }));
    assert.match(long.detail, /… 4,98\d lines more, shown by Show in Editor$/);
    assert.equal(long.full.split('\n').length > 5000, true);
  });
});
