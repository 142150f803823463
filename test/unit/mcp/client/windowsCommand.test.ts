import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { findOnWindowsPath } from '../../../../src/mcp/client/windowsCommand';

const env = { Path: 'tools;"C:\\Program Files\\nodejs";D:\\bin;\\\\server\\share', PathExt: '.COM;.EXE;.BAT;.CMD' };

/** A volume that does not tell upper and lower case apart. */
const volume = (...files: readonly string[]) => {
  const known = new Set(files.map((file) => file.toLowerCase()));
  return (file: string): boolean => known.has(file.toLowerCase());
};

describe('a server command on Windows', () => {
  it('D.package: a bare name is looked for in PATH, with the endings that Windows runs, whatever their case', () => {
    const exists = volume('C:\\Program Files\\nodejs\\NPX.CMD', 'D:\\bin\\npx.exe', '\\\\server\\share\\uvx.exe');
    assert.equal(findOnWindowsPath('npx', env, exists), 'C:\\Program Files\\nodejs\\npx.CMD');
    assert.equal(findOnWindowsPath('npx.cmd', env, exists), 'C:\\Program Files\\nodejs\\npx.cmd');
    assert.equal(findOnWindowsPath('npx.exe', env, exists), 'D:\\bin\\npx.exe');
    assert.equal(findOnWindowsPath('uvx', env, exists), '\\\\server\\share\\uvx.EXE');
    assert.equal(findOnWindowsPath('docker', env, exists), undefined);
  });

  it('a program in the current folder or in a relative one is never meant by a bare name', () => {
    const exists = volume('npx.cmd', '.\\npx.cmd', 'tools\\npx.cmd', `${process.cwd()}\\npx.cmd`);
    assert.equal(findOnWindowsPath('npx', env, exists), undefined);
    assert.equal(findOnWindowsPath('npx', { PATH: '.;;tools' }, exists), undefined);
  });

  it('a path stays as it was written', () => {
    for (const command of ['C:\\tools\\server.exe', '.\\server.cmd', 'bin/server', 'C:server.exe'])
      assert.equal(
        findOnWindowsPath(command, env, () => false),
        command,
      );
  });

  it('the starter that Windows uses starts programs here too', async () => {
    const { default: crossSpawn } = await import('cross-spawn');
    const child = crossSpawn(
      process.execPath,
      ['-e', 'process.exit(process.argv[1] === "a b&c" ? 7 : 1)', 'a b&c'],
      {},
    );
    const [code] = await once(child, 'close');
    assert.equal(code, 7);
  });
});
