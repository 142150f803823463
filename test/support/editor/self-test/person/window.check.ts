import assert from 'node:assert/strict';
import { join } from 'node:path';
import { useEditor } from '../../person';
import { projectRoot } from '../../root';

describe('as a person', () => {
  const editor = useEditor();

  it('sees the tree and clicks a checkbox', async () => {
    const { workbench, host } = editor;
    await workbench.openContainer('Fixture');
    await workbench.setCheckbox('Things', 'Beta', true);
    await workbench.screenshot(join(projectRoot(), '.build', 'self-test', 'tree.png'));
    const checked = await host.evaluate((vscode) =>
      vscode.extensions.getExtension('agent-capabilities-test.fixture')?.exports.checked(),
    );
    assert.deepEqual(checked, { Alpha: true, Beta: true });
  });

  it('answers a real modal', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Fixture: Ask');
    assert.match(await workbench.modalText(), /Allow the fixture\?\s+A detail\./);
    await workbench.screenshot(join(projectRoot(), '.build', 'self-test', 'modal.png'));
    await workbench.pressModalButton('Allow Once');
  });

  it('answers a modal in the middle of an agent turn', async () => {
    const { workbench, host } = editor;
    await host.script([{ tool: 'fixture_ask', input: {} }, { text: 'Thank you.' }]);
    const turn = host.runAgentTurn({ query: 'ask me' });
    await workbench.modalText();
    await workbench.screenshot(join(projectRoot(), '.build', 'self-test', 'agent-modal.png'));
    await workbench.pressModalButton('Cancel');
    assert.equal((await turn).toolResults.at(-1)?.text, 'the person said Cancel');
    await workbench.screenshot(join(projectRoot(), '.build', 'self-test', 'agent.png'));
  });

  it('presses the confirmation in the chat', async () => {
    const { workbench, host } = editor;
    await host.script([{ tool: 'fixture_confirm', input: {} }, { text: 'Done.' }]);
    const turn = host.runAgentTurn({ query: 'confirm' });
    await workbench.chatButton(/^Allow/).waitFor();
    await workbench.screenshot(join(projectRoot(), '.build', 'self-test', 'confirmation.png'));
    await workbench.chatButton(/^Allow/).click();
    assert.equal((await turn).toolResults.at(-1)?.text, 'confirmed');
  });
});
