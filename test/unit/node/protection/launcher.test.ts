import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { launchedHook, writeHookLauncher } from '../../../../src/node/protection/hookNotes';

describe('the launcher of hooks', () => {
  it('D.meter: names its program, and none once somebody has broken it', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-launcher-'));
    const launcher = writeHookLauncher(folder, '/programs/hook "new".js');
    const named = [launchedHook(folder)];
    const broken = [
      'require("\\x");\n',
      'require(1);\n',
      '',
      'process.exit(0);\nrequire("/programs/hook.js");\n',
      'require("/programs/hook.js");\nprocess.exit(0);\n',
    ];
    for (const text of broken) {
      writeFileSync(launcher, text);
      named.push(launchedHook(folder));
    }
    rmSync(folder, { recursive: true });
    assert.deepEqual(named, ['/programs/hook "new".js', ...broken.map(() => undefined)]);
  });
});
