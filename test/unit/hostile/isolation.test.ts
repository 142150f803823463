// @tier full: starts programs
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { database } from '../../../src/capabilities/database/database';
import { fileSystem } from '../../../src/capabilities/fileSystem/fileSystem';
import { sandbox as sandboxCapability } from '../../../src/capabilities/sandbox/sandbox';
import { todoList } from '../../../src/capabilities/todoList/todoList';
import type { Json } from '../../../src/core/base/json';
import type { Sandbox } from '../../../src/core/ports/sandbox';
import type { Disposable } from '../../../src/core/base/lifecycle';
import { full, runs } from '../../support/counts';
import { type DefinitionWorld, makeWorld } from '../../support/definitions';
import { makeSandbox } from '../../support/sandbox';
import { fakePorts } from '../../support/toolContext';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';

const canary = 'CANARY-of-the-workspace-7f3a';
const open = { description: 'Does it.', permissions: { agent: 'allowed', user: 'allowed' } };

/** Every file below a folder with its content, so that any change shows. */
function snapshot(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return `${file}:${entry.isFile() ? readFileSync(file, 'utf8') : ''}`;
    })
    .sort()
    .join('\n');
}

/** The spellings by which an agent could name the workspace's `src/canary.txt`. */
function spellings(workspace: TestWorkspace): readonly string[] {
  const file = workspace.at('src/canary.txt');
  const up = '../'.repeat(12);
  return [
    'src/canary.txt',
    '/src/canary.txt',
    './src/../src/canary.txt',
    file,
    `//${file.slice(1)}`,
    `${up}${file.slice(1)}`,
    `/${up}${file.slice(1)}`,
    '../root/src/canary.txt',
    '/root/src/canary.txt',
    'root/src/canary.txt',
    '/session/src/canary.txt',
    'session:/src/canary.txt',
    `session:${file}`,
    `file://${file}`,
    `file:${file}`,
    `FILE://localhost${file}`,
    `/proc/self/cwd/../../${file}`,
    `/proc/self/root${file}`,
    `/dev/fd/../../${file}`,
    '..%2froot%2fsrc%2fcanary.txt',
    '..\\root\\src\\canary.txt',
    `link/src/canary.txt`,
    'src/canary.txt/.',
    'SRC/CANARY.TXT',
    `\u200b${file}`,
    `${file}\0.txt`,
  ];
}

const tools = (place: string): readonly (readonly [string, Json])[] => [
  ['read_file', { path: place }],
  ['read_files', { paths: [place] }],
  ['stat_file', { path: place, with_hash: true }],
  ['list_directory', { path: path.posix.dirname(place) }],
  ['find_files', { pattern: '**/*.txt', path: path.posix.dirname(place) }],
  ['grep_files', { pattern: 'CANARY', path: path.posix.dirname(place) }],
  ['write_file', { path: place, content: 'changed' }],
  ['write_file', { path: place, content: 'changed', mode: 'append' }],
  ['edit_file', { path: place, edits: [{ old_text: 'CANARY', new_text: 'GONE' }] }],
  ['move_file', { from: place, to: 'stolen.txt' }],
  ['delete_file', { path: place }],
  ['execute_code', { code: `return await files.read(${JSON.stringify(place)})`, allow_files: true }],
  [
    'execute_code',
    { code: `return await files.list(${JSON.stringify(path.posix.dirname(place))})`, allow_files: true },
  ],
  ['t_module', { op: 'read', path: place }],
  ['t_module', { op: 'list', path: path.posix.dirname(place) }],
  ['t_module', { op: 'write', path: place }],
  ['t_steps', { path: place }],
  ['t_program', { path: place.startsWith('-') ? '.' : place }],
];

const module = `export default async (input, { files }) => {
  if (input.op === 'read') return files.read(input.path);
  if (input.op === 'list') return files.list(input.path);
  return files.write(input.path, 'changed');
}`;

/** Tells how often the workspace's file was read or named by content: what must never come back, whatever was asked. */
const leaks = (answer: unknown): boolean => JSON.stringify(answer ?? null).includes(canary);

for (const [by, settings, config] of [
  ['the setting', { 'fileSystem.root': 'session' }, {}],
  ['the profile', {}, { root: 'session' }],
] as const)
  describe(`S3.file-system D.tightens: with root: session by ${by}, no way to files leads into the workspace`, () => {
    let world: DefinitionWorld;
    let sandbox: Sandbox & Disposable;
    let before_ = '';
    before(async function () {
      this.timeout(60_000);
      sandbox = await makeSandbox();
      const capabilities = [fileSystem, sandboxCapability, database, todoList];
      world = makeWorld({
        capabilities,
        ports: { sandbox, settings: fakePorts({ settings }).settings },
        profile: () => ({
          capabilities: [
            ...capabilities.map(({ id }) => ({ id, enabled: true, ...(id === 'file_system' ? { config } : {}) })),
            { id: 't', enabled: true },
          ],
        }),
      });
      world.workspace.put({ 'src/canary.txt': `${canary}\n`, 'root/src/canary.txt': canary, '.env': `KEY=${canary}` });
      symlinkSync(world.workspace.root, path.join(world.workspace.root, 'link'));
      await world.define({
        't.capability.json': {
          id: 't',
          name: 'T',
          tools: [
            {
              ...open,
              name: 'module',
              parameters: { op: 'string', path: 'string' },
              handler: { type: 'module', file: './h.js', ports: { files: 'write' } },
            },
            {
              ...open,
              name: 'program',
              parameters: { path: 'string' },
              handler: {
                type: 'process',
                command: process.execPath,
                args: ['-p', 'process.cwd()+" "+require("fs").readdirSync(".").join()', '--', '${input.path}'],
              },
            },
            { ...open, name: 'local', handler: { type: 'process', command: './run.sh' } },
            {
              ...open,
              name: 'steps',
              parameters: { path: 'string' },
              handler: { type: 'compose', steps: [{ tool: 'read_file', input: { path: '${input.path}' } }] },
            },
          ],
        },
        'h.js': module,
      });
      before_ = snapshot(world.workspace.root);
    });
    after(() => {
      world.dispose();
      sandbox.dispose();
    });

    it('has the tools that the table calls', () => {
      assert.deepEqual(world.problems(), []);
      for (const [tool] of tools('x')) assert.ok(world.gate.registry.tool(tool), tool);
    });

    const at = makeWorkspace();
    const names = spellings(at).map((one) => one.replaceAll(at.root, '<root>'));
    at.dispose();
    names.forEach((name, index) => {
      // Both ways lead to one session; that the second does, a third of the spellings show.
      if (full ? by === 'the profile' && index % 3 > 0 : index >= (by === 'the setting' ? 8 : 4)) return;
      it(`keeps the workspace from every tool that is given ${JSON.stringify(name)}`, async () => {
        const place = spellings(world.workspace)[index] ?? '';
        for (const [tool, input] of tools(place)) {
          // What it is given decides nothing about its folder, and a process for each takes its time.
          if (tool === 't_program' && index % 8 > 0) continue;
          const answer = await world.call(tool, input);
          assert.ok(!leaks(answer), `${tool}: ${JSON.stringify(answer)}`);
          if (tool === 't_program' && typeof answer === 'object' && answer !== null && 'stdout' in answer)
            assert.ok(!String(answer.stdout).startsWith(world.workspace.root), JSON.stringify(answer));
        }
        assert.equal(snapshot(world.workspace.root), before_, 'the workspace was changed');
      }).timeout(30_000);
    });

    it('gives the tools, the sandbox, modules and programs one and the same files', async () => {
      await world.call('write_file', { path: 'mine.txt', content: 'of the session' });
      assert.equal(
        ((await world.call('execute_code', { code: 'return await files.read("mine.txt")', allow_files: true })) as any)
          .result,
        'of the session',
      );
      assert.equal(await world.call('t_module', { op: 'read', path: '/mine.txt' }), 'of the session');
      assert.match(((await world.call('t_program', { path: 'x' })) as any).stdout, /mine\.txt/);
      await world.call('t_module', { op: 'write', path: 'made.txt' });
      assert.equal(((await world.call('read_file', { path: 'made.txt' })) as any).content, 'changed');
    });

    it('runs no program of the workspace, nor what an agent wrote in its place', async () => {
      await world.call('write_file', { path: 'run.sh', content: '#!/bin/sh\necho hacked' });
      assert.equal(((await world.call('t_local')) as any).code, 'not_available');
    });

    const sequences = by === 'the setting' ? runs(5, 150, 2000) : runs(5, 50, 2000);
    it(`holds for sequences of random calls (${sequences})`, async function () {
      this.timeout(600_000);
      const places = spellings(world.workspace);
      const part = fc.constantFrom(
        '..',
        '.',
        'src',
        'root',
        'canary.txt',
        'link',
        world.workspace.root.slice(1),
        '~',
        '%2e%2e',
        'mine',
      );
      const place = fc.oneof(
        fc.constantFrom(...places),
        fc
          .tuple(fc.constantFrom('', '/', '//', './'), fc.array(part, { minLength: 1, maxLength: 8 }))
          .map(([head, all]) => head + all.join('/')),
      );
      const call = fc.tuple(place, fc.nat()).map(([one, index]) => {
        // A process for each would take minutes.
        const all = tools(one).filter(([tool]) => tool !== 't_program');
        return all[index % all.length] ?? (['read_file', { path: one }] as const);
      });
      await fc.assert(
        fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 3 }), async (calls) => {
          for (const [tool, input] of calls) assert.ok(!leaks(await world.call(tool, input)), tool);
          assert.equal(snapshot(world.workspace.root), before_);
        }),
        { numRuns: sequences },
      );
    });
  });
