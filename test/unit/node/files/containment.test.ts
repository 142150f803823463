import { strict as assert } from 'node:assert';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Boundary } from '../../../../src/node/files/handles';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';

const secret = 'outside content that nobody may see';

const tools: readonly (readonly [string, (path: string) => object])[] = [
  ['read_file', (at) => ({ path: at })],
  ['write_file', (at) => ({ path: at, content: 'written' })],
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
  'a link in a folder that is a link': (ws) => (symlinkSync('dir', ws.at('d')), symlinkSync(ws.outside, ws.at('dir/o')), 'd/o/secret.txt'),
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
          // A hard link is a file of the workspace like any other: reading it is allowed, writing replaces the name and leaves the content.
          if (!what.startsWith('a hard link'))
            assert.ok(!said.includes(secret) && !said.includes('nobody may see'), `${tool}: ${what}: ${said}`);
          outsideIsUntouched(ws, `${tool}: ${what}`);
          ws.dispose();
        }
      }
    });
  }
});

describe('a folder that is swapped for a link while a tool works', () => {
  const boundaries: readonly Boundary[] = ['judged', 'opened', 'verified', 'written', 'staged'];
  for (const handles of ['proc', 'compare'] as const) {
    for (const boundary of boundaries) {
      it(`opens nothing when it is swapped after "${boundary}" (${handles})`, async () => {
        const more: readonly (readonly [string, (path: string) => object])[] = [
          ...tools,
          ['write_file', () => ({ path: 'dir/new.txt', content: 'written' })],
          ['write_file', () => ({ path: 'dir/a/b/new.txt', content: 'written' })],
          ['write_file', (at) => ({ path: at, content: 'more', mode: 'append' })],
          ['move_file', () => ({ source: 'file.txt', destination: 'dir/secret.txt', overwrite: true })],
          ['delete_file', () => ({ path: 'dir', recursive: true, to_trash: false })],
        ];
        for (const [tool, input] of more) {
          for (const occurrence of [1, 2, 3]) {
            let count = 0;
            const made: { ws?: TestWorkspace } = {};
            const ws = (made.ws = prepared({
              handles,
              hooks: {
                at: (reached) => {
                  if (reached !== boundary || ++count !== occurrence || !made.ws || !existsSync(made.ws.at('dir'))) return;
                  const { ws } = made;
                  renameSync(ws.at('dir'), ws.at('moved-away'));
                  symlinkSync(path.join(ws.outside, 'dir'), ws.at('dir'));
                },
              },
            }));
            const result = await ws.call(tool, input('dir/secret.txt'));
            const said = JSON.stringify(result);
            assert.ok(!said.includes('nobody may see'), `${tool} ${occurrence}: ${said}`);
            outsideIsUntouched(ws, `${tool}, ${boundary} for the ${occurrence}. time: ${said}`);
            ws.dispose();
          }
        }
      });
    }
  }

  it('opens nothing when the file itself is swapped for a link', async () => {
    for (const handles of ['proc', 'compare'] as const) {
      for (const boundary of boundaries) {
        for (const [tool, input] of tools) {
          let done = false;
          const made: { ws?: TestWorkspace } = {};
          const ws = (made.ws = prepared({
            handles,
            hooks: {
              at: (reached) => {
                if (reached !== boundary || done || !made.ws || !existsSync(made.ws.at('file.txt'))) return;
                const { ws } = made;
                done = true;
                renameSync(ws.at('file.txt'), ws.at('moved-away'));
                symlinkSync(path.join(ws.outside, 'secret.txt'), ws.at('file.txt'));
              },
            },
          }));
          const said = JSON.stringify(await ws.call(tool, input('file.txt')));
          assert.ok(!said.includes('nobody may see'), `${tool}: ${said}`);
          outsideIsUntouched(ws, `${tool} ${boundary}`);
          ws.dispose();
        }
      }
    }
  });
});
