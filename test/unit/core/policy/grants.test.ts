import { plainWords } from '../../../../src/core/base/translate';
import { say } from '../../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import { uncovered } from '../../../../src/core/policy/grants/grantPattern';
import { GrantStore } from '../../../../src/core/policy/grants/grants';
import { briefGrant, explainGrant, localTime } from '../../../../src/core/present/grantWords';
import { type FakeCall, fakeCall } from '../../../support/gateCall';
import { MemoryStore } from '../../../support/toolContext';
import type { Reason } from '../../../../src/core/vocabulary/decision';
import { write, permission, world } from '../../../support/approvals';

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
      explainGrant(timed, clock.now(), plainWords),
      `Agents may use write_file: change src/**. Holds everywhere until ${localTime(clock.now() + 1000)}. It answers: the tool needs confirmation for agents.`,
    );
    assert.equal(briefGrant(timed, plainWords), `src/** · until ${localTime(clock.now() + 1000)}`);
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
    assert.match(
      explainGrant(grants.list()[0]!, clock.now(), plainWords),
      /Holds in this workspace until revoked, 1 more call\./,
    );
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
