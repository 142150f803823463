import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {
  replaceFile,
  replaceFileSync,
  replaceListedText as replaceListed,
  replaceText,
} from '../../../../src/node/files/replaceFile';
import { isTemporaryName } from '../../../../src/node/files/temporaryNames';
import { heardNames } from '../../../support/heardNames';
import { skipBecause } from '../../../support/skip';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';

const before = '{ "before": true }\n';
const after = '{ "after": true, "and": "more of it" }\n';

let ws: TestWorkspace;
let file: string;
const replaceListedText = (at: string, text: string): Promise<void> =>
  replaceListed(path.join(ws.base, 'apart'), at, text);
beforeEach(() => {
  ws = makeWorkspace();
  ws.put({ 'settings.json': before });
  file = ws.at('settings.json');
});
afterEach(() => ws.dispose());

describe('a file that others read', () => {
  for (const [name, write] of [
    ['a text of a person', replaceText],
    ['a text of a list', replaceListedText],
    ['a file of ours', replaceFile],
    ['a file of ours, at once', replaceFileSync],
  ] as const)
    it(`${name} is replaced in one step, so that who began to read the old text reads it to its end`, async () => {
      const reader = openSync(file, 'r');
      try {
        await write(file, after);
        assert.equal(readFileSync(reader, 'utf8'), before);
      } finally {
        closeSync(reader);
      }
      assert.equal(readFileSync(file, 'utf8'), after);
      assert.deepEqual(readdirSync(ws.root), ['settings.json'], 'nothing stays beside it');
    });

  for (const write of [replaceText, replaceListedText, replaceFile, replaceFileSync])
    it(`stays as it was where ${write.name} fails, and nothing stays beside it`, async () => {
      mkdirSync(ws.at('folder/inner'), { recursive: true });
      await assert.rejects(async () => write(ws.at('folder'), after), { code: /^E/ });
      assert.deepEqual(readdirSync(ws.root).sort(), ['folder', 'settings.json']);
      assert.deepEqual(readdirSync(ws.at('folder')), ['inner']);
    });
});

describe('a text that a person keeps', () => {
  it('stays behind its link, as a file of settings that is kept elsewhere', async () => {
    symlinkSync('settings.json', ws.at('linked.json'));
    await replaceText(ws.at('linked.json'), after);
    assert.ok(lstatSync(ws.at('linked.json')).isSymbolicLink());
    assert.equal(readFileSync(file, 'utf8'), after);
    assert.ok(lstatSync(file).isFile());
  });

  it('is made where a link leads to nothing yet', async () => {
    symlinkSync('later.json', ws.at('linked.json'));
    await replaceText(ws.at('linked.json'), after);
    assert.ok(lstatSync(ws.at('linked.json')).isSymbolicLink());
    assert.equal(readFileSync(ws.at('later.json'), 'utf8'), after);
  });

  it('keeps its permissions, those that a new file would not get too', async function () {
    if (process.platform === 'win32') return skipBecause(this, 'Windows keeps permissions otherwise');
    for (const mode of [0o600, 0o666, 0o640]) {
      chmodSync(file, mode);
      await replaceText(file, after);
      assert.equal(statSync(file).mode & 0o777, mode);
    }
  });

  it('keeps all of its names', async () => {
    linkSync(file, ws.at('second.json'));
    await replaceText(file, after);
    assert.equal(readFileSync(ws.at('second.json'), 'utf8'), after);
    assert.equal(statSync(file).nlink, 2);
  });

  it('is written in place where its folder takes no new file', async function () {
    if (process.platform === 'win32' || process.getuid?.() === 0)
      return skipBecause(this, 'no folder refuses a new file to this user');
    mkdirSync(ws.at('closed'));
    writeFileSync(ws.at('closed/a.json'), before);
    chmodSync(ws.at('closed'), 0o500);
    try {
      await replaceText(ws.at('closed/a.json'), after);
      assert.equal(readFileSync(ws.at('closed/a.json'), 'utf8'), after);
    } finally {
      chmodSync(ws.at('closed'), 0o700);
    }
  });

  it('gets the folders that it lacks', async () => {
    await replaceText(ws.at('a/b/new.json'), after);
    assert.equal(readFileSync(ws.at('a/b/new.json'), 'utf8'), after);
  });
});

describe('a text that a person keeps in a folder of which each file counts', () => {
  it('D.follow: changes once for those who watch the folder, also where it is new', async function () {
    if (process.platform !== 'linux')
      return skipBecause(this, 'other systems tell of changes in an order of their own');
    mkdirSync(ws.at('agents'));
    const list = ws.at('agents/list.md');
    for (const text of [before, after])
      assert.deepEqual(await heardNames(ws.at('agents'), () => replaceListedText(list, text)), ['list.md']);
    assert.deepEqual(await heardNames(ws.root, () => replaceListedText(list, before)), [], 'nothing is heard above');
    assert.deepEqual(readdirSync(path.join(ws.base, 'apart')), [], 'nothing stays apart');
    assert.ok(
      (await heardNames(ws.at('agents'), () => replaceText(list, before))).length > 1,
      'the other way tells more',
    );
  });

  it('is written where the other folder takes no new file', async function () {
    if (process.platform === 'win32' || process.getuid?.() === 0)
      return skipBecause(this, 'no folder refuses a new file to this user');
    mkdirSync(ws.at('agents'));
    mkdirSync(ws.at('closed'));
    chmodSync(ws.at('closed'), 0o500);
    try {
      for (const apart of ['closed', 'closed/inner'])
        for (const text of [before, after]) {
          await replaceListed(ws.at(apart), ws.at('agents/list.md'), text);
          assert.equal(readFileSync(ws.at('agents/list.md'), 'utf8'), text);
        }
      assert.deepEqual(readdirSync(ws.at('agents')), ['list.md']);
    } finally {
      chmodSync(ws.at('closed'), 0o700);
    }
  });

  it('is written where the other folder is on another disk', async function () {
    const disk = '/dev/shm';
    if (!existsSync(disk) || statSync(disk).dev === statSync('/dev').dev)
      return skipBecause(this, 'no other disk to write to lies in a folder');
    const list = path.join(disk, `agent-capabilities-${randomUUID()}.md`);
    try {
      for (const text of [before, after]) {
        await replaceListed('/dev', list, text);
        assert.equal(readFileSync(list, 'utf8'), text);
      }
      for (const folder of ['/dev', disk]) assert.deepEqual(readdirSync(folder).filter(isTemporaryName), []);
    } finally {
      rmSync(list, { force: true });
    }
  });
});
