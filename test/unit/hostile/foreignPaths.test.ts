import { strict as assert } from 'node:assert';
import { symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { type ForeignJudge, foreignJudge, noSecret } from '../../support/foreignCall';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';

/**
 * Spellings that lead a receiver to `secret/key.txt` of the workspace, which a rule denies. `<root>` and `<base>` are
 * its folders.
 */
const toSecret: readonly string[] = [
  'secret/key.txt',
  './secret/key.txt',
  'secret//key.txt',
  'src/../secret/key.txt',
  'missing/../secret/key.txt',
  '<root>/secret/key.txt',
  '<root>/./src/../secret/key.txt',
  '/proc/self/cwd/secret/key.txt',
  '/proc/self/../self/cwd/secret/key.txt',
  '/proc/thread-self/cwd/secret/key.txt',
  '/proc/self/task/1/cwd/secret/key.txt',
  '/proc/1/cwd/secret/key.txt',
  '/proc/self/root<root>/secret/key.txt',
  '/proc/self/root/proc/self/cwd/secret/key.txt',
  '//proc/self/cwd//secret/key.txt',
  '<base>/outside/link',
  '<base>/outside/folder/key.txt',
  '<base>/outside/cwd/secret/key.txt',
  '<base>/outside/folder/../secret/key.txt',
  '<base>/outside/../root/secret/key.txt',
  'inner',
  'sub/up/secret/key.txt',
  'file:secret/key.txt',
  'file:<root>/secret/key.txt',
  'file:/<root>/secret/key.txt',
  'file://<root>/secret/key.txt',
  'FILE:///<root>/secret/key.txt',
  'file://localhost<root>/secret/key.txt',
  'file://127.0.0.1<root>/secret/key.txt',
  'file://anything.example<root>/secret/key.txt',
  'file:\\\\<root>\\secret\\key.txt',
  'fi\tle://<root>/secret/key.txt',
  ' file://<root>/secret/key.txt',
  'file://<root>/%73ecret/key.txt',
  'file://<root>/secret%2fkey.txt',
  'file://<root>/src/%2e%2e/secret/key.txt',
  'file://<root>/secret/key.txt?x#y',
  'file:///proc/self/cwd/secret/key.txt',
  'file://secret/key.txt',
  'view-source:file://<root>/secret/key.txt',
  'secret%2Fkey.txt',
  '%73ecret/key.txt',
  '%2573ecret/key.txt',
  'SECRET/KEY.TXT',
  'secret./key.txt',
  'secret /key.txt',
  'secret\\key.txt',
  '.\\secret\\key.txt',
  ' secret/key.txt',
  'secret/key.txt\n',
  '\tsecret/key.txt',
  'secret/key.txt::$DATA',
  'secret/key.txt\0.png',
  '$PWD/secret/key.txt',
  '${PWD}/secret/key.txt',
  '${workspaceFolder}/secret/key.txt',
  'src/a.ts,secret/key.txt',
  'src/a.ts\nsecret/key.txt',
  'se\u200ccret/key.txt',
  '{"path":"secret/key.txt"}',
];

/** What nobody else can resolve is refused where a path is wanted. */
const unreadablePaths = [
  '/dev/fd/3',
  '/proc/self/fd/3',
  '/proc/1/fd/0',
  '/dev/../dev/fd/3',
  'file:///dev/fd/3',
  'src/a.ts\0',
  'loop',
];

describe('the paths in the arguments of a foreign tool, read as the disk reads them', () => {
  let workspace: TestWorkspace;
  let judge: ForeignJudge;
  before(() => {
    workspace = makeWorkspace();
    workspace.put({ 'secret/key.txt': 'x', 'src/a.ts': 'x', 'sub/': '' });
    symlinkSync(workspace.at('secret/key.txt'), path.join(workspace.outside, 'link'));
    symlinkSync(workspace.at('secret'), path.join(workspace.outside, 'folder'));
    symlinkSync('/proc/self/cwd', path.join(workspace.outside, 'cwd'));
    symlinkSync('secret/key.txt', workspace.at('inner'));
    symlinkSync('..', workspace.at('sub/up'));
    symlinkSync('loop', workspace.at('loop'));
    judge = foreignJudge({ files: workspace.files, rules: noSecret, cwd: workspace.root });
  });
  after(() => workspace.dispose());

  const spelled = (text: string): string =>
    text.replaceAll('<root>', workspace.root).replaceAll('<base>', workspace.base);
  const effectOf = async (input: unknown): Promise<string> => (await judge(input)).effect;

  for (const text of toSecret)
    it(`S3.file-system S4.boundaries: a denied file is not reached by ${JSON.stringify(text)}`, async () => {
      const place = spelled(text);
      for (const input of [
        { path: place },
        { x: place },
        { uri: place },
        { files: [place] },
        { options: JSON.stringify([place]) },
      ])
        assert.equal(await effectOf(input), 'deny', JSON.stringify(input));
    });

  for (const text of [
    '~/.ssh/id_rsa',
    '$HOME/.ssh/id_rsa',
    '${env:HOME}/.ssh/id_rsa',
    '%USERPROFILE%/.ssh/id_rsa',
    '~other/.ssh/id_rsa',
  ])
    it(`S3.file-system: a denied file of the home folder is not reached by ${text}`, async () => {
      for (const input of [{ path: text }, { x: text }])
        assert.equal(await effectOf(input), 'deny', JSON.stringify(input));
    });

  it('S3.file-system: the home folder is told apart by where it is', async () => {
    const byPlace = foreignJudge({
      files: workspace.files,
      rules: [{ id: 'home', match: { path: `${homedir()}/**` }, decision: 'deny', reason: 'home' }],
    });
    for (const place of ['~/notes.txt', '$HOME/notes.txt', 'file:///proc/self/root' + homedir() + '/notes.txt'])
      assert.equal((await byPlace({ path: place })).effect, 'deny', place);
  });

  for (const text of unreadablePaths)
    it(`S3.file-system: ${JSON.stringify(text)} cannot be judged, and is refused with a reason`, async () => {
      const verdict = await judge({ path: text });
      assert.equal(verdict.effect, 'deny', text);
      assert.match(verdict.reason, /\S/);
    });

  for (const line of [
    'cat secret/key.txt',
    'tar c ./secret | gzip',
    'x --file=secret/key.txt',
    'cp src/a.ts <root>/secret/key.txt',
    'cat inner',
  ])
    it(`S3.file-system: a denied file is found in the command line ${line}`, async () => {
      assert.equal(await effectOf({ command: spelled(line) }), 'deny');
    });
});
