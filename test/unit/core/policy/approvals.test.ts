import { say } from '../../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import type { Access } from '../../../../src/core/vocabulary/access';
import { AdminToken } from '../../../../src/core/policy/approvals/adminToken';
import { fakeCall } from '../../../support/gateCall';
import { FakeClock, MemorySecrets } from '../../../support/toolContext';
import type { Reason } from '../../../../src/core/vocabulary/decision';
import { write, permission, plainHasher, world } from '../../../support/approvals';

const tick = () => new Promise((resolve) => setImmediate(resolve));

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
