import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { axeViolations } from '../support/axe';
import { useEditor } from '../support/editor/person';
import { projectRoot } from '../support/editor/root';
import { until } from '../support/editor/until';

const shot = (name: string): string => join(projectRoot(), '.build', 'person', `tour-${name}.png`);

describe('the tour, as somebody without a model', () => {
  const editor = useEditor({ workspace: 'test/support/sample-workspace' });

  /** Clicks a button of the tour's page. */
  const press = async (name: string): Promise<void> => {
    const frame = await editor.workbench.frameWith(/Tour of Agent Capabilities/);
    await frame.getByRole('button', { name, exact: true }).click();
  };

  it('D.tour: Play the Tour runs to its end in the installed extension, and asks no model', async () => {
    const { workbench, host } = editor;
    await host.script([]);
    await workbench.runCommand('Agent Capabilities: Play the Tour');
    const first = await workbench.frameWith(/No language model takes part/);
    const folder = /\S*ferry-times/.exec(await first.locator('main').innerText())?.[0] ?? '';
    assert.ok(existsSync(join(folder, '.env')), folder);
    await workbench.screenshot(shot('begin'));
    await press('Play: Search and read');
    await workbench.frameWith(/It is nextDeparture in src\/timetable\.ts/);
    await workbench.screenshot(shot('look'));
    await press('Play to the End');
    assert.match(await workbench.modalText(), /Allow "edit_file" to change src\/timetable\.ts\?/);
    await workbench.screenshot(shot('modal'));
    await workbench.pressModalButton('Allow Once');
    const last = await workbench.frameWith(/records were verified: none was changed/);
    const record = await last.locator('table').innerText();
    assert.match(record, /read_file\s+read \.env\s+denied: denied by boundary "preset\.secrets"/);
    assert.match(record, /edit_file\s+allowed by user after [^]*edit_file\s+change src\/timetable\.ts\s+done/);
    assert.deepEqual(await axeViolations(last), []);
    await workbench.screenshot(shot('record'));
    assert.deepEqual(await host.requests(), []);
    await workbench.runCommand('View: Close All Editors');
    await until(() => assert.equal(existsSync(folder), false));
  });
});
