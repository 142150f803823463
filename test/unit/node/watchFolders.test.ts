import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { watchFolders, watchPolicyFolders } from '../../../src/node/watchFolders';
import { pause } from '../../../src/core/base/pause';
import { until } from '../../support/editor/until';
import { workedMs } from '../../support/processorTime';
import { skipBecause } from '../../support/skip';

describe('watching folders of policy', () => {
  let root: string;
  let heard: string[];
  let watch: { look(): void; dispose(): void };
  const at = (...names: string[]): string => path.join(root, ...names);
  const capabilities = (...names: string[]): string => at('.vscode', 'capabilities', ...names);
  const hears = (place: string): Promise<void> =>
    until(() => assert.ok(heard.includes(place), `${place} was not heard, but ${heard.join(', ')}`));
  /** Writes a file and waits until it is heard, or its folder, which is told where it is watched from now on. */
  const hearsFile = async (file: string, text = '[]'): Promise<void> => {
    heard = [];
    writeFileSync(file, text);
    await until(() => assert.ok(heard.includes(file) || heard.includes(path.dirname(file)), `${file} was not heard`));
  };

  before(function () {
    if (process.platform !== 'linux') skipBecause(this, 'elsewhere the system tells the editor');
  });
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'watched-'));
    heard = [];
    watch = watchPolicyFolders(
      () => [root],
      (place) => heard.push(place),
    );
    watch.look();
  });
  afterEach(() => {
    watch.dispose();
    rmSync(root, { recursive: true, force: true });
  });

  it('S4.boundaries: a folder that comes in one step with its parent is heard, and each file that follows in it', async () => {
    for (let round = 0; round < 20; round++) {
      mkdirSync(capabilities(), { recursive: true });
      await hears(capabilities());
      await hearsFile(capabilities('boundaries.json'));
      await hearsFile(capabilities('boundaries.json'), '[{}]');
      heard = [];
      rmSync(at('.vscode'), { recursive: true });
      await hears(at('.vscode'));
    }
  });

  it('S4.boundaries: one that takes the place of another, as with a branch of git, is heard as the first was', async () => {
    for (const name of ['one', 'two', 'three']) {
      mkdirSync(at(name, 'capabilities', 'deep', 'deeper'), { recursive: true });
      writeFileSync(at(name, 'capabilities', 'boundaries.json'), '[]');
    }
    for (const name of ['one', 'two', 'three']) {
      rmSync(at('.vscode'), { recursive: true, force: true });
      renameSync(at(name), at('.vscode'));
      await hears(capabilities());
      await hearsFile(capabilities('boundaries.json'), `["${name}"]`);
      await hearsFile(capabilities('deep', 'deeper', 'handler.js'));
      heard = [];
    }
  });

  it('D.definitions: folders in it are heard at any depth, and links are not followed', async () => {
    mkdirSync(at('elsewhere'));
    mkdirSync(capabilities('a', 'b', 'c'), { recursive: true });
    symlinkSync(at('elsewhere'), capabilities('link'));
    await hears(capabilities('a', 'b', 'c'));
    writeFileSync(at('elsewhere', 'file'), '');
    await hearsFile(capabilities('a', 'b', 'c', 'handler.js'));
    assert.deepEqual(
      heard.filter((place) => place.includes('link') || place.includes('elsewhere')),
      [],
    );
  });

  it('S4.boundaries: what else happens in the workspace is not told', async () => {
    mkdirSync(at('src'));
    writeFileSync(at('README.md'), '');
    mkdirSync(at('.vscode'));
    writeFileSync(at('.vscode', 'settings.json'), '{}');
    await hears(at('.vscode'));
    mkdirSync(capabilities());
    await hears(capabilities());
    assert.deepEqual(
      [...new Set(heard)].filter((place) => place !== at('.vscode') && !place.startsWith(capabilities())),
      [],
    );
  });

  it('S4.boundaries: a folder that is a link is watched only where it stays in its workspace', async () => {
    mkdirSync(at('config', 'capabilities'), { recursive: true });
    symlinkSync('config', at('.vscode'));
    await hears(capabilities());
    await hearsFile(capabilities('boundaries.json'));
    rmSync(at('.vscode'));
    const stranger = mkdtempSync(path.join(tmpdir(), 'stranger-'));
    mkdirSync(path.join(stranger, 'deep'));
    mkdirSync(at('.vscode'));
    symlinkSync(stranger, capabilities());
    await hears(at('.vscode'));
    await pause(100);
    heard = [];
    writeFileSync(path.join(stranger, 'deep', 'file'), '');
    writeFileSync(path.join(stranger, 'file'), '');
    // What follows is heard, so that what is before it was not.
    rmSync(capabilities());
    await hears(capabilities());
    assert.deepEqual([...new Set(heard)], [capabilities()]);
    rmSync(stranger, { recursive: true });
  });

  it('S4.boundaries: a workspace folder within the other one’s folder of rules hides nothing of it', async () => {
    mkdirSync(capabilities('inner'), { recursive: true });
    watch.dispose();
    watch = watchPolicyFolders(
      () => [root, capabilities(), capabilities('inner')],
      (place) => heard.push(place),
    );
    watch.look();
    await hearsFile(capabilities('inner', 'boundaries.json'));
    heard = [];
    writeFileSync(capabilities('boundaries.json'), '[]');
    await hears(capabilities('boundaries.json'));
  });

  it('S4.boundaries: thousands of files and folders at once are heard at the cost of a few looks', async () => {
    mkdirSync(capabilities('many'), { recursive: true });
    watch.look();
    const began = workedMs();
    for (let each = 0; each < 2000; each++) writeFileSync(capabilities('many', `${each}.js`), '');
    const written = workedMs() - began;
    await hears(capabilities('many', '1999.js'));
    for (let each = 0; each < 2000; each++) mkdirSync(capabilities('many', `folder ${each}`));
    await hears(capabilities('many', 'folder 1999'));
    const worked = workedMs() - began;
    assert.ok(worked < 10 * written + 500, `${worked} ms of work for what was written in ${written} ms`);
  });

  it('D.hooks: a folder that went and came again is watched from the next look on', async () => {
    const folder = at('agent');
    mkdirSync(folder);
    const changed: string[] = [];
    const flat = watchFolders(
      () => [folder],
      (place) => changed.push(place),
    );
    assert.deepEqual(flat.look(), [folder]);
    assert.deepEqual(flat.look(), []);
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    assert.deepEqual(flat.look(), [folder]);
    writeFileSync(path.join(folder, 'settings.json'), '');
    await until(() => assert.ok(changed.includes(path.join(folder, 'settings.json'))));
    flat.dispose();
  });
});
