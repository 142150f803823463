import { strict as assert } from 'node:assert';
import { OpenQuestions } from '../../../../src/mcp/client/openQuestions';
import { nobody } from '../../../../src/core/foreign/serverUser';

/** A call that counts how often its clock was stopped and how often it goes on. */
function call() {
  const seen = { stopped: 0, on: 0 };
  const pause = async <T>(wait: Promise<T>): Promise<T> => {
    seen.stopped++;
    const value = await wait;
    seen.on++;
    return value;
  };
  return { seen, pause };
}

describe('open questions of an MCP server', () => {
  const signal = new AbortController().signal;
  const question = { type: 'form', server: 's', message: 'name?', schema: {} } as const;

  it('stop the clocks of the calls that run and of those that come while one is open, and of none that ended', async () => {
    let answer: () => void = () => undefined;
    const questions = new OpenQuestions();
    const user = questions.of({
      ...nobody,
      elicit: () => new Promise((resolve) => (answer = () => resolve({ action: 'decline' }))),
    });
    const [ended, running, later] = [call(), call(), call()];
    questions.hold(ended.pause).dispose();
    questions.hold(running.pause);
    const asked = user.elicit(question, signal);
    questions.hold(later.pause);
    assert.deepEqual(
      [ended.seen, running.seen, later.seen],
      [
        { stopped: 0, on: 0 },
        { stopped: 1, on: 0 },
        { stopped: 1, on: 0 },
      ],
    );
    answer();
    assert.deepEqual(await asked, { action: 'decline' });
    await Promise.resolve();
    assert.deepEqual(
      [running.seen, later.seen],
      [
        { stopped: 1, on: 1 },
        { stopped: 1, on: 1 },
      ],
    );
    const after = call();
    questions.hold(after.pause);
    assert.deepEqual(after.seen, { stopped: 0, on: 0 });
  });

  it('stop a clock only so often, so that a server that asks without end does not live for ever', async () => {
    const questions = new OpenQuestions();
    const user = questions.of(nobody);
    const one = call();
    questions.hold(one.pause);
    for (let index = 0; index < 30; index++) await user.elicit(question, signal);
    assert.equal(one.seen.stopped, 20);
  });

  it('hand on a failure to whoever asked and let the clocks run again', async () => {
    const questions = new OpenQuestions();
    const user = questions.of({
      ...nobody,
      elicit: async () => {
        throw new Error('the window is gone');
      },
    });
    const one = call();
    questions.hold(one.pause);
    await assert.rejects(user.elicit(question, signal), /the window is gone/);
    assert.deepEqual(one.seen, { stopped: 1, on: 1 });
  });
});
