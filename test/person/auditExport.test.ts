import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, readdir, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Frame } from 'playwright-core';
import { auditFolder, writeSample } from '../support/auditSample';
import { useEditor } from '../support/editor/person';
import { until } from '../support/editor/until';

describe('what leaves the audit', () => {
  // A file of its own gives this window a server of its own, so that its log is in nobody's way.
  const editor = useEditor({ userFiles: { 'audit-export.json': '{}' } });
  const turn = async (...steps: object[]): Promise<void> => {
    await editor.host.script([...steps, { text: 'Done.' }] as never);
    await editor.host.runAgentTurn({ query: 'go on' });
  };

  /** Chooses a format in the palette and takes the place that the dialog offers, beside the open folder. */
  const exportAs = async (format: string): Promise<string> => {
    const { workbench, folder } = editor;
    const file = join(dirname(folder), `audit.${format === 'csv' ? 'csv' : 'jsonl'}`);
    await rm(file, { force: true });
    await workbench.runCommand('Agent Capabilities: Export Audit');
    await workbench.quickInput.locator('.monaco-list-row').filter({ hasText: 'for a spreadsheet' }).waitFor();
    await workbench.quickInput.locator('.monaco-list-row').getByText(format, { exact: true }).click();
    const path = workbench.quickInput.locator('.quick-input-box input');
    await until(async () => {
      if (existsSync(file)) return;
      assert.equal(
        await path.inputValue({ timeout: 3000 }),
        file,
        'the dialog offers the place beside the open folder',
      );
      await workbench.quickInput.getByRole('button', { name: 'OK', exact: true }).click({ timeout: 3000 });
      await until(() => Promise.resolve(assert.ok(existsSync(file), `${file} is written`)), 4000);
    }, 30_000);
    // Its toast may be gone by now.
    await editor.host.execute('notifications.showList');
    await workbench.notification(/Exported to .*Lines: /).waitFor();
    await editor.host.execute('notifications.clearAll');
    return readFile(file, 'utf8');
  };

  const frameWith = (selector: string): Promise<Frame> =>
    until(async () => {
      for (const frame of editor.page.frames())
        if (
          (await frame
            .locator(selector)
            .count()
            .catch(() => 0)) > 0
        )
          return frame;
      throw new Error(`no frame holds ${selector} yet`);
    }, 30_000);

  afterEach(() => editor.page.keyboard.press('Escape'));

  it('S1.audit: Export Audit writes JSON lines, CSV and OTLP, chosen in the palette', async () => {
    await turn(
      { tool: 'cap_read_file', input: { path: 'README.md' } },
      { tool: 'cap_read_file', input: { path: '.env' } },
    );
    const records = (await exportAs('jsonl'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const calls = records
      .filter((one) => one['gen_ai.tool.name'] === 'read_file')
      .map((one) => [one['event'], one['outcome']]);
    assert.deepEqual(calls, [
      ['invocation.finished', 'success'],
      ['policy.violation', 'denied'],
    ]);
    const [header = '', ...rows] = (await exportAs('csv')).trimEnd().split(/\r?\n/);
    assert.match(header, /^time,event,actor,/);
    assert.equal(rows.filter((row) => row.includes('cap:file_system:read_file')).length, 2);
    const bodies = (await exportAs('otlp'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const logs = bodies.flatMap((body) => body.resourceLogs[0].scopeLogs[0].logRecords);
    assert.ok(logs.length >= records.length, `${logs.length} of ${records.length}`);
    assert.deepEqual(
      logs.filter((log) => log.severityText === 'WARN').map((log) => log.eventName),
      ['policy.violation'],
    );
  });

  it('D.report: Make Audit Report writes a page of the last day, chosen with the keyboard alone', async () => {
    const { workbench, folder } = editor;
    const file = join(dirname(folder), 'audit-report.html');
    await workbench.runCommand('Agent Capabilities: Make Audit Report');
    await workbench.quickInput.locator('.monaco-list-row').filter({ hasText: 'Last 24 hours' }).waitFor();
    await editor.page.keyboard.press('Enter');
    await workbench.quickInput.locator('.monaco-list-row').filter({ hasText: 'A page to read and print' }).waitFor();
    await editor.page.keyboard.press('Enter');
    const path = workbench.quickInput.locator('.quick-input-box input');
    await until(async () => {
      if (existsSync(file)) return;
      assert.equal(
        await path.inputValue({ timeout: 3000 }),
        file,
        'the dialog offers the place beside the open folder',
      );
      await path.press('Enter', { timeout: 3000 });
      await until(() => Promise.resolve(assert.ok(existsSync(file), `${file} is written`)), 4000);
    }, 30_000);
    const page = await until(async () => {
      const text = await readFile(file, 'utf8');
      assert.match(text, /<\/html>\s*$/);
      return text;
    }, 10_000);
    assert.match(page, /The record is whole: /);
    assert.match(page, /<bdi>cap:file_system:read_file<\/bdi>/);
    await editor.host.execute('notifications.clearAll');
  });

  it('S1.audit: Session Summary says what was read, changed and denied; what is older than the retention goes at a start, and the rest verifies', async () => {
    const { workbench, server } = editor;
    await workbench.runCommand('Agent Capabilities: Session Summary');
    const summary = await frameWith('h1:text-is("Session summary")');
    assert.match(await summary.locator('body').innerText(), /Calls: 2, denied: 1[\s\S]*Denied[\s\S]*read_file/);
    await workbench.picture('session-summary');
    const dir = await auditFolder(server.folder);
    const own = new Set(await readdir(dir));
    const old = Date.now() - 100 * 86_400_000;
    writeSample(dir, 500, { end: old });
    const sample = (await readdir(dir)).filter((name) => name.endsWith('.jsonl') && !own.has(name));
    assert.ok(sample.length > 0);
    for (const name of sample) await utimes(join(dir, name), old / 1000, old / 1000);
    await editor.reload();
    await turn({ tool: 'cap_read_file', input: { path: 'README.md' } });
    await until(
      () =>
        Promise.resolve(
          assert.deepEqual(
            sample.filter((name) => existsSync(join(dir, name))),
            [],
            'they are gone',
          ),
        ),
      60_000,
    );
    assert.deepEqual(
      await editor.host.execute('agentCapabilities.verifyAudit').then((one) => (one as { faults: unknown }).faults),
      [],
    );
    await workbench.runCommand('Agent Capabilities: Open Audit View');
    const view = await frameWith('[role=treegrid]');
    await until(
      async () =>
        assert.match(
          await view.locator('[role=treegrid]').innerText(),
          /old records removed[\s\S]*1 segment beyond 90 days/,
        ),
      30_000,
    );
    assert.doesNotMatch(await view.locator('[role=treegrid]').innerText(), /audit\.(opened|witnessed)/);
    await workbench.picture('audit-retired');
  });
});
