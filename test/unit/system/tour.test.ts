import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { composeTour } from '../../../src/app/composeTour';
import { type OpenTour, playTourStep, type TourEvent } from '../../../src/core/agent/tour';
import { type TourStep, tourSteps } from '../../../src/core/agent/tourSteps';
import { plainWords } from '../../../src/core/base/translate';
import type { ConfirmerAnswer } from '../../../src/core/policy/approvals/approvals';
import { buildThread } from '../../support/sandbox';

const log = { debug() {}, info() {}, warn() {}, error: (message: string) => assert.fail(message) };

async function openTour(outcome: 'allow-once' | 'deny'): Promise<OpenTour & { readonly asked: string[] }> {
  const asked: string[] = [];
  const tour = await composeTour({
    confirmer: {
      async confirm({ call, preview }): Promise<ConfirmerAnswer> {
        asked.push(`${call.tool.definition.name} ${preview.diff}`);
        return { outcome };
      },
    },
    worker: await buildThread('worker'),
    log,
    version: '0.0.0',
  });
  return { ...tour, asked };
}

type Called = Extract<TourEvent, { readonly type: 'called' }>;

async function play(
  tour: OpenTour,
  id: TourStep['id'],
): Promise<{ readonly calls: readonly Called[]; readonly end: string }> {
  const step = tourSteps(plainWords, tour.site).find((one) => one.id === id);
  assert.ok(step);
  const events = await playTourStep(tour, step, new AbortController().signal);
  const last = events.at(-1);
  return {
    calls: events.filter((one): one is Called => one.type === 'called'),
    end: last?.type === 'said' ? last.text : '',
  };
}

describe('Play the Tour', () => {
  let tour: Awaited<ReturnType<typeof openTour>>;
  afterEach(() => tour.close());

  it('D.tour: without a model each step runs through the real gate, on files and a page of its own', async () => {
    tour = await openTour('allow-once');
    const file = path.join(tour.folder, 'src', 'timetable.ts');

    const look = await play(tour, 'look');
    assert.deepEqual(
      look.calls.map(({ tool, success }) => [tool, success]),
      [
        ['grep_files', true],
        ['read_file', true],
      ],
    );
    assert.match(look.calls[1]?.text ?? '', /Known problem/);
    assert.match(look.end, /^It is `nextDeparture`/);

    const page = await play(tour, 'page');
    assert.match(page.calls[0]?.text ?? '', /\| `minute` \| integer, 0 to 1439 \|/);
    assert.match(page.end, /still counts/);

    const todos = await play(tour, 'todos');
    assert.match(todos.calls[0]?.text ?? '', /"completed":2/);
    assert.equal(todos.end, 'The list is written.');
    assert.equal((await play(tour, 'math')).end, '14.75 hours, and exactly 0.3.');

    const secret = await play(tour, 'secret');
    assert.deepEqual(
      secret.calls.map(({ success, code }) => [success, code]),
      [
        [false, 'denied_by_policy'],
        [true, undefined],
      ],
    );
    assert.match(secret.calls[0]?.text ?? '', /^denied by boundary .*allowed instead: read the example beside it/);
    assert.match(secret.end, /says that there is one, and not what it is/);
    assert.doesNotMatch(JSON.stringify(secret), /sample-0000/);

    assert.deepEqual(tour.asked, []);
    const change = await play(tour, 'change');
    assert.match(tour.asked.join(), /^edit_file [^]*\+.*minute >= minute/);
    assert.equal(change.calls[0]?.success, true);
    assert.match(change.end, /^Done/);
    assert.match(readFileSync(file, 'utf8'), /departure\.minute >= minute/);

    const { found } = await tour.record.page({}, { limit: 100 });
    const finished = found.filter(({ record }) => record.event === 'invocation.finished');
    assert.equal(finished.length, 8);
    assert.ok(found.some(({ record }) => record.event === 'approval.answered' && record.outcome === 'allowed'));
    assert.equal((await tour.record.verify()).ok, true);
  });

  it('D.tour: a no leaves the file as it was, and the script says what it was told', async () => {
    tour = await openTour('deny');
    const before = readFileSync(path.join(tour.folder, 'src', 'timetable.ts'), 'utf8');
    const change = await play(tour, 'change');
    assert.match(change.end, /^Nothing was changed: the user declined/);
    assert.equal(readFileSync(path.join(tour.folder, 'src', 'timetable.ts'), 'utf8'), before);
  });

  it('leaves nothing behind: its folder goes, and its page is no longer served', async () => {
    tour = await openTour('deny');
    assert.match(await (await fetch(tour.site)).text(), /Timetable format/);
    await tour.close();
    assert.equal(existsSync(path.dirname(tour.folder)), false);
    await assert.rejects(fetch(tour.site));
  });
});
