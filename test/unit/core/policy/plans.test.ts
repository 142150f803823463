import { say } from '../../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import { worded } from '../../../../src/core/base/sentence';
import type { Access } from '../../../../src/core/vocabulary/access';
import { FrozenPlans, parsePlannedCalls, type RequireFrozenSpec } from '../../../../src/core/policy/plans/plans';
import type { Reason } from '../../../../src/core/vocabulary/decision';
import type { RegisteredTool } from '../../../../src/core/registry/registry';
import { type FakeCall, fakeCall } from '../../../support/gateCall';
import { FakeClock, fakePorts, MemoryStore } from '../../../support/toolContext';

const write = (resource: string): Access => ({ effect: 'fs.write', resource });

function plansOf(required: RequireFrozenSpec = 'never', storage = new MemoryStore()) {
  const known = new Map<string, RegisteredTool>();
  const call = (path: string, content = 'x', more: FakeCall = {}) => {
    const made = fakeCall({ input: { path, content }, accesses: [write(path)], ...more });
    known.set(made.tool.id, made.tool).set(made.tool.definition.name, made.tool);
    return made;
  };
  call('warm up');
  const plans = new FrozenPlans({
    clock: new FakeClock(),
    crypto: fakePorts().crypto,
    storage,
    find: (name) => known.get(name),
    requireFrozenSpec: () => required,
  });
  return { plans, call, storage };
}

const calls = (raw: unknown) => {
  const { value, problems } = parsePlannedCalls(raw);
  assert.deepEqual(problems, []);
  return value;
};

describe('frozen plans', () => {
  const twoWrites = [
    { tool: 'write_file', arguments: { path: { glob: 'src/*.ts' }, content: { exists: true } }, count: 2 },
    { tool: 'write_file', arguments: { path: 'README.md', content: 'hello' } },
  ];

  it('S1.spec-freeze: high risk needs a frozen plan, and a call outside the plan is denied with what the plan allows', () => {
    const { plans, call } = plansOf('high');
    const high: FakeCall = { definition: { riskLevel: 'high' } };
    assert.equal(plans.judge(call('src/a.ts')).effect, 'pass');
    assert.equal(plans.judge(call('src/a.ts', 'x', high)).error?.code, 'plan_required');
    plans.freeze('two files', calls(twoWrites));
    assert.equal(plans.judge(call('src/a.ts', 'x', high)).effect, 'pass');
    assert.deepEqual(plans.judge(call('docs/a.md', 'x', high)).error, {
      code: 'outside_plan',
      message:
        'this call of `write_file` is not in the frozen plan. allowed instead: cap:file_system:write_file with path like src/*.ts, content given (2 times); cap:file_system:write_file with path = "README.md", content = "hello"',
      retryable: false,
    });
    assert.equal(plans.judge(call('README.md', 'goodbye', high)).effect, 'deny');
    assert.equal(plansOf('critical').plans.judge(call('x', 'x', high)).effect, 'pass');
    assert.equal(
      plansOf('critical').plans.judge(call('x', 'x', { definition: { riskLevel: 'critical' } })).error?.code,
      'plan_required',
    );
    plans.dispose();
  });

  it('S1.spec-freeze: counts each line, and lets what only reads pass beside the plan', () => {
    const { plans, call } = plansOf();
    plans.freeze('two files', calls(twoWrites));
    for (const path of ['src/a.ts', 'src/b.ts']) {
      assert.equal(plans.judge(call(path)).effect, 'pass');
      plans.consume(call(path));
    }
    assert.equal(plans.judge(call('src/c.ts')).error?.code, 'outside_plan');
    assert.equal(
      plans.judge(call('src/c.ts', 'x', { accesses: [{ effect: 'fs.read', resource: 'src/c.ts' }] })).effect,
      'pass',
    );
    assert.deepEqual(
      plans.allowed(plans.active!).map((one) => worded(one)),
      ['cap:file_system:write_file with path = "README.md", content = "hello"'],
    );
    plans.activate(undefined);
    assert.equal(plans.judge(call('src/c.ts')).effect, 'pass');
    plans.dispose();
  });

  it('an argument that the plan does not name must be left out or be its default', () => {
    const { plans, call } = plansOf();
    plans.freeze('p', calls([{ tool: 'write_file', arguments: { path: 'a', content: 'x' } }]));
    const definition = { inputSchema: { type: 'object', properties: { mode: { default: 'create' }, force: {} } } };
    const effect = (more: object) =>
      plans.judge(call('a', 'x', { definition, input: { path: 'a', content: 'x', ...more } })).effect;
    assert.deepEqual(
      [effect({}), effect({ mode: 'create' }), effect({ mode: 'append' }), effect({ force: true })],
      ['pass', 'pass', 'deny', 'deny'],
    );
    plans.dispose();
  });

  it('S1.spec-freeze: the hash binds exactly these calls', () => {
    const { plans } = plansOf();
    const plan = plans.freeze('one', calls(twoWrites));
    assert.match(plan.hash, /^[0-9a-f]{64}$/);
    assert.notEqual(plans.hashOf(calls([{ ...twoWrites[0], count: 3 }, twoWrites[1]])), plan.hash);
    plans.dispose();
  });

  it('D.flow: a plan answers what asks because of what was read only for a call whose every argument it names', () => {
    const { plans, call } = plansOf();
    const plan = plans.freeze(
      'send',
      calls([
        { tool: 'write_file', arguments: { path: 'sent.md', content: { oneOf: ['hello', 'bye'] } }, count: 9 },
        { tool: 'write_file', arguments: { path: 'open.md', content: { exists: true } } },
        { tool: 'write_file', arguments: { path: 'like.md', content: { glob: 'h*' } } },
        { tool: 'write_file', arguments: { path: 'long.md', content: { equals: 'hello', exists: true } } },
      ]),
    );
    plans.approve(plan.hash);
    const covers = (path: string, reason: Partial<Reason>): boolean =>
      plans.covering(call(path, 'hello'), [], [{ said: say('as_it_is', 'ask'), ...reason }]) !== undefined;
    for (const path of ['sent.md', 'open.md', 'like.md', 'long.md']) {
      assert.ok(covers(path, {}), path);
      assert.equal(covers(path, { rule: 'preset.flow', story: true }), /^(?:sent|long)/.test(path), path);
    }
    plans.dispose();
  });

  it('a plan that was approved as a batch answers the questions of its own calls, never one for the admin token', () => {
    const { plans, call } = plansOf();
    const plan = plans.freeze('one', calls(twoWrites));
    const covering = (path: string, admin = false) =>
      plans.covering(call(path), [], [{ said: say('as_it_is', 'ask'), ...(admin ? { admin } : {}) }])?.id;
    assert.equal(covering('src/a.ts'), undefined);
    assert.deepEqual([plans.approve('none'), plans.approve(plan.hash)], [false, true]);
    assert.deepEqual(
      [covering('src/a.ts'), covering('docs/a'), covering('src/a.ts', true)],
      [`plan:${plan.hash}`, undefined, undefined],
    );
    assert.equal(plans.revoke(plan.hash), true);
    assert.equal(covering('src/a.ts'), undefined);
    plans.dispose();
  });

  it('survives a reload; a stored plan whose calls were changed is void', () => {
    const { plans, storage } = plansOf();
    const plan = plans.freeze('one', calls(twoWrites));
    plans.approve(plan.hash);
    plans.dispose();
    const again = plansOf('never', storage).plans;
    assert.deepEqual(again.active, plans.active);
    again.dispose();
    const stored = JSON.parse(JSON.stringify(storage.values.get('plans')));
    stored.plans[0].calls[0].count = 99;
    storage.values.set('plans', stored);
    const tampered = plansOf('never', storage).plans;
    assert.deepEqual([tampered.list(), tampered.active], [[], undefined]);
    tampered.dispose();
  });

  it('reports what is no plan', () => {
    for (const raw of [
      {},
      [{}],
      [{ tool: 'a', count: 0 }],
      [{ tool: 'a', arguments: [] }],
      [{ tool: 'a', arguments: { x: { like: 'y' } } }],
    ])
      assert.equal(parsePlannedCalls(raw).problems[0]?.code, 'invalid_plan', JSON.stringify(raw));
  });

  it('compares an argument by an expression once the engine for it is loaded, also after a reload', async () => {
    const high: FakeCall = { definition: { riskLevel: 'high' } };
    const loaded = async ({ plans, call }: Pick<ReturnType<typeof plansOf>, 'plans' | 'call'>) => {
      assert.equal(plans.judge(call('src/a.ts', 'x', high)).effect, 'deny');
      await new Promise<void>((resolve) => {
        const listening = plans.onDidChange(() => {
          listening.dispose();
          resolve();
        });
      });
      assert.deepEqual(
        ['src/a.ts', 'src/a.js'].map((path) => plans.judge(call(path, 'x', high)).effect),
        ['pass', 'deny'],
      );
      plans.dispose();
    };
    const first = plansOf('high');
    const listed = { tool: 'write_file', arguments: { path: { regex: 'src/.*[.]ts' }, content: 'x' } };
    first.plans.freeze('by name', calls([listed]));
    await loaded(first);
    await loaded(plansOf('high', first.storage));
  });
});
