// @window keys
import assert from 'node:assert/strict';
import { useEditor } from '../support/editor/person';
import { chooseProfile } from '../support/editor/chooseProfile';
import { until } from '../support/editor/until';

describe('the participant @capabilities, as a person', () => {
  const editor = useEditor({ viewport: { width: 1400, height: 1000 } });

  const chatText = (): Promise<string> => editor.workbench.chat.innerText();
  const ask = (query: string, continueChat = false) => editor.host.runAgentTurn({ query, mode: 'ask', continueChat });
  /** A turn that the participant answers by itself. */
  const tell = (query: string): Promise<unknown> =>
    editor.host.execute('workbench.action.chat.open', { query, mode: 'ask', blockOnResponse: true });

  it('S3.agent-loop: shows a five-step task in which one call is denied and one fails, and the transcript says so', async () => {
    const { host, workbench } = editor;
    await chooseProfile(editor, 'readOnly');
    await host.script([
      {
        text: 'I read what there is.',
        tools: [
          { tool: 'read_file', input: { path: 'README.md' } },
          { tool: 'read_file', input: { path: 'src/app.ts' } },
        ],
      },
      { tool: 'write_file', input: { path: 'a.txt', content: 'x' } },
      { tool: 'read_file', input: { path: 'missing.txt' } },
      { tool: 'multiply', input: { a: 6, b: 7 } },
      { text: 'Two files read, one sum made; writing is switched off here, and missing.txt does not exist.' },
    ]);
    const turn = await ask('@capabilities do the five steps');
    assert.equal(turn.requests.length, 5);
    await until(async () => assert.match(await chatText(), /missing\.txt does not exist/));
    // The editor may fold the steps of an answer once it is complete.
    const text = await until(async () => {
      const shown = await chatText();
      if (shown.includes('write_file ·')) return shown;
      await workbench.chat
        .getByText(/^Completed \d+ steps/)
        .last()
        .click({ timeout: 5000 });
      await workbench.chat.getByText('write_file ·').first().waitFor({ timeout: 3000 });
      throw new Error('the steps were folded');
    }, 30_000);
    assert.match(text, /write_file · ⊘ denied: .*switched off in the profile/);
    assert.match(text, /read_file missing\.txt · ✗ failed:/);
    assert.match(text, /multiply · ✓ \d+ ms/);
    await workbench.picture('participant');
    await chooseProfile(editor, 'default');
  });

  it('answers /profile, /tools and /why in words', async () => {
    const { workbench } = editor;
    await tell('@capabilities /profile');
    await until(async () => assert.match(await chatText(), /readOnly/));
    await tell('@capabilities /why write_file {"path":"src/app.ts","content":"b"}');
    await until(async () => assert.match(await chatText(), /write_file would ask you/));
    await workbench.picture('participant-why');
    await tell('@capabilities /why read_file .env');
    await until(async () => assert.match(await chatText(), /read_file would be denied/));
    await tell('@capabilities /tools');
    await until(async () => assert.match(await chatText(), /calculate/));
    await workbench.picture('participant-tools');
  });

  it('S1.spec-freeze: offers to freeze only where the answer ends in a plan', async () => {
    const { host, workbench } = editor;
    await host.script([{ text: 'First tell me which numbers.' }]);
    await ask('@capabilities /plan add something');
    await until(async () => assert.match(await chatText(), /First tell me which numbers/));
    await workbench.page.waitForTimeout(1000);
    assert.equal(await workbench.chat.getByText('Freeze this plan').count(), 0);
  });

  it('S1.spec-freeze: ends a plan so that it can be frozen, and offers the next step each time', async () => {
    const { host, workbench } = editor;
    const plan = { title: 'One sum', calls: [{ tool: 'add', arguments: { a: 1, b: 2 } }] };
    await host.script([{ text: `I add the two.\n\n\`\`\`json plan\n${JSON.stringify(plan, undefined, 2)}\n\`\`\`\n` }]);
    await ask('@capabilities /plan add one and two');
    await workbench.chat.getByText('Freeze this plan').waitFor();
    await workbench.picture('participant-plan');
    const freezing = tell('@capabilities /freeze');
    assert.match(await workbench.modalText(), /Freeze the plan "One sum"\?/);
    await workbench.pressModalButton('Freeze and Approve All Calls');
    await freezing;
    await workbench.statusBarItem(/plan, 1 left/).waitFor();
    await until(async () => assert.match(await chatText(), /Frozen: One sum/));
    await workbench.picture('participant-frozen');
    await host.script([
      { tool: 'add', input: { a: 1, b: 2 } },
      { tool: 'write_file', input: { path: 'a.txt', content: 'x' } },
      { text: 'Done: 3.' },
    ]);
    await ask('@capabilities /run', true);
    await until(async () => assert.match(await chatText(), /Done: 3\./));
    assert.match(JSON.stringify(await host.requests()), /not in the frozen plan/);
    await workbench.picture('participant-run');
  });

  it('asks after 25 rounds whether to go on, and a cancelled turn asks no more', async function () {
    this.timeout(240_000);
    const { host, workbench } = editor;
    const endless = Array.from({ length: 60 }, (_, index) => ({ tool: 'add', input: { a: index, b: 1 } }));
    await host.script(endless);
    const running = ask('@capabilities count').catch(() => undefined);
    await until(async () => assert.equal((await host.requests()).length, 25), 60_000);
    await host.execute('notifications.showList');
    const question = workbench.notification(/has worked for 25 rounds/);
    await question.waitFor();
    await workbench.picture('participant-rounds');
    await question.getByRole('button', { name: 'Go On' }).click();
    await until(async () => assert.equal((await host.requests()).length, 50), 60_000);
    await host.execute('workbench.action.chat.cancel');
    await until(async () => assert.equal(await workbench.page.locator('.chat-response-loading').count(), 0), 20_000);
    assert.equal((await host.requests()).length, 50);
    await host.script([{ text: 'Fresh.' }]);
    await ask('@capabilities hello');
    await until(async () => assert.match(await chatText(), /Fresh\./));
    await running;
  });
});
