import { strict as assert } from 'node:assert';
import { FolderReader } from '../../../src/node/audit/folderReader';
import { withFolder } from '../../support/auditEvents';
import { runCli, temporaryWorkspace } from '../../support/cli';
import { served } from '../../support/mcp/harness';

/** What the log holds of calls, the oldest first, without what is new in every call. */
async function calls(dir: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  const varying = ['gen_ai.tool.call.id', 'time', 'hash', 'prev', 'seq', 'duration_ms', 'surface', 'gen_ai.agent.id'];
  for await (const { record } of new FolderReader(dir).all({}))
    if (record.tool !== undefined)
      found.push(Object.fromEntries(Object.entries(record).filter(([key]) => !varying.includes(key))));
  return found;
}

describe('--audit-dir', () => {
  it('S1.audit: `call` and `serve` write the same record of the same calls, which `audit verify` follows', () =>
    withFolder(async (root) => {
      const files = { 'a.txt': 'hello', '.env': 'KEY=1' };
      const inputs = [{ path: 'a.txt' }, { path: '.env' }];
      const workspace = temporaryWorkspace(files);
      for (const input of inputs)
        await runCli([
          'call',
          'read_file',
          JSON.stringify(input),
          '--workspace',
          workspace.folder,
          '--audit-dir',
          `${root}/call`,
        ]);
      workspace.dispose();
      const s = await served({ files, args: ['--audit-dir', `${root}/serve`] });
      for (const input of inputs) await s.call('read_file', input);
      assert.equal(await s.close(), 0);
      const [byCall, byServe] = [await calls(`${root}/call`), await calls(`${root}/serve`)];
      assert.deepEqual(byServe, byCall);
      assert.equal(byCall.length, 2);
      for (const dir of ['call', 'serve']) assert.equal((await runCli(['audit', 'verify', `${root}/${dir}`])).code, 0);
      assert.match(
        (await runCli(['audit', 'tail', `${root}/serve`, '--limit', '1'])).text,
        /read_file {2}policy\.violation {2}denied {2}denied_by_policy {2}read \.env/,
      );
    }));
});
