import { say, worded } from '../../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import type { ToolResult } from '../../../../src/core/vocabulary/toolResult';
import { capabilityOf, definition, type GateOptions, makeGate } from '../../../support/gate';
import type { BoundaryJudge, ChatConfirmation } from '../../../../src/core/call/gateCall';
import type { ToolHandler } from '../../../../src/core/capability/tool';
import type { StepAnswer } from '../../../../src/core/vocabulary/decision';
import { ask, pass } from '../../../../src/core/call/stepAnswer';

const codeOf = (result: ToolResult): string => (result.success ? 'success' : result.error.code);
const messageOf = (result: ToolResult): string => (result.success ? '' : result.error.message);

function withGate<T>(options: GateOptions, body: (gate: ReturnType<typeof makeGate>) => Promise<T>): Promise<T> {
  const gate = makeGate(options);
  return body(gate).finally(() => gate.dispose());
}

describe('the gate asks', () => {
  it('an allow boundary removes a waivable confirmation and no other', async () => {
    const tool = definition({ permissions: { user: 'allowed', agent: 'confirmation_required' } });
    const waive = (more: StepAnswer) => ({ judge: () => ({ ...more, waivedBy: ['mine'] }) });
    await withGate({ capabilities: [capabilityOf(tool)], boundaries: waive(pass('boundaries')) }, async (gate) =>
      assert.equal(codeOf(await gate.call('do_thing')), 'success'),
    );
    await withGate(
      {
        capabilities: [capabilityOf(tool)],
        boundaries: waive(ask('boundaries', [{ said: say('as_it_is', 'critical') }])),
      },
      async (gate) => {
        assert.equal(codeOf(await gate.call('do_thing')), 'declined');
        assert.deepEqual(gate.asked[0]?.reasons, [{ said: say('as_it_is', 'critical') }]);
      },
    );
  });

  it('D.modal: anything but an explicit allow denies, in words that the model can act on', async () => {
    const tool = definition({ permissions: { user: 'allowed', agent: 'confirmation_required' } });
    const capabilities = [capabilityOf(tool, { accesses: () => [{ effect: 'fs.write', resource: 'src/app.ts' }] })];
    const outcomes = [
      ['user', 'declined', 'the user declined to let do_thing change src/app.ts. do not retry; ask what to do instead'],
      [
        'timeout',
        'approval_timeout',
        'nobody answered within 300 s whether `do_thing` may run, so it is denied; ask the user before trying again',
      ],
      ['cancellation', 'cancelled', '`do_thing` was cancelled before it finished'],
      [
        'unavailable',
        'approval_unavailable',
        '`do_thing` needs a confirmation and is denied, because nobody can be asked here',
      ],
    ] as const;
    for (const [by, code, message] of outcomes) {
      await withGate({ capabilities, answer: () => ({ outcome: 'denied', by, waitedMs: 5 }) }, async (gate) => {
        const result = await gate.call('do_thing');
        assert.deepEqual([codeOf(result), messageOf(result)], [code, message]);
      });
    }
  });

  it('D.redaction: nobody is asked about a call whose secrets could not be hidden', async () => {
    const tool = definition({ permissions: { user: 'allowed', agent: 'confirmation_required' } });
    const redaction = () => Promise.reject(new Error('it cannot be loaded'));
    await withGate({ capabilities: [capabilityOf(tool)], redaction }, async (gate) => {
      assert.equal(codeOf(await gate.call('do_thing')), 'internal_error');
      assert.deepEqual(gate.asked, []);
    });
  });

  it('D.questions: a call is told to be on its way until it asks, or until it is known that it does not', async () => {
    const coming = new Set<string>();
    const seen: string[] = [];
    const careful = definition({ permissions: { user: 'allowed', agent: 'confirmation_required' } });
    const look = (at: string): void => void seen.push(`${at} ${coming.size}`);
    const options = (tool: typeof careful): GateOptions => ({
      capabilities: [capabilityOf(tool, { run: async () => (look('run'), { payload: {} }) })],
      refreshPolicy: async () => look('rules'),
      approver: {
        coming,
        covering: () => undefined,
        ask: async () => (look('ask'), { outcome: 'allowed', by: 'user', waitedMs: 0 }),
      },
    });
    for (const tool of [careful, definition()])
      await withGate(options(tool), async (gate) => {
        await gate.call('do_thing');
        await gate.call('no_such_thing');
        await gate.call('do_thing', { value: 1 });
      });
    await withGate({ ...options(careful), refreshPolicy: () => Promise.reject(new Error('no rules')) }, async (gate) =>
      assert.equal(codeOf(await gate.call('do_thing')), 'internal_error'),
    );
    assert.deepEqual(seen, [
      // Rules are looked at once more after a yes.
      ...['rules 1', 'ask 1', 'rules 0', 'run 0', 'rules 1', 'rules 1'],
      ...['rules 1', 'run 0', 'rules 1', 'rules 1'],
    ]);
    assert.equal(coming.size, 0);
  });

  it("D.modal: the editor's own confirmation is recorded as offered or as skipped, and counts for what it said alone", async () => {
    const tool = definition({ permissions: { user: 'allowed', agent: 'confirmation_required' } });
    const write = { effect: 'fs.write', resource: 'src/app.ts' };
    const seen: unknown[] = [];
    const handler: Partial<ToolHandler> = {
      accesses: () => [write],
      run: async (_, { approvedBasis }) => {
        seen.push(approvedBasis);
        return { payload: {} };
      },
    };
    const shown = { accesses: [write], reasons: [{ said: say('confirmation_for_agents') }], preview: { basis: 'b' } };
    const by = async (confirmedInChat: ChatConfirmation, boundaries?: BoundaryJudge) =>
      withGate(
        { capabilities: [capabilityOf(tool, handler)], ...(boundaries ? { boundaries } : {}) },
        async ({ router, events, asked }) => {
          const actor = { type: 'agent', id: 'a' } as const;
          await router.invoke({ tool: 'do_thing', input: {}, actor, surface: 'chat', confirmedInChat });
          const finished = events.find((one) => one.type === 'invocation.finished');
          const reasons = finished?.steps.find(({ step }) => step === 'approval')?.reasons ?? [];
          return [
            asked.length,
            finished?.approvedBy,
            finished?.approvalWaitMs,
            ...reasons.map(({ said }) => worded(said)),
          ];
        },
      );
    assert.deepEqual(await by({ ...shown, waitedMs: 2100 }), [
      0,
      'editor',
      2100,
      "the editor's own confirmation was offered 2100 ms before; how it was answered is not told to extensions",
    ]);
    assert.deepEqual(await by({ ...shown, waitedMs: 12, autoApprovedBy: 'chat.tools.global.autoApprove' }), [
      0,
      'editor-skipped',
      12,
      'the editor skipped its own confirmation: the call came 12 ms after it was offered, sooner than a person answers',
      '`chat.tools.global.autoApprove` lets calls through without a confirmation',
    ]);
    assert.deepEqual(seen, ['b', 'b'], 'what runs is what was shown');
    const other = { ...write, resource: 'src/other.ts' };
    assert.equal((await by({ ...shown, waitedMs: 2100, accesses: [other] }))[0], 1, 'another file was shown');
    const rule = { judge: () => ask('boundaries', [{ said: say('as_it_is', 'a new rule'), rule: 'new' }]) };
    assert.equal((await by({ ...shown, waitedMs: 2100 }, rule))[0], 1, 'a rule asks since then');
  });
});
