import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CliLauncher } from '../../../src/node/cliLauncher';

describe('the launcher of the command line', () => {
  it('leads to the installed version, also after an update, and is not made before somebody wants it', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'launcher-'));
    try {
      const cli = (version: string): string => {
        const file = path.join(folder, `cli ${version}.js`);
        writeFileSync(file, `console.log(${JSON.stringify(version)}, ...process.argv.slice(2));`);
        return file;
      };
      const home = path.join(folder, 'home', 'deep');
      await new CliLauncher(home, cli('1')).refresh();
      assert.equal(existsSync(home), false);
      const file = await new CliLauncher(home, cli('1')).write();
      const run = (): string => execFileSync(process.execPath, [file, 'serve', 'a b'], { encoding: 'utf8' }).trim();
      assert.equal(run(), '1 serve a b');
      await new CliLauncher(home, cli('2')).refresh();
      assert.equal(run(), '2 serve a b');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
