import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { worded } from '../../../src/core/base/sentence';
import type { Log } from '../../../src/core/ports/platform';
import { localFiles } from '../../../src/node/localFiles';
import { PolicyFiles, type PolicyFilesOptions } from '../../../src/vscode/files/policyFiles';
import { Uri, workspace } from '../../support/fakeVscode';

const log: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Notes which file is read. @param ageMs how long ago each seems to have changed. */
function counted(ageMs: number) {
  const read: string[] = [];
  return {
    read,
    files: {
      ...localFiles,
      stamp: async (file: string) => ({ ...(await localFiles.stamp(file)), at: Date.now() - ageMs }),
      read: (file: string, options: { readonly within: string }) => {
        read.push(path.basename(file));
        return localFiles.read(file, options);
      },
    },
  };
}

describe('files of policy of a folder of this machine', () => {
  let root: string;
  const folder = (): string => path.join(root, '.vscode', 'capabilities');
  const write = (name: string, text: string, age = 60_000): void => {
    mkdirSync(folder(), { recursive: true });
    writeFileSync(path.join(folder(), name), text);
    const at = new Date(Date.now() - age);
    utimesSync(path.join(folder(), name), at, at);
  };
  const opened = (local: PolicyFilesOptions['local'] = localFiles): Promise<PolicyFiles> =>
    PolicyFiles.open({
      accepts: (name) => name.endsWith('.json'),
      folders: { onDidChange: () => ({ dispose: () => undefined }) },
      log,
      local,
    });

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'policy-'));
    workspace.workspaceFolders = [{ uri: Uri.file(root), name: 'a', index: 0 }];
  });
  afterEach(() => {
    workspace.workspaceFolders = [];
    rmSync(root, { recursive: true, force: true });
  });

  it('are read without asking the editor, which answers late while it starts', async () => {
    write('boundaries.json', '[]');
    write('notes.txt', 'no rule');
    // The editor of this test has no file system that could be asked.
    assert.equal('readDirectory' in workspace.fs, false);
    const files = await opened();
    assert.deepEqual(files.read(), [{ path: path.join(folder(), 'boundaries.json'), text: '[]' }]);
    files.dispose();
  });

  it('are looked at before a call, also where a file has the size and the time that it had before', async () => {
    write('boundaries.json', '[1]');
    const { files: local } = counted(60_000);
    const files = await opened(local);
    await files.refresh();
    const at = statSync(path.join(folder(), 'boundaries.json'));
    writeFileSync(path.join(folder(), 'boundaries.json'), '[2]');
    utimesSync(path.join(folder(), 'boundaries.json'), at.atime, at.mtime);
    await files.refresh();
    assert.deepEqual(
      files.read().map(({ text }) => text),
      ['[2]'],
    );
    files.dispose();
  });

  it('are looked at before a call: what came, changed or went since counts, though nobody told of it', async () => {
    const files = await opened();
    assert.deepEqual(files.read(), []);
    let told = 0;
    const following = files.onDidChange(() => told++);
    const now = async (): Promise<readonly string[]> => {
      await files.refresh();
      return files.read().map(({ text }) => text);
    };
    assert.deepEqual([await now(), told], [[], 0]);
    write('boundaries.json', '[1]');
    assert.deepEqual([await now(), told], [['[1]'], 1]);
    write('boundaries.json', '[2]', 30_000);
    assert.deepEqual([await now(), told], [['[2]'], 2]);
    rmSync(folder(), { recursive: true });
    assert.deepEqual([await now(), told], [[], 3]);
    following.dispose();
    files.dispose();
  });

  it('say why where their folder cannot be listed, so that nobody takes it for one without rules', async () => {
    mkdirSync(path.join(root, '.vscode'));
    writeFileSync(folder(), 'a file');
    const files = await opened();
    assert.deepEqual(
      files.read().map(({ fault }) => fault && worded(fault)),
      ['its folder cannot be read'],
    );
    files.dispose();
  });

  it('are not read again while they stand still, and are as long as they are fresh', async () => {
    write('boundaries.json', '[1]');
    const old = counted(60_000);
    // What changed just now tells too little by its time: the disk may count in whole seconds.
    const fresh = counted(1000);
    for (const { files: local } of [old, fresh]) {
      const files = await opened(local);
      await files.refresh();
      await files.refresh();
      files.dispose();
    }
    assert.deepEqual([old.read.length, fresh.read.length], [1, 3]);
  });
});
