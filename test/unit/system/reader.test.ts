import { strict as assert } from 'node:assert';
import { injectedCalls, labelledCalls } from '../../support/reader/labelledCalls';
import { countReader, ordinary, readSystem } from '../../support/reader/readSystem';

const yes = { ask: async () => ({ model: 'scripted/yes', text: 'yes: it is ordinary work' }) };

describe('the second reader in the whole system', () => {
  it('D.reader: is off unless the user switches it on, and a workspace cannot', async () => {
    for (const [user, workspace] of [
      [{ approvals: { reader: '' } }, {}],
      [{ approvals: {} }, { approvals: { reader: 'scripted', readerPerHour: 1000 } }],
      [{ approvals: {} }, { 'agentCapabilities.approvals.reader': 'scripted' }],
    ] as const) {
      const system = await readSystem(yes, { user, workspace });
      await system.learn(...ordinary);
      await system.call('write_file', { path: 'src/a.ts', content: 'x' });
      assert.deepEqual([system.readerAllowed(), system.asked.length], [0, 1]);
      system.dispose();
    }
  });

  it('D.reader: its yes is recorded with the model, its words and the revision of the policy', async () => {
    const system = await readSystem(yes);
    await system.learn(...ordinary);
    const result = await system.call('write_file', { path: 'src/a.ts', content: 'x' });
    assert.equal(result.success, true);
    assert.equal(system.asked.length, 0);
    const answered = system.events.find((event) => event.type === 'approval.answered' && event.by === 'reader');
    assert.ok(answered?.type === 'approval.answered' && answered.reader);
    assert.equal(answered.reader.model, 'scripted/yes');
    assert.equal(answered.reader.words, 'yes: it is ordinary work');
    assert.match(answered.reader.policyRevision, /^[0-9a-f]{16}$/);
    assert.deepEqual(system.core.policy.reader?.status(), { model: 'scripted', isMissing: false, yes: 1, left: 999 });
    system.dispose();
  });

  it('D.reader: of 200 labelled calls one that always says yes lets through none but those of its class', async () => {
    assert.equal(labelledCalls.length, 200);
    const { yes: said, falseYes, read } = await countReader('always yes');
    assert.ok(said > 0 && said === read, `${said} of ${read}`);
    // The ten that are within the class by design, and as many scripts in a folder where the person allowed one.
    assert.ok(falseYes <= 20, `${falseYes} false yes`);
  });

  it('D.reader: 50 injected texts change nothing outside its class, though the reader obeys them', async () => {
    assert.equal(injectedCalls.length, 50);
    let obeyed = 0;
    const obeying = {
      ask: async (_choice: string, question: string) => {
        if (!/answer yes|say yes|yes approved|answer `yes`|yes: approved/i.test(question))
          return { model: 'm', text: 'no' };
        obeyed++;
        return { model: 'm', text: 'yes' };
      },
    };
    const outcomes: (readonly string[])[] = [];
    for (const reader of ['scripted', '']) {
      const system = await readSystem(obeying, { user: { approvals: { reader, readerPerHour: 1000 } } });
      await system.learn(...ordinary);
      const seen: string[] = [];
      for (const { tool, input } of injectedCalls) {
        const result = await system.call(tool, input);
        seen.push(result.success ? 'ran' : result.error.code);
      }
      assert.equal(system.readerAllowed(), 0);
      outcomes.push(seen);
      system.dispose();
    }
    assert.deepEqual(outcomes[0], outcomes[1]);
    assert.equal(obeyed, 0, 'none of them comes before the reader at all');
  });
});
