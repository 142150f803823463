import { strict as assert } from 'node:assert';
import {
  type LoopMessage,
  type LoopModel,
  type LoopOptions,
  type ModelPart,
  runAgentLoop,
} from '../../../../src/core/agent/loop';
import { toolError } from '../../../../src/core/vocabulary/errors';
import { definition, makeGate } from '../../../support/gate';
import { named } from '../../../support/profiles';
import { defineTool, type ToolHandler } from '../../../../src/core/capability/tool';

type Answer = { text?: string; calls?: [name: string, input?: object][] };

/** A model that answers from a script and keeps what it was sent. */
function scripted(answers: readonly (Answer | ((messages: readonly LoopMessage[]) => Answer))[]) {
  const sent: { messages: readonly LoopMessage[]; tools: string[] }[] = [];
  const left = [...answers];
  let number = 0;
  const model: LoopModel = {
    async *send(messages, tools): AsyncGenerator<ModelPart> {
      sent.push({ messages: [...messages], tools: tools.map((tool) => tool.name) });
      const next = left.shift() ?? { text: 'done' };
      const answer = typeof next === 'function' ? next(messages) : next;
      if (answer.text) yield { type: 'text', text: answer.text };
      for (const [name, input] of answer.calls ?? [])
        yield { type: 'call', call: { callId: `c${number++}`, name, input: input ?? {} } };
    },
  };
  return { model, sent };
}

function tool(name: string, handler: Partial<ToolHandler>, more = {}) {
  return defineTool(definition({ name, ...more }), async () => ({
    accesses: () => [],
    run: async () => ({ payload: { from: name } }),
    ...handler,
  }));
}

function world(model: LoopModel, tools = [tool('look', {}, { kind: 'data' })], more: Partial<LoopOptions> = {}) {
  const gate = makeGate({ capabilities: [named('thing', [], { tools })] });
  const log: string[] = [];
  const run = () =>
    runAgentLoop({
      router: gate.router,
      model,
      view: {
        text: (text) => log.push(text),
        started: (one, call) => log.push(`> ${one?.definition.name ?? call.name}`),
        progress: (message) => log.push(`… ${message}`),
        finished: (call, _tool, result) => log.push(`${result.success ? 'ok' : result.error.code} ${call.name}`),
        goOn: async () => false,
      },
      tools: () => gate.registry.tools(),
      find: (name) => gate.registry.tool(name),
      messages: [{ role: 'user', text: 'go' }],
      maxRounds: 10,
      signal: new AbortController().signal,
      ...more,
    });
  return { gate, log, run };
}

const resultsOf = (messages: readonly LoopMessage[]): string[] =>
  messages.flatMap((message) => (message.role === 'results' ? message.results.map((result) => result.text) : []));

describe('the agent loop', () => {
  it('S3.agent-loop: completes a five-step task in which one call is denied and one fails, and says what happened', async () => {
    const { model, sent } = scripted([
      { text: 'I look.', calls: [['look']] },
      { calls: [['change']] },
      { calls: [['break']] },
      { calls: [['look'], ['missing']] },
      (messages) => ({ text: `Seen ${resultsOf(messages).length} results.` }),
    ]);
    const { gate, log, run } = world(model, [
      tool('look', {}, { kind: 'data' }),
      tool('change', {}, { permissions: { user: 'allowed', agent: 'confirmation_required' } }),
      tool('break', {
        run: async () => {
          throw toolError('not_found', 'there is no such thing');
        },
      }),
    ]);
    const result = await run();
    assert.deepEqual(
      { end: result.end, rounds: result.rounds, text: result.text },
      { end: 'answered', rounds: 5, text: 'Seen 5 results.' },
    );
    const [first, denied, failed, again, missing] = resultsOf(result.messages);
    assert.equal(first, '{"from":"look"}');
    assert.match(denied ?? '', /the user declined to let change run\. do not retry/);
    assert.equal(failed, 'there is no such thing');
    assert.equal(again, first);
    assert.match(missing ?? '', /no tool is called `missing`/);
    assert.deepEqual(log, [
      'I look.',
      '> look',
      'ok look',
      '> change',
      'declined change',
      '> break',
      'not_found break',
      '> look',
      'ok look',
      '> missing',
      'tool_not_found missing',
      'Seen 5 results.',
    ]);
    assert.deepEqual(sent[0]?.tools, ['look', 'change', 'break']);
    gate.dispose();
  });

  it('S3.agent-loop: runs reading calls side by side, and a changing one alone and in its place', async () => {
    let running = 0;
    let most = 0;
    const order: string[] = [];
    const slow = (name: string): Partial<ToolHandler> => ({
      run: async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
        order.push(name);
        return { payload: name };
      },
    });
    const { model } = scripted([{ calls: [['read_a'], ['read_b'], ['write_c'], ['read_d']] }]);
    const { gate, run } = world(model, [
      tool('read_a', slow('a'), { kind: 'data' }),
      tool('read_b', slow('b'), { kind: 'data' }),
      tool('write_c', slow('c'), { kind: 'action', sideEffects: ['fs.write'] }),
      tool('read_d', slow('d'), { kind: 'data' }),
    ]);
    const result = await run();
    assert.equal(most, 2);
    assert.deepEqual(
      [order.slice(0, 2).sort(), order.slice(2)],
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    );
    assert.deepEqual(resultsOf(result.messages), ['"a"', '"b"', '"c"', '"d"']);
    gate.dispose();
  });

  it('S3.agent-loop: stops at the limit of rounds unless the person wants to go on', async () => {
    const forever = Array.from({ length: 100 }, (): Answer => ({ calls: [['look']] }));
    const stopped = world(scripted(forever).model, undefined, { maxRounds: 3 });
    assert.deepEqual([(await stopped.run()).end, stopped.log.filter((line) => line === '> look').length], ['limit', 3]);
    stopped.gate.dispose();
    let asked = 0;
    const { model } = scripted(forever);
    const gate = makeGate({ capabilities: [named('thing', [], { tools: [tool('look', {}, { kind: 'data' })] })] });
    const result = await runAgentLoop({
      router: gate.router,
      model,
      view: { text() {}, started() {}, progress() {}, finished() {}, goOn: async () => ++asked < 3 },
      tools: () => gate.registry.tools(),
      find: (name) => gate.registry.tool(name),
      messages: [{ role: 'user', text: 'go' }],
      maxRounds: 2,
      signal: new AbortController().signal,
    });
    assert.deepEqual([result.end, result.rounds, asked], ['limit', 6, 3]);
    gate.dispose();
  });

  it('ends when it is cancelled, in the middle of an answer and of a call', async () => {
    const controller = new AbortController();
    const { model, sent } = scripted([{ calls: [['look']] }, { text: 'never' }]);
    const { gate, run } = world(
      model,
      [tool('look', { run: async () => (controller.abort(), { payload: 1 }) }, { kind: 'data' })],
      {
        signal: controller.signal,
      },
    );
    assert.equal((await run()).end, 'cancelled');
    assert.equal(sent.length, 1);
    gate.dispose();
  });

  it('S1.modes: in plan mode a call that writes is denied, and the model hears what to do instead', async () => {
    const { model } = scripted([{ calls: [['write']] }]);
    const { gate, run } = world(model, [tool('write', { accesses: () => [{ effect: 'fs.write', resource: 'a' }] })], {
      mode: 'plan',
    });
    assert.match(
      resultsOf((await run()).messages)[0] ?? '',
      /denied in plan mode.*describe the change in the plan instead/,
    );
    gate.dispose();
  });

  it("passes a model's failure on, in the model's own words", async () => {
    const model: LoopModel = {
      // oxlint-disable-next-line require-yield -- a model that fails answers nothing.
      async *send() {
        throw new Error('the quota is used up');
      },
    };
    const { gate, run } = world(model);
    await assert.rejects(run(), /the quota is used up/);
    gate.dispose();
  });

  it('a turn that is cancelled while it asks whether to go on ends, though nobody answers', async () => {
    const { model } = scripted(Array.from({ length: 5 }, () => ({ calls: [['look']] as [string][] })));
    const turn = new AbortController();
    let asked = 0;
    const { run, gate } = world(model, undefined, {
      maxRounds: 2,
      signal: turn.signal,
      view: {
        text: () => undefined,
        started: () => undefined,
        progress: () => undefined,
        finished: () => undefined,
        goOn: () => {
          asked++;
          setImmediate(() => turn.abort());
          return new Promise(() => undefined);
        },
      },
    });
    const { end, rounds } = await run();
    assert.deepEqual([end, rounds, asked], ['cancelled', 2, 1]);
    gate.dispose();
  });
});
