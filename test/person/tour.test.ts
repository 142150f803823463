import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { axeViolations, frameWith } from '../support/axe';
import { failureFolder, keepFailure } from '../support/editor/failures';
import { openEditor, type PersonEditor } from '../support/editor/person';
import { projectRoot } from '../support/editor/root';
import { until } from '../support/editor/until';
import { packageGuide } from '../support/start/packageExtension';
import { copySample, SAMPLE_SETTINGS } from '../support/start/sample';
import { startScriptedModel } from '../support/start/scriptedModel';
import { startSite } from '../support/start/site';

const root = projectRoot();

describe('the tour, as somebody without a model', () => {
  let editor: PersonEditor;
  let model: Awaited<ReturnType<typeof startScriptedModel>>;
  const closing: (() => void)[] = [];

  /** The window that `npm start` opens: the sample, its site, its scripted model, its buttons. */
  before(async function () {
    this.timeout(120_000);
    const site = await startSite(join(root, 'test', 'support', 'sample-site'), 0);
    model = await startScriptedModel(site.url);
    closing.push(site.close, model.close);
    await copySample(root, join(root, '.build', 'tour-sample'), site.url);
    editor = await openEditor({
      workspace: '.build/tour-sample',
      settings: SAMPLE_SETTINGS,
      userFiles: model.userFiles,
      vsix: [await packageGuide(root)],
      viewport: { width: 1600, height: 1200 },
      answersRequests: true,
    });
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed' && editor)
      await keepFailure(failureFolder('person', this.currentTest.fullTitle()), editor);
  });
  after(async () => {
    await editor?.close();
    for (const close of closing) close();
  });

  const chatText = (): Promise<string> => editor.workbench.chat.innerText();

  it('D.tour: npm start: buttons of the README ask agent mode, the file is changed after a yes, .env stays closed', async () => {
    const { workbench, page, folder } = editor;
    const press = (name: string): Promise<void> => page.getByText(name).click({ timeout: 60_000 });
    await press('Ask the agent · 1 of 7');
    await until(async () => assert.match(await chatText(), /A comment there names a problem/), 60_000);
    await press('Ask the agent · 5 of 7');
    await until(
      async () => assert.match(await chatText(), /I cannot tell the token\. .*says that there is one/s),
      60_000,
    );
    await press('Ask the agent · 6 of 7');
    assert.match(await workbench.modalText(60_000), /Allow "edit_file" to change src\/timetable\.ts\?/);
    await workbench.pressModalButton('Allow Once');
    await until(async () => assert.match(await chatText(), /Done: a ferry of this minute counts now/), 60_000);
    assert.match(readFileSync(join(folder, 'src', 'timetable.ts'), 'utf8'), /departure\.minute >= minute/);
    await workbench.picture('tour-start');
    await press('Open the record · 7 of 7');
    const record = await workbench.frameWith(/edit_file/);
    await until(async () => assert.match(await record.locator('body').innerText(), /read_file[^]*read \.env/));
    await workbench.picture('tour-start-record');
  });

  it('D.tour: anything else is answered with what this model is and how to choose a real one', async () => {
    const modelSelector = { vendor: 'customendpoint', id: 'tour-script' };
    await editor.host.execute('workbench.action.chat.open', { query: 'Write a poem', mode: 'agent', modelSelector });
    await until(async () => assert.match(await chatText(), /I am not a language model/), 60_000);
    assert.match(await chatText(), /Chat: Manage Language Models/);
  });

  it('D.tour: Play the Tour runs to its end in the installed extension, and asks no model', async () => {
    const { workbench, host } = editor;
    await host.script([]);
    const asked = model.requests();
    const press = async (name: string): Promise<void> => {
      const frame = await workbench.frameWith(/Tour of Agent Capabilities/);
      await frame.getByRole('button', { name, exact: true }).click();
    };
    await workbench.runCommand('Agent Capabilities: Play the Tour');
    const first = await workbench.frameWith(/No language model takes part/);
    const folder = /\S*ferry-times/.exec(await first.locator('main').innerText())?.[0] ?? '';
    assert.ok(existsSync(join(folder, '.env')), folder);
    await press('Play: Search and read');
    await workbench.frameWith(/It is nextDeparture in src\/timetable\.ts/);
    await press('Play to the End');
    assert.match(await workbench.modalText(), /Allow "edit_file" to change src\/timetable\.ts\?/);
    await workbench.picture('tour-modal');
    await workbench.pressModalButton('Allow Once');
    const last = await workbench.frameWith(/records were verified: none was changed/);
    const record = await last.locator('table').innerText();
    assert.match(record, /read_file\s+read \.env\s+denied: denied by boundary "preset\.secrets"/);
    assert.match(record, /edit_file\s+allowed by you after [^]*edit_file\s+change src\/timetable\.ts\s+done/);
    assert.deepEqual(await axeViolations(last), []);
    await workbench.picture('tour-record');
    assert.deepEqual(await host.requests(), []);
    assert.equal(model.requests(), asked);
    await workbench.runCommand('View: Close All Editors');
    await until(() => assert.equal(existsSync(folder), false));
  });

  it('D.package: the page of the extension shows every picture of the README', async () => {
    const { page, host } = editor;
    // What the repository answers once it is public.
    const file = (url: string): string => join(root, new URL(url).pathname.replace(/^.*\/raw\/HEAD\//, ''));
    await page.route('https://github.com/**', (route) => route.fulfill({ path: file(route.request().url()) }));
    await host.execute('workbench.extensions.search', '@installed Agent Capabilities');
    // The sample opens its own page when it starts, in the place of what is only looked at.
    const frame = await until(async () => {
      await page.locator('.extension-list-item').filter({ hasText: 'Decide once' }).first().click({ timeout: 5000 });
      await page.locator('.tab').filter({ hasText: 'Extension: Agent Capabilities' }).waitFor({ timeout: 3000 });
      return until(() => frameWith(page, 'img[src*="/raw/HEAD/media/"]'), 5000);
    }, 60_000);
    const pictures = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/!\[[^\]]+\]\(/g)].length;
    await until(async () => {
      const images = frame.locator('img[src*="/raw/HEAD/media/"]');
      const widths = await images.evaluateAll((all) => all.map((one) => Number(one['naturalWidth' as never])));
      assert.equal(widths.filter((width) => width > 300).length, pictures, widths.join(' '));
    }, 30_000);
    await editor.workbench.picture('tour-page');
  });
});
