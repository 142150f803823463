import { strict as assert } from 'node:assert';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readApiCapability } from '../../../src/app/apiCapability';
import type { Access } from '../../../src/core/vocabulary/access';
import { isToolError } from '../../../src/core/vocabulary/errors';
import { fakePorts } from '../../support/toolContext';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';

describe('what a tool of another extension says that it touches', () => {
  let workspace: TestWorkspace;
  before(() => {
    workspace = makeWorkspace();
    for (const folder of ['secret', 'src']) mkdirSync(path.join(workspace.root, folder));
    writeFileSync(path.join(workspace.root, 'secret/x'), 'x');
    symlinkSync(path.join(workspace.root, 'secret'), path.join(workspace.root, 'src/link'));
  });
  after(() => workspace.dispose());

  /** The resources by which a call is judged, or the code with which it is refused. */
  async function judged(effect: string, resource: string): Promise<readonly string[] | string> {
    const { tools } = readApiCapability('me.dice', {
      id: 'dice',
      version: '1.0.0',
      name: 'Dice',
      description: 'Rolls dice',
      tools: [
        {
          ...{ name: 'roll', title: 'Roll', kind: 'data', modelDescription: 'Roll.', userDescription: 'Rolls' },
          ...{ inputSchema: { type: 'object' }, riskLevel: 'low', sideEffects: [effect], idempotent: true },
          accesses: () => [{ effect, resource }],
          run: async () => 1,
        },
      ],
    });
    const handler = await tools[0]?.load();
    const context = { ports: { ...fakePorts(), files: workspace.files }, config: {} };
    try {
      const found: readonly Access[] = (await handler?.accesses({}, context as never)) ?? [];
      return found.map((one) => one.resource);
    } catch (error) {
      return isToolError(error) ? error.data.code : String(error);
    }
  }

  it('is judged as the file that it is, however it is spelled', async () => {
    const { root } = workspace;
    for (const spelled of ['secret/x', './secret//x', `${root}/secret/x`, `file://${root}/secret/x`, 'src/../secret/x'])
      assert.deepEqual(await judged('fs.read', spelled), ['secret/x'], spelled);
    for (const spelled of ['src/link/x', `${root}/src/link/x`])
      assert.deepEqual(await judged('fs.read', spelled), ['src/link/x', 'secret/x'], spelled);
    assert.deepEqual(await judged('fs.read', '/etc/nothing'), ['/etc/nothing']);
    assert.deepEqual(await judged('fs.write', 'new/file.ts'), ['new/file.ts']);
  });

  it('is refused where no place can be read from it', async () => {
    assert.equal(await judged('fs.read', '../x'), 'path_outside');
    for (const spelled of ['vscode-remote://host/ws/x', 'file://host/ws/x', 'a\0b'])
      assert.equal(await judged('fs.read', spelled), 'extension_error', spelled);
    for (const spelled of ['', '/relative', 'two words', 'http://', 'http://a\\@b/'])
      assert.equal(await judged('network.http', spelled), 'extension_error', spelled);
  });

  it('is judged by the host that is contacted', async () => {
    assert.deepEqual(await judged('network.http', '//evil.example'), ['http://evil.example/']);
    assert.deepEqual(await judged('network.socket', 'db.example:5432'), ['db.example:5432']);
    assert.deepEqual(await judged('network.http', 'https://api.example/v1'), ['https://api.example/v1']);
    assert.deepEqual(await judged('database.read', 'orders'), ['orders']);
  });
});
