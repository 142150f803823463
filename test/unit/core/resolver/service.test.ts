import { strict as assert } from 'node:assert';
import { readWorkspaceRows } from '../../../../src/core/resolver/workspace';
import type { Json } from '../../../../src/core/base/json';
import { loadLinearRegex } from '../../../../src/core/base/linearRegex';
import { say, worded } from '../../../../src/core/base/sentence';
import { PolicyEngine } from '../../../../src/core/policy/rules/engine';
import { parseBoundaries } from '../../../../src/core/policy/rules/parse';
import { parseRequirements } from '../../../../src/core/resolver/requirement';
import { ResolverService } from '../../../../src/core/resolver/service';
import { SharedWork } from '../../../../src/core/resolver/sharedWork';
import { inGerman } from '../../../support/german';
import { fakeCall } from '../../../support/gateCall';
import { FakeClock, fakePorts, MemoryStore } from '../../../support/toolContext';

const hour = 3_600_000;

function world(rows: unknown[], rules: unknown[] = [], storage = new MemoryStore()) {
  const clock = new FakeClock();
  const probed: string[] = [];
  const results = new Map<string, boolean | Error>();
  const policy = new PolicyEngine(parseBoundaries(rules, 'user').value, loadLinearRegex);
  const resolver = new ResolverService({
    clock,
    crypto: fakePorts().crypto,
    storage,
    policy,
    prober: {
      async probe(requirement) {
        probed.push(requirement.id);
        const result = results.get(requirement.id) ?? true;
        if (result instanceof Error) throw result;
        return { isGood: result, detail: result ? say('probe_secret_stored') : say('http_status', 401) };
      },
    },
  });
  const parsed = parseRequirements(rows);
  assert.deepEqual(parsed.problems, []);
  resolver.setRequirements(parsed.value);
  const call = (requires: readonly string[], more: { isPreview?: boolean; hours?: number } = {}) =>
    fakeCall({
      more: { requires, ...(more.hours === undefined ? {} : { freshnessBudgetHours: more.hours }) },
      isPreview: more.isPreview ?? false,
    });
  const dispose = () => {
    resolver.dispose();
    policy.dispose();
  };
  return { clock, probed, results, resolver, call, storage, dispose };
}

const key = { id: 'key.x', kind: 'key', critical: true, freshnessBudgetHours: 2, probe: { type: 'secret', name: 'x' } };
const signal = new AbortController().signal;

describe('requirements before a call', () => {
  it('S4.probes: unknown and stale are probed and then fresh; the budget of the capability wins where it is smaller', async () => {
    const { resolver, call, clock, probed, dispose } = world([key]);
    assert.equal(resolver.state('key.x'), 'unknown');
    assert.equal((await resolver.judge(call(['key.x'], { isPreview: true }))).effect, 'pass');
    assert.deepEqual(probed, [], 'a preview probes nothing');
    assert.equal((await resolver.judge(call(['key.x']))).effect, 'pass');
    clock.advance(hour);
    assert.deepEqual(
      [resolver.state('key.x'), resolver.state('key.x', 0.5), resolver.state('key.x', 8)],
      ['fresh', 'stale', 'fresh'],
    );
    await resolver.judge(call(['key.x']));
    assert.deepEqual(probed, ['key.x']);
    await resolver.judge(call(['key.x'], { hours: 0.5 }));
    clock.advance(2 * hour + 1);
    assert.equal(resolver.state('key.x'), 'stale');
    await resolver.judge(call(['key.x']));
    assert.deepEqual(probed, ['key.x', 'key.x', 'key.x']);
    clock.time -= 24 * hour;
    assert.equal(resolver.state('key.x'), 'stale', 'a record from the future proves nothing');
    dispose();
  });

  it('S4.validate: of two rows with one id what is stricter counts, in one file or in two, in any order', () => {
    const { clock, resolver, dispose } = world([]);
    const at = (ms: number): string => new Date(clock.now() - ms).toISOString();
    const probe = { type: 'env', name: 'KEY' };
    const red = { id: 'key.a', critical: true, last_probe: { state: 'red', at: at(2000) } };
    const green = { id: 'key.a', probe, freshness_budget_hours: 1, last_probe: { state: 'green', at: at(1000) } };
    const old = { id: 'key.a', probe, last_probe: { state: 'green', at: at(2 * hour) } };
    const none = { id: 'key.a' };
    const file = (folder: string, rows: readonly unknown[]) => ({
      path: `/w/${folder}/.vscode/capabilities/requirements.json`,
      text: JSON.stringify(rows),
    });
    for (const [one, other, state, critical] of [
      [red, green, 'red', true],
      [green, green, 'fresh', false],
      [green, old, 'stale', false],
      [green, none, 'unknown', false],
    ] as const)
      for (const [a, b] of [[one, other] as const, [other, one] as const])
        for (const files of [[file('a', [a, b])], [file('a', [a]), file('b', [b])], [file('b', [a]), file('a', [b])]]) {
          const rows = readWorkspaceRows(files);
          resolver.setRequirements(rows.requirements);
          const what = JSON.stringify(files);
          assert.equal(rows.requirements.length, 1, what);
          assert.deepEqual([resolver.state('key.a'), rows.requirements[0]?.critical], [state, critical], what);
          const twice = rows.problems.filter(({ code }) => code === 'duplicate_requirement');
          assert.deepEqual(
            twice.map((one) => [one.file, one.subject]),
            [
              [
                files
                  .map(({ path }) => path)
                  .sort()
                  .at(-1),
                'key.a',
              ],
            ],
          );
        }
    const spelled = `[{"id":"key.a","critical":true,"critical":false}]`;
    assert.equal(readWorkspaceRows([{ ...file('a', []), text: spelled }]).requirements[0]?.critical, true);
    dispose();
  });

  it('S4.probes: red denies with what blocks, and is probed again after a while', async () => {
    const { resolver, call, results, clock, dispose } = world([key]);
    results.set('key.x', false);
    const denied = await resolver.judge(call(['key.x']));
    assert.deepEqual(
      [denied.effect, denied.error?.code, denied.error?.details?.['blocking']],
      ['deny', 'requirement_failed', ['key.x: red (status 401)']],
    );
    results.set('key.x', true);
    assert.equal((await resolver.judge(call(['key.x']))).effect, 'deny');
    clock.advance(5 * 60_000 + 1);
    assert.equal((await resolver.judge(call(['key.x']))).effect, 'pass');
    dispose();
  });

  it('what stays unknown denies where it is critical and asks otherwise', async () => {
    const { resolver, call, results, dispose } = world([key, { ...key, id: 'key.y', critical: false }]);
    results.set('key.x', new Error('offline')).set('key.y', new Error('offline'));
    assert.equal((await resolver.judge(call(['key.x']))).effect, 'deny');
    const asked = await resolver.judge(call(['key.y', 'nobody.declares']));
    assert.deepEqual([asked.effect, asked.reasons.map((one) => one.rule)], ['ask', ['key.y', 'nobody.declares']]);
    assert.equal((await resolver.judge(call([]))).effect, 'pass');
    dispose();
  });

  it('S4.probes: probes are under policy, and one that runs a program or sends a secret has to be approved once for its content', async () => {
    const rows = [
      { id: 'bin.git', probe: { type: 'command', command: 'git', args: ['--version'] } },
      {
        id: 'api',
        probe: { type: 'http', url: 'https://api.example.com/me', headers: { Authorization: 'Bearer ${secret:x}' } },
      },
      { id: 'site', probe: { type: 'http', url: 'https://blocked.example.com/' } },
      { id: 'asks', probe: { type: 'http', url: 'https://asks.example.com/' } },
    ];
    const { resolver, probed, dispose } = world(rows, [
      { id: 'no', match: { host: 'blocked.example.com' }, decision: 'deny', reason: 'closed' },
      { id: 'ask', match: { host: 'asks.example.com' }, decision: 'require_approval', reason: 'asks' },
    ]);
    const why = async (id: string, isManual = false) => {
      const outcome = await resolver.probe(id, signal, isManual);
      return outcome.outcome === 'not-run' ? worded(outcome.why) : 'probed';
    };
    assert.match(await why('bin.git'), /runs a program and has to be approved once/);
    assert.match(await why('api'), /sends a secret and has to be approved once/);
    assert.equal(await why('site', true), 'denied by boundary "no": closed');
    assert.match(await why('asks'), /needs a confirmation/);
    assert.equal(await why('asks', true), 'probed');
    await resolver.approveProbe('bin.git');
    assert.equal(await why('bin.git'), 'probed');
    resolver.setRequirements(
      parseRequirements([{ id: 'bin.git', probe: { type: 'command', command: 'rm', args: ['-rf', '/'] } }]).value,
    );
    assert.match(await why('bin.git'), /approved once/);
    assert.equal(resolver.state('bin.git'), 'unknown', 'the record of another probe does not count');
    assert.deepEqual(probed, ['asks', 'bin.git']);
    dispose();
  });

  it('S4.probes: who shares a probe leaves it alone: the others get its result, and it is aborted when the last one has left', async () => {
    const left = () => ({ answer: 'left' });
    const work = new SharedWork<{ answer: string }>();
    const ends: ((answer: string) => void)[] = [];
    const signals: AbortSignal[] = [];
    const run = (signal: AbortSignal) =>
      work.run(
        'x',
        signal,
        (shared) => {
          signals.push(shared);
          return new Promise((resolve) => ends.push((answer) => resolve({ answer })));
        },
        left,
      );
    const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
    const answers = [run(first.signal), run(second.signal)];
    first.abort();
    assert.deepEqual(await answers[0], { answer: 'left' });
    assert.equal(signals[0]?.aborted, false, 'the second caller still waits');
    ends[0]?.('probed');
    assert.deepEqual(await answers[1], { answer: 'probed' });
    // All leave: the work is aborted, and who comes next gets work of its own, though the old one has not ended.
    const lonely = [run(first.signal), run(second.signal)];
    second.abort();
    assert.deepEqual(await Promise.all(lonely), [{ answer: 'left' }, { answer: 'left' }]);
    assert.deepEqual([signals.length, signals[1]?.aborted], [2, true]);
    const fresh = run(third.signal);
    ends[1]?.('late');
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(signals.length, 3);
    ends[2]?.('new');
    assert.deepEqual(await fresh, { answer: 'new' });
  });

  it('S4.probes: a call that is cancelled while another waits for the same probe does not end the probe', async () => {
    const { resolver, probed, dispose } = world([key]);
    const cancelled = new AbortController();
    const answers = [resolver.probe('key.x', cancelled.signal), resolver.probe('key.x', signal)];
    cancelled.abort();
    const [mine, theirs] = await Promise.all(answers);
    assert.deepEqual([mine?.outcome, theirs?.outcome, resolver.state('key.x')], ['not-run', 'probed', 'fresh']);
    assert.deepEqual(probed, ['key.x']);
    dispose();
  });

  it('results survive a reload, and calls at the same time share one probe', async () => {
    const one = world([key]);
    await Promise.all([one.resolver.probe('key.x', signal), one.resolver.probe('key.x', signal)]);
    assert.deepEqual(one.probed, ['key.x']);
    one.dispose();
    const again = world([key], [], one.storage);
    assert.equal(again.resolver.state('key.x'), 'fresh');
    assert.deepEqual(again.resolver.status('key.x').detail, say('probe_secret_stored'));
    again.dispose();
  });

  /** What a window knows of a red whose words were kept like this. */
  async function redKeptAs(detail: unknown): Promise<{ readonly state: string; readonly detail: unknown }> {
    const one = world([key]);
    one.results.set('key.x', false);
    await one.resolver.probe('key.x', signal);
    one.dispose();
    const stored = one.storage.get('probes') as Record<string, object>;
    const [[id, row] = ['', {}]] = Object.entries(stored);
    await one.storage.set('probes', { [id]: { ...row, detail } } as Json);
    const again = world([key], [], one.storage);
    const known = { state: again.resolver.state('key.x'), detail: again.resolver.status('key.x').detail };
    again.dispose();
    return known;
  }

  it('S4.probes: a red stays red whose words this version does not know, or that has none', async () => {
    for (const detail of [{ code: 'of_a_later_version', args: [] }, { code: 'http_status', args: [] }, '', 7, {}])
      assert.deepEqual(await redKeptAs(detail), { state: 'red', detail: say('no_reason') }, JSON.stringify(detail));
  });

  it('S4.probes: a person reads what a probe found, and the state, in the own language', async () => {
    const { resolver, call, results, dispose } = world([
      key,
      { ...key, id: 'key.y', critical: false, probe: undefined },
    ]);
    results.set('key.x', false);
    const { reasons } = await resolver.judge(call(['key.x']));
    assert.deepEqual(
      reasons.map(({ said }) => worded(said, inGerman)),
      ['key.x: rot (Status 401)'],
    );
    const asked = await resolver.judge(call(['key.y']));
    assert.deepEqual(
      asked.reasons.map(({ said }) => worded(said, inGerman)),
      ['der Zustand der Voraussetzung `key.y` ist unbekannt (`key.y` hat keine Prüfung)'],
    );
    dispose();
  });
});
