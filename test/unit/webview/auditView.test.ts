import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { AuditDetails, AuditRow } from '../../../src/core/audit/viewModel';
import { auditTexts } from '../../../src/core/audit/viewTexts';
import { buildSync } from 'esbuild';
import { filterChoices } from '../../../src/core/present/auditWords';
import { plainWords } from '../../../src/core/base/translate';
import { auditHtml } from '../../../src/vscode/audit/html';
import { full } from '../../support/counts';
import { prepareChromium } from '../../support/editor/chromium';
import { arePicturesWanted } from '../../support/editor/pictures';
import { until } from '../../support/editor/until';
import { skipBecause } from '../../support/skip';

const nonce = 'n0nce';
const texts = auditTexts(plainWords);

function rows(count: number, from = 0): AuditRow[] {
  const start = Date.UTC(2026, 10, 21);
  return Array.from({ length: count }, (_, index) => {
    const at = count + from - index;
    const denied = at % 17 === 0;
    return {
      key: `s-0001.jsonl|${at}`,
      time: new Date(start + at * 1000).toISOString(),
      event: denied ? 'policy.violation' : 'invocation.finished',
      actor: 'agent',
      profile: 'Writer',
      tool: 'read_file',
      risk: 'low',
      outcome: denied ? 'denied' : 'success',
      said: denied ? 'denied' : 'done',
      call: `call-${at}`,
      what: at === count ? '<img src=x onerror="document.title=1">' : `read src/file${at}.ts`,
      ms: at % 100,
    };
  });
}

const details: AuditDetails = {
  key: 's-0001.jsonl|5',
  title: 'write_file done',
  facts: [
    { name: 'When', value: '2026-11-21T10:00:00.000Z', isTime: true },
    { name: 'Who', value: 'agent (copilot)' },
  ],
  happened: [
    { time: '2026-11-21T10:00:00.000Z', said: 'asked for an answer' },
    { time: '2026-11-21T10:00:02.000Z', said: 'done after 14 ms' },
  ],
  recorded: [{ name: 'tool', value: 'cap:file_system:write_file' }],
  steps: [{ step: 'Who may call it', effect: 'asks', reasons: ['the tool needs confirmation for agents'] }],
  accesses: [{ text: 'change src/app.ts', path: 'src/app.ts' }],
  content: [{ name: 'Arguments', text: '{\n  "path": "src/app.ts"\n}' }],
  hidden: ['/arguments/content: file content'],
  isCall: true,
  canUndo: true,
  canRedo: false,
};

/** The page as the extension makes it, with the editor's message channel played by the test. */
describe('the page of the audit view', function () {
  this.timeout(300_000);
  let browser: Browser;
  let server: http.Server;
  let page: Page;

  before(async function () {
    // A browser takes seconds to start; the fast tier leaves it out.
    if (!full) skipBecause(this, 'the fast tier starts no browser');
    const { outputFiles } = buildSync({
      entryPoints: ['src/webview/audit/main.ts'],
      bundle: true,
      format: 'iife',
      platform: 'browser',
      write: false,
      logLevel: 'error',
    });
    const script = `window.posted = []; window.acquireVsCodeApi = () => ({ postMessage: (message) => window.posted.push(message) });\n${outputFiles[0]?.text ?? ''}`;
    const colours = readColours();
    server = http.createServer((request, response) => {
      if (request.url === '/audit.js') response.setHeader('content-type', 'text/javascript').end(script);
      else
        response
          .setHeader('content-type', 'text/html; charset=utf-8')
          .end(
            auditHtml({ nonce, script: '/audit.js', title: 'Audit', language: 'en' }).replace(
              '<style',
              `<style nonce="${nonce}">${colours}</style><style`,
            ),
          );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { executable, env } = await prepareChromium(() => undefined);
    browser = await chromium.launch({
      executablePath: executable,
      env: { ...process.env, ...env } as Record<string, string>,
      args: ['--no-sandbox', '--disable-gpu'],
    });
    page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
    const address = server.address();
    await page.goto(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`);
    await send({ type: 'init', texts, choices: filterChoices(plainWords) });
  });

  after(async () => {
    await browser?.close();
    server?.close();
  });

  async function send(message: unknown): Promise<void> {
    await page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`);
    await page.waitForTimeout(50);
  }
  /** For people to look at. */
  const picture = async (name: string): Promise<unknown> =>
    arePicturesWanted() && page.screenshot({ path: path.resolve('.build', 'person', `audit-page-${name}.png`) });
  const posted = (): Promise<unknown[]> => page.evaluate('window.posted.splice(0)');
  /** The filters that were asked for; unlike `posted` it takes nothing away, so it can be asked again. */
  const filtered = (): Promise<unknown[]> =>
    page.evaluate("window.posted.filter(({ type }) => type === 'filter').map(({ filter }) => filter)");

  it('scrolls 100,000 records with a window of elements, and a frame costs little', async () => {
    const all = rows(100_000);
    await send({ type: 'rows', reset: true, rows: all.slice(0, 200), done: false, limited: false });
    for (let at = 200; at < all.length; at += 20_000)
      await send({
        type: 'rows',
        reset: false,
        rows: all.slice(at, at + 20_000),
        done: at + 20_000 >= all.length,
        limited: false,
      });
    await page.waitForTimeout(800);
    assert.equal(await page.textContent('[role=status]'), '100,000 calls');
    // The page's own processor time, which other work on the machine does not make longer.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const spent = async (): Promise<number> => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      const parts = metrics.filter(({ name }) => /^(?:Script|Layout|RecalcStyle)Duration$/.test(name));
      assert.equal(parts.length, 3);
      return parts.reduce((sum, { value }) => sum + value * 1000, 0);
    };
    const before = await spent();
    const frames = await page.evaluate<{ elements: number; top: number }>(`(async () => {
      const scroll = document.querySelector('.scroll');
      for (let frame = 0; frame < 120; frame++) {
        scroll.scrollTop += frame % 2 === 0 ? 600 : 20000;
        await new Promise(requestAnimationFrame);
      }
      return { elements: document.querySelectorAll('.space .row').length, top: scroll.scrollTop };
    })()`);
    assert.ok(frames.top > 1_000_000, 'it scrolled far');
    assert.ok(frames.elements < 150, `${frames.elements} elements`);
    const each = ((await spent()) - before) / 120;
    console.log(`      ${each.toFixed(1)} ms of processor time a frame while scrolling 100,000 records`);
    assert.ok(each < 16, `${each} ms a frame`);
  });

  it('shows what a record holds as text and runs nothing of it', async () => {
    await send({ type: 'rows', reset: true, rows: rows(50), done: true, limited: false });
    await page.waitForTimeout(200);
    assert.equal(await page.textContent('#row-1 [role=gridcell].what'), '<img src=x onerror="document.title=1">');
    assert.equal(await page.title(), 'Audit');
    assert.equal(await page.locator('img').count(), 0);
  });

  it('is operated by keyboard: select, page, end, act, open, filter', async () => {
    await posted();
    await page.focus('[role=treegrid]');
    // The first line is the head of the burst.
    for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    assert.deepEqual(
      await posted(),
      [50, 49, 1].map((at) => ({ type: 'select', key: `s-0001.jsonl|${at}` })),
    );
    assert.equal(await page.getAttribute('[role=treegrid]', 'aria-activedescendant'), 'row-50');
    assert.equal(await page.getAttribute('#row-50', 'aria-rowindex'), '52');
    await send({ type: 'details', details: { ...details, canUndo: false, canRedo: true } });
    assert.equal(await page.getByRole('button', { name: 'Undo Changes', exact: true }).count(), 0);
    await page.getByRole('button', { name: 'Redo Changes', exact: true }).click();
    assert.deepEqual(await posted(), [{ type: 'action', action: 'redo', key: details.key }]);
    await send({ type: 'details', details });
    for (const name of [
      'Undo Changes',
      'Explain',
      'Run Again…',
      'Turn into a Rule…',
      'Copy Record',
      'change src/app.ts',
    ]) {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    }
    await page.getByLabel('Tool', { exact: true }).fill('write_*');
    await page.getByLabel('Risk').selectOption('high');
    await page.waitForTimeout(500);
    const key = details.key;
    assert.deepEqual(await posted(), [
      ...['undo', 'explain', 'runAgain', 'turnIntoRule', 'copy'].map((action) => ({ type: 'action', action, key })),
      { type: 'open', path: 'src/app.ts' },
      { type: 'filter', filter: { tool: 'write_*', risk: 'high' } },
    ]);
  });

  it('puts new records on top and leaves what is looked at where it is', async () => {
    await send({ type: 'rows', reset: true, rows: rows(1000), done: true, limited: false });
    await page.waitForTimeout(100);
    await page.evaluate("document.querySelector('.scroll').scrollTop = 2400");
    await send({ type: 'fresh', rows: rows(5, 1000) });
    await page.waitForTimeout(100);
    assert.equal(await page.evaluate("document.querySelector('.scroll').scrollTop"), 2400 + 5 * 24);
    assert.equal(await page.textContent('[role=status]'), '1,005 calls');
  });

  it('D.audit-channel: a click means the line that it went down on, also when new records move the lines before it goes up', async () => {
    await send({ type: 'rows', reset: true, rows: rows(40), done: true, limited: false });
    const line = page.locator('.row:not(.head)').filter({ hasText: 'src/file38.ts' }).filter({ visible: true });
    await line.waitFor();
    const box = await line.boundingBox();
    assert.ok(box);
    await posted();
    await page.mouse.move(box.x + 40, box.y + box.height / 2);
    await page.mouse.down();
    await send({ type: 'fresh', rows: rows(3, 40) });
    await page.mouse.up();
    assert.deepEqual(await posted(), [{ type: 'select', key: 's-0001.jsonl|38' }]);
  });

  it('D.audit-channel: shows one line a call below its burst, which closes and opens by key and by click', async () => {
    const [newest] = rows(1);
    const record = (at: number, event: string, said: string, minutes: number): AuditRow => ({
      ...newest!,
      key: `s-0001.jsonl|${at}`,
      time: new Date(Date.UTC(2026, 10, 21, 10, minutes)).toISOString(),
      event,
      said,
      outcome: event === 'invocation.finished' ? 'success' : '',
      what: event === 'approval.asked' ? '' : `${said} src/a.ts`,
      call: at > 10 ? 'late' : 'early',
    });
    await send({
      type: 'rows',
      reset: true,
      rows: [
        record(13, 'invocation.finished', 'done', 40),
        record(12, 'approval.answered', 'allowed', 40),
        record(11, 'approval.asked', 'waits for an answer', 39),
        record(2, 'approval.asked', 'waits for an answer', 5),
      ],
      done: true,
      limited: false,
    });
    const lines = (): Promise<string[]> =>
      page
        .locator('.space .row:not([hidden])')
        .evaluateAll((all) =>
          all
            .sort((a, b) => Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')))
            .map((row) => (row as unknown as { innerText: string }).innerText.replace(/\s+/g, ' ')),
        );
    await page.waitForTimeout(100);
    const shown = await lines();
    assert.equal(shown.length, 4, shown.join('\n'));
    assert.match(shown[0] ?? '', / · 1 call$/);
    assert.match(shown[1] ?? '', /done .*done src\/a\.ts/);
    assert.match(shown[3] ?? '', /waits for an answer/);
    assert.equal(await page.textContent('[role=status]'), '2 calls');
    // What comes later joins the line that is there, and moves it to the top.
    await send({ type: 'fresh', rows: [record(3, 'invocation.finished', 'done', 41)] });
    await page.waitForTimeout(100);
    assert.match((await lines()).join('\n'), /· 2 calls\n.*done.*\n.*done/);
    await page.focus('[role=treegrid]');
    for (const [key, count] of [
      ['Home', 3],
      ['ArrowLeft', 1],
      ['ArrowRight', 3],
      ['Enter', 1],
      [' ', 3],
    ] as const) {
      await page.keyboard.press(key);
      await page.waitForTimeout(100);
      assert.equal((await lines()).length, count, key);
    }
    await page.locator('#row-0').click();
    await page.waitForTimeout(100);
    assert.equal(await page.locator('#row-0').getAttribute('aria-expanded'), 'false');
    await page.locator('#row-0').click();
  });

  for (const [width, height] of [
    [933, 560],
    [560, 420],
    [320, 480],
  ] as const)
    it(`D.audit-channel: at ${width} by ${height} the rows come first: search, rows and details fit, and nothing is cut off sideways`, async () => {
      await page.setViewportSize({ width, height });
      await page.reload();
      await send({ type: 'init', texts, choices: filterChoices(plainWords) });
      await send({ type: 'rows', reset: true, rows: rows(200), done: true, limited: false });
      await page.waitForTimeout(400);
      const top = await page.locator('#row-1').evaluate((row) => row.getBoundingClientRect().top);
      assert.ok(top < 160, `the first call stands at ${top}`);
      assert.equal(await page.locator('.filters, .charts').filter({ visible: true }).count(), 0);
      assert.ok(await page.locator('#row-1 .tool').isVisible());
      assert.ok((await page.locator('#row-1 .what').evaluate((cell) => cell.clientWidth)) > 60);
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'no scrolling sideways');
      await send({ type: 'details', details });
      assert.ok(
        (await page.locator('.scroll').evaluate((list) => list.clientHeight)) > 100,
        'rows stay beside details',
      );
      await picture(`${width}`);
      await page.keyboard.press('Tab');
      await page.locator('section.details').focus();
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('section.details').isVisible(), false);
      await page.getByRole('button', { name: /^Filters/ }).click();
      await page.getByLabel('Outcome').selectOption({ label: 'denied' });
      await page.getByRole('button', { name: /^Filters/ }).click();
      assert.equal(await page.getByRole('button', { name: /^Filters/ }).innerText(), 'Filters (1)');
      await until(async () => assert.deepEqual(await filtered(), [{ outcome: 'denied' }]));
      await page.getByRole('searchbox').fill('src/app');
      const both = { text: 'src/app', outcome: 'denied' };
      await until(async () => assert.deepEqual((await filtered()).at(-1), both));
    });

  it('D.audit-channel: times and figures are written in the language of the page, whatever the browser speaks', async () => {
    await page.reload();
    await page.evaluate("document.documentElement.lang = 'de'");
    await send({ type: 'init', texts, choices: filterChoices(plainWords) });
    const made = rows(1200).map((row) => ({ ...row, ms: 12_345, time: '2026-11-20T15:04:05.000Z' }));
    await send({ type: 'rows', reset: true, rows: made, done: true, limited: false });
    await until(async () => assert.match(await page.locator('#row-1 .duration').innerText(), /^12\.345 ms$/));
    assert.match(await page.locator('#row-1 .time').innerText(), /^\d\d:04:05$/);
    assert.match(await page.locator('#row-0').innerText(), /20\. Nov/);
  });

  it('draws calls, denials and durations with words for who does not see them', async () => {
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.reload();
    await send({ type: 'init', texts, choices: filterChoices(plainWords) });
    await send({ type: 'rows', reset: true, rows: rows(1005), done: true, limited: false });
    await page.waitForTimeout(500);
    const labels = await page
      .locator('svg[role=img]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''));
    assert.match(labels[0] ?? '', /^Calls over time, from .* to .*: 1,00\d in all, \d+ at most in one bar$/);
    assert.match(labels[1] ?? '', /^Denials over time/);
    assert.match(labels[2] ?? '', /^Mean duration over time, from .* ms at most in one bar$/);
  });

  it('has no accessibility fault that axe knows', async () => {
    await send({ type: 'details', details });
    await picture('wide');
    // As a debugger would: the page's own policy lets no other script in.
    await page.evaluate(readFileSync(path.resolve('node_modules/axe-core/axe.min.js'), 'utf8'));
    const violations = await page.evaluate(
      'axe.run().then((found) => found.violations.map((one) => ({ id: one.id, nodes: one.nodes.map((node) => node.html.slice(0, 200) + " " + node.failureSummary) })))',
    );
    assert.deepEqual(violations, []);
  });
});

/** Colours of the editor's dark theme for the variables that the style uses. */
function readColours(): string {
  return `:root {
    --vscode-foreground: #cccccc; --vscode-editor-background: #1f1f1f; --vscode-descriptionForeground: #9d9d9d; --vscode-errorForeground: #f85149;
    --vscode-font-size: 13px; --vscode-font-family: sans-serif; --vscode-input-foreground: #cccccc; --vscode-input-background: #313131;
    --vscode-dropdown-foreground: #cccccc; --vscode-dropdown-background: #313131; --vscode-button-secondaryForeground: #cccccc;
    --vscode-button-secondaryBackground: #313131; --vscode-textLink-foreground: #4daafc; --vscode-list-inactiveSelectionBackground: #37373d;
    --vscode-list-activeSelectionBackground: #04395e; --vscode-list-activeSelectionForeground: #ffffff; --vscode-focusBorder: #0078d4;
    --vscode-textCodeBlock-background: #2b2b2b; --vscode-panel-border: #2b2b2b; }`;
}
