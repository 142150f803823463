import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { auditFolder, writeSample } from '../support/auditSample';
import { useEditor } from '../support/editor/person';

interface Verified {
  readonly ok: boolean;
  readonly records: number;
  readonly faults: readonly { readonly file: string; readonly message: string }[];
}

describe('an audit that was changed, and one that is signed', () => {
  // A file of its own gives this window a server of its own, so that its log is in nobody's way.
  const editor = useEditor({ userFiles: { 'changed-audit-of-this-suite.json': '{}' } });
  const turn = async (...steps: object[]): Promise<void> => {
    await editor.host.script([...steps, { text: 'Done.' }] as never);
    await editor.host.runAgentTurn({ query: 'go on' });
  };
  const verify = async (): Promise<Verified> =>
    (await editor.host.execute('agentCapabilities.verifyAudit')) as Verified;
  /** What the window said, whether its toast is still there or not. */
  const said = async (text: RegExp): Promise<void> => {
    await editor.host.execute('notifications.showList');
    await editor.workbench.notification(text).waitFor({ timeout: 30_000 });
    await editor.host.execute('notifications.clearAll');
  };

  it('S1.audit: a segment that was cut is named, by Verify Audit and by one warning of the next start, and Clear Audit with a reason starts anew', async () => {
    const { workbench, server, page } = editor;
    await turn({ tool: 'cap_read_file', input: { path: 'README.md' } });
    const dir = await auditFolder(server.folder);
    writeSample(dir, 5000, { maxSegmentBytes: 500_000 });
    // The window's own segment and those of the sample stand here; the middle of the sample goes.
    const names = (await readdir(dir)).filter((name) => name.endsWith('.jsonl')).sort();
    const victim = names.filter((name) => name.endsWith('-0002.jsonl')).at(-1) ?? '';
    const text = await readFile(join(dir, victim), 'utf8');
    await writeFile(join(dir, victim), text.slice(0, text.length / 2));
    const { ok, faults } = await verify();
    assert.equal(ok, false);
    assert.ok(
      faults.some((fault) => fault.file === victim),
      JSON.stringify(faults),
    );
    await said(/The audit is broken/);
    await editor.reload();
    await turn({ tool: 'cap_read_file', input: { path: 'README.md' } });
    await said(/the audit log was changed from outside/);
    const clearing = editor.host.execute('agentCapabilities.clearAudit');
    clearing.catch(() => undefined);
    await workbench.answerInput('a test cut a segment');
    await workbench.modalText();
    await workbench.picture('audit-clear');
    await workbench.pressModalButton('Clear Audit');
    await clearing;
    await said(/Records removed: /);
    await turn({ tool: 'cap_read_file', input: { path: 'README.md' } });
    assert.deepEqual((await verify()).faults, []);
    const left = await Promise.all(
      (await readdir(dir)).filter((name) => name.endsWith('.jsonl')).map((name) => readFile(join(dir, name), 'utf8')),
    );
    assert.match(left.join(''), /"detail":"\d+ segments: a test cut a segment"/);
    await page.keyboard.press('Escape');
  });

  it('S1.audit: audit.signed keeps a log of its own that verifies over windows, and switching it off goes back to the other', async function () {
    this.timeout(240_000);
    const { server } = editor;
    const signed = await auditFolder(server.folder, 'audit-signed');
    await server.setUserSettings({ 'agentCapabilities.audit.signed': true });
    for (let window = 0; window < 2; window++) {
      await editor.reload();
      await turn({ tool: 'cap_read_file', input: { path: 'README.md' } });
    }
    const heads = await readdir(join(signed, 'heads'));
    const head = JSON.parse(await readFile(join(signed, 'heads', heads[0] ?? ''), 'utf8')) as {
      alg: string;
      key: string;
    };
    assert.equal(head.alg, 'hmac-sha256');
    assert.match(head.key, /^[0-9a-f]{16}$/);
    const keyed = await verify();
    assert.deepEqual([keyed.ok, keyed.faults], [true, []]);
    assert.ok(heads.length >= 2, 'two windows wrote with one key');
    await server.setUserSettings({});
    await editor.reload();
    await turn({ tool: 'cap_read_file', input: { path: 'README.md' } });
    assert.deepEqual((await verify()).faults, []);
    assert.equal((await readdir(signed)).filter((name) => name.endsWith('.jsonl')).length, heads.length);
  });
});
