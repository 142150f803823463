import { strict as assert } from 'node:assert';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Access } from '../../../../src/core/vocabulary/access';
import { handleMode, type Moment } from '../../../../src/node/files/handles';
import { skipBecause } from '../../../support/skip';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';
import type { AccessVerdict } from '../../../../src/core/capability/tool';

const secret = 'outside content that nobody may see';

const tools: readonly (readonly [string, (path: string) => object])[] = [
  ['read_file', (at) => ({ path: at })],
  ['write_file', (at) => ({ path: at, content: 'written' })],
  ['write_file', (at) => ({ path: `${path.posix.dirname(at)}/made/deep/`, content: '' })],
  ['edit_file', (at) => ({ path: at, edits: [{ old_text: 'content', new_text: 'changed' }] })],
  ['list_directory', (at) => ({ path: path.posix.dirname(at) })],
  ['grep_files', (at) => ({ pattern: 'content', path: at })],
  ['delete_file', (at) => ({ path: at, to_trash: false })],
  ['move_file', (at) => ({ source: at, destination: 'moved.txt', overwrite: true })],
  ['stat_file', (at) => ({ path: at, with_hash: true })],
];

function outsideIsUntouched(ws: TestWorkspace, what: string): void {
  assert.deepEqual(readdirSync(ws.outside).sort(), ['dir', 'secret.txt'], what);
  assert.equal(readFileSync(path.join(ws.outside, 'secret.txt'), 'utf8'), secret, what);
  assert.deepEqual(readdirSync(path.join(ws.outside, 'dir')), ['secret.txt'], what);
  assert.equal(readFileSync(path.join(ws.outside, 'dir', 'secret.txt'), 'utf8'), secret, what);
}

function prepared(options: Parameters<typeof makeWorkspace>[0] = {}): TestWorkspace {
  const ws = makeWorkspace(options);
  mkdirSync(path.join(ws.outside, 'dir'));
  for (const name of ['secret.txt', 'dir/secret.txt']) writeFileSync(path.join(ws.outside, name), secret);
  ws.put({ 'dir/secret.txt': 'content inside', 'file.txt': 'content inside' });
  return ws;
}

/** How a path can be reached by a link; each builds it and names the path to call. */
const links: Readonly<Record<string, (ws: TestWorkspace) => string>> = {
  'a link to a file outside': (ws) => (symlinkSync(path.join(ws.outside, 'secret.txt'), ws.at('l')), 'l'),
  'a link to a folder outside': (ws) => (symlinkSync(ws.outside, ws.at('l')), 'l/secret.txt'),
  'a relative link outside': (ws) => (symlinkSync('../outside/secret.txt', ws.at('l')), 'l'),
  'a chain of three links outside': (ws) => {
    symlinkSync(path.join(ws.outside, 'secret.txt'), ws.at('l1'));
    symlinkSync('l1', ws.at('l2'));
    symlinkSync('l2', ws.at('l'));
    return 'l';
  },
  'a dangling link outside': (ws) => (symlinkSync(path.join(ws.outside, 'new.txt'), ws.at('l')), 'l'),
  'a circle of links': (ws) => (symlinkSync('l2', ws.at('l')), symlinkSync('l', ws.at('l2')), 'l'),
  'a link in a folder that is a link': (ws) => (
    symlinkSync('dir', ws.at('d')),
    symlinkSync(ws.outside, ws.at('dir/o')),
    'd/o/secret.txt'
  ),
  'a hard link to a file outside': (ws) => {
    linkSync(path.join(ws.outside, 'secret.txt'), ws.at('l'));
    return 'l';
  },
};

describe('links that lead out of the workspace', () => {
  for (const handles of ['proc', 'compare'] as const) {
    it(`open nothing to any tool (${handles})`, async () => {
      for (const [what, build] of Object.entries(links)) {
        for (const [tool, input] of tools) {
          const ws = prepared({ handles });
          const result = await ws.call(tool, input(build(ws)));
          const said = JSON.stringify(result);
          // A hard link is a file of the workspace like any other: reading it is allowed, writing replaces the name and
          // leaves the content.
          if (!what.startsWith('a hard link'))
            assert.ok(!said.includes(secret) && !said.includes('nobody may see'), `${tool}: ${what}: ${said}`);
          assert.ok(!said.includes(ws.base), `${tool}: ${what}: names the machine's path: ${said}`);
          outsideIsUntouched(ws, `${tool}: ${what}`);
          ws.dispose();
        }
      }
    });
  }

  it('are told from those to nothing, which are named by their path in the workspace', async () => {
    const ws = prepared();
    symlinkSync('nowhere', ws.at('l'));
    symlinkSync('../nowhere', ws.at('dir/l'));
    symlinkSync(ws.outside, ws.at('out'));
    symlinkSync('nowhere', path.join(ws.outside, 'l'));
    const nothing = (shown: string) => `\`${shown}\` is a link that leads to nothing, so it is not followed`;
    for (const [name, said] of [
      ['l', nothing('/l')],
      ['l/deep/a.txt', nothing('/l')],
      ['dir/l', nothing('/dir/l')],
      ['out/l', '`/out/l` is outside the workspace: a link in it leads out'],
    ] as const) {
      const result = await ws.call('write_file', { path: name, content: 'x' });
      assert.equal(result.ok ? 'written' : result.error.code, 'path_outside', name);
      assert.equal(result.ok ? '' : result.error.message.split(';')[0], said);
    }
    ws.dispose();
  });
});

describe('a folder that is swapped for a link while a tool works', () => {
  const moments: readonly Moment[] = ['judged', 'opened', 'verified', 'written', 'staged', 'listed', 'checked'];
  for (const handles of ['proc', 'compare'] as const) {
    for (const moment of moments) {
      it(`opens nothing when it is swapped after "${moment}" (${handles})`, async () => {
        const more: readonly (readonly [string, (path: string) => object])[] = [
          ...tools,
          ['write_file', () => ({ path: 'dir/new.txt', content: 'written' })],
          ['write_file', () => ({ path: 'dir/a/b/new.txt', content: 'written' })],
          ['write_file', (at) => ({ path: at, content: 'more', mode: 'append' })],
          ['move_file', () => ({ source: 'file.txt', destination: 'dir/secret.txt', overwrite: true })],
          ['delete_file', () => ({ path: 'dir', recursive: true, to_trash: false })],
          ['move_file', (at) => ({ source: at, destination: 'twin.txt', overwrite: true })],
          ['move_file', () => ({ source: 'twin.txt', destination: 'dir/secret.txt', overwrite: true })],
        ];
        for (const [tool, input] of more) {
          for (const occurrence of [1, 2, 3, 4, 5]) {
            let count = 0;
            const made: { ws?: TestWorkspace } = {};
            const ws = (made.ws = prepared({
              handles,
              hooks: {
                at: (reached) => {
                  if (reached !== moment || ++count !== occurrence || !made.ws || !existsSync(made.ws.at('dir')))
                    return;
                  const { ws } = made;
                  renameSync(ws.at('dir'), ws.at('moved-away'));
                  symlinkSync(path.join(ws.outside, 'dir'), ws.at('dir'));
                },
              },
            }));
            linkSync(ws.at('dir/secret.txt'), ws.at('twin.txt'));
            const result = await ws.call(tool, input('dir/secret.txt'));
            const said = JSON.stringify(result);
            assert.ok(!said.includes('nobody may see'), `${tool} ${occurrence}: ${said}`);
            outsideIsUntouched(ws, `${tool}, ${moment} for the ${occurrence}. time: ${said}`);
            ws.dispose();
          }
        }
      });
    }
  }

  it('writes a listed file nowhere else when its folder, or the one above, is swapped', async () => {
    for (const handles of ['proc', 'compare'] as const)
      for (const moment of moments)
        for (const swapped of ['dir', 'dir/a'])
          for (let occurrence = 1; occurrence <= 6; occurrence++) {
            const made: { ws?: TestWorkspace } = {};
            const reached: string[] = [];
            const swap = once(moment, occurrence, () => {
              if (!made.ws) return;
              renameSync(made.ws.at(swapped), made.ws.at('moved-away'));
              symlinkSync(path.join(made.ws.outside, 'dir'), made.ws.at(swapped));
            });
            const at = (now: Moment): void => {
              // A temporary file outside would be back inside by the end.
              if (made.ws) reached.push(...readdirSync(path.join(made.ws.outside, 'dir')));
              swap(now);
            };
            const ws = (made.ws = prepared({ handles, hooks: { at } }));
            ws.put({ 'dir/a/list.txt': 'inside' });
            const where = { folder: ws.folder(), path: 'dir/a/list.txt' };
            const said = await ws.files
              .writeFile(where, new TextEncoder().encode('written'), { isListed: true, check: () => undefined })
              .catch(String);
            const words = `${swapped}, ${moment} for the ${occurrence}. time: ${JSON.stringify(said)}`;
            outsideIsUntouched(ws, words);
            // By their paths, folders are compared once an empty file is there.
            if (handles === 'proc') assert.deepEqual([...new Set(reached)], ['secret.txt'], words);
            ws.dispose();
          }
  });

  it('writes a listed file beside itself where the folder above refuses, and not where the disk fails', async function () {
    if (handleMode() === 'compare') return skipBecause(this, 'nothing is written by the folder above here');
    for (const moment of ['opened', 'written', 'checked'] as const)
      for (const code of ['EACCES', 'EPERM', 'EXDEV', 'EROFS', 'ENOSPC']) {
        let count = 0;
        const at = (reached: Moment, place: string): void => {
          if (reached === moment && /dir\/\.[0-9a-f]+\.agent-capabilities-tmp$/.test(place)) {
            count++;
            throw Object.assign(new Error(code), { code });
          }
        };
        const ws = prepared({ hooks: { at } });
        ws.put({ 'dir/a/list.txt': 'inside' });
        const where = { folder: ws.folder(), path: 'dir/a/list.txt' };
        const writing = ws.files.writeFile(where, new TextEncoder().encode('written'), { isListed: true });
        if (code === 'ENOSPC') await assert.rejects(writing);
        else await writing;
        assert.equal(count, 1);
        assert.equal(readFileSync(ws.at('dir/a/list.txt'), 'utf8'), code === 'ENOSPC' ? 'inside' : 'written');
        assert.deepEqual(
          [filesIn(ws.at('dir')), readdirSync(ws.at('dir/a'))],
          [['a/list.txt', 'secret.txt'], ['list.txt']],
        );
        ws.dispose();
      }
  });

  it('opens nothing when the file itself is swapped for a link', async () => {
    for (const handles of ['proc', 'compare'] as const) {
      for (const moment of moments) {
        for (const [tool, input] of tools) {
          let done = false;
          const made: { ws?: TestWorkspace } = {};
          const ws = (made.ws = prepared({
            handles,
            hooks: {
              at: (reached) => {
                if (reached !== moment || done || !made.ws || !existsSync(made.ws.at('file.txt'))) return;
                const { ws } = made;
                done = true;
                renameSync(ws.at('file.txt'), ws.at('moved-away'));
                symlinkSync(path.join(ws.outside, 'secret.txt'), ws.at('file.txt'));
              },
            },
          }));
          const said = JSON.stringify(await ws.call(tool, input('file.txt')));
          assert.ok(!said.includes('nobody may see'), `${tool}: ${said}`);
          outsideIsUntouched(ws, `${tool} ${moment}`);
          ws.dispose();
        }
      }
    }
  });
});

describe('a folder that is deleted while somebody works in it', () => {
  const moments: readonly Moment[] = ['judged', 'opened', 'verified', 'listed', 'staged', 'written'];
  for (const handles of ['proc', 'compare'] as const) {
    it(`deletes nothing behind a link that a folder in it is swapped for, at any moment (${handles})`, async () => {
      for (const moment of moments) {
        for (let occurrence = 1; occurrence <= 8; occurrence++) {
          let count = 0;
          const made: { ws?: TestWorkspace } = {};
          const ws = (made.ws = prepared({
            handles,
            hooks: {
              at: (reached) => {
                if (reached !== moment || ++count !== occurrence || !made.ws || !existsSync(made.ws.at('top/dir')))
                  return;
                const { ws } = made;
                renameSync(ws.at('top/dir'), ws.at('moved-away'));
                symlinkSync(path.join(ws.outside, 'dir'), ws.at('top/dir'));
              },
            },
          }));
          ws.put({ 'top/a.txt': 'a', 'top/dir/secret.txt': 'inside', 'top/dir/deep/b.txt': 'b' });
          await ws.call('delete_file', { path: 'top', recursive: true, to_trash: false });
          outsideIsUntouched(ws, `${moment} for the ${occurrence}. time`);
          ws.dispose();
        }
      }
    });

    it(`judges what appears meanwhile: what is protected stays and is named, the rest goes (${handles})`, async () => {
      for (const appears of ['top/.env', 'top/dir/.env', 'top/new/.env'] as const) {
        const made: { ws?: TestWorkspace } = {};
        const ws = (made.ws = prepared({
          handles,
          hooks: { at: once('judged', 4, () => made.ws?.put({ [appears]: 'SECRET', 'top/dir/more.txt': 'harmless' })) },
        }));
        ws.put({ 'top/a.txt': 'a', 'top/dir/b.txt': 'b' });
        const got = await ws.ok(
          'delete_file',
          { path: 'top', recursive: true, to_trash: false },
          { access: notSecrets },
        );
        assert.deepEqual(
          [got['deleted'], got['kept']],
          [false, [{ path: `/${appears}`, reason: 'secrets are protected' }]],
        );
        assert.deepEqual(filesIn(ws.at('top')), [appears.slice(4)]);
        ws.dispose();
      }
    });

    it(`puts a folder back from the trash that held something protected when it got there (${handles})`, async () => {
      const made: { ws?: TestWorkspace } = {};
      const ws = (made.ws = prepared({
        handles,
        hooks: { at: once('listed', 1, () => made.ws?.put({ 'top/dir/.env': 'SECRET' })) },
      }));
      ws.put({ 'top/a.txt': 'a', 'top/dir/b.txt': 'b' });
      const refused = await ws.call('delete_file', { path: 'top', recursive: true }, { access: notSecrets });
      assert.match(
        refused.ok ? '' : refused.error.message,
        /`\/top\/dir\/\.env` appeared while it was deleted and may not be deleted, so nothing was/,
      );
      assert.deepEqual(filesIn(ws.at('top')), ['a.txt', 'dir/.env', 'dir/b.txt']);
      assert.deepEqual(
        [readdirSync(path.join(ws.base, 'trash/files')), readdirSync(path.join(ws.base, 'trash/info'))],
        [[], []],
      );
      ws.dispose();
    });

    it(`stops with a clear error where new entries keep appearing (${handles})`, async () => {
      let number = 0;
      const made: { ws?: TestWorkspace } = {};
      const ws = (made.ws = prepared({
        handles,
        hooks: {
          at: (moment, where) => {
            if (moment === 'listed' && made.ws && where === made.ws.at('top'))
              made.ws.put({ [`top/${number++}.txt`]: 'x' });
          },
        },
      }));
      ws.put({ 'top/a.txt': 'a' });
      const stopped = await ws.call('delete_file', { path: 'top', recursive: true, to_trash: false });
      assert.match(
        stopped.ok ? '' : `${stopped.error.code}: ${stopped.error.message}`,
        /^conflict: .*new entries keep appearing in `\/top`/,
      );
      assert.deepEqual([existsSync(ws.at('top/a.txt')), filesIn(ws.at('top')).length], [false, 1]);
      ws.dispose();
    });
  }
});

const notSecrets = async (access: Access): Promise<AccessVerdict> =>
  access.resource.endsWith('.env') ? { allowed: false, reason: 'secrets are protected' } : { allowed: true };

/** Does something when a moment is reached for the given time. */
function once(moment: Moment, occurrence: number, act: () => void): (reached: Moment) => void {
  let count = 0;
  return (reached) => {
    if (reached === moment && ++count === occurrence) act();
  };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}
