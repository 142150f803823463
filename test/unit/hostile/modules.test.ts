import { plainWords } from '../../../src/core/base/translate';
// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { boundText } from '../../../src/core/definitions/approval';
import { createProgramRunner } from '../../../src/node/programs/programRunner';
import { createTrustedModules } from '../../../src/node/sandbox/trustedModules';
import { type DefinitionWorld, makeWorld, type WorldOptions } from '../../support/definitions';
import { makeSandbox } from '../../support/sandbox';

const open = { description: 'Do it.', permissions: { user: 'allowed', agent: 'allowed' } };

describe('the bytes that were approved are the bytes that run', () => {
  let world: DefinitionWorld;
  let sandbox: Awaited<ReturnType<typeof makeSandbox>>;
  before(async function () {
    this.timeout(60_000);
    sandbox = await makeSandbox();
  });
  after(() => sandbox.dispose());
  afterEach(() => world.dispose());
  const node = createTrustedModules();
  const start = async (
    files: Record<string, unknown>,
    handler: object,
    options: WorldOptions = {},
  ): Promise<DefinitionWorld> => {
    world = makeWorld({ ports: { sandbox, trustedModules: node }, ...options });
    for (const [name, text] of Object.entries(files)) {
      const at = world.workspace.at(name);
      mkdirSync(path.dirname(at), { recursive: true });
      writeFileSync(at, String(text));
      if (name.endsWith('.tool')) chmodSync(at, 0o755);
    }
    await world.define({ 'm.capability.json': { id: 'm', tools: [{ ...open, name: 'go', handler }] } });
    return world;
  };
  const go = async (): Promise<unknown> => world.call('m_go');
  const code = async (): Promise<unknown> => ((await go()) as any)?.code;
  const home = '.vscode/capabilities/';

  for (const mode of ['sandbox', 'node'] as const) {
    const module = (value: string): string =>
      mode === 'node' ? `module.exports = () => ${value};` : `export default () => ${value};`;

    it(`S3.sandbox D.approval-binding: a ${mode} module that changed behind its approval does not run, and is asked about again`, async () => {
      await start({ [`${home}h.js`]: module('1') }, { type: 'module', file: './h.js', mode });
      assert.equal(await go(), 1);
      writeFileSync(world.workspace.at(`${home}h.js`), module('2'));
      assert.equal(await code(), 'definition_error');
      const asked = world.asked.length;
      await world.define({});
      assert.equal(world.asked.length, asked + 1);
      assert.ok(
        world.asked
          .at(-1)
          ?.changes.some(({ sign, line }) => sign === '+' && boundText(line, plainWords).includes('=> 2')),
      );
      assert.equal(await go(), 2);
    });

    it(`S3.sandbox D.approval-binding: a ${mode} module that is exchanged while the call is on its way runs as it was approved`, async () => {
      await start({ [`${home}h.js`]: module('1') }, { type: 'module', file: './h.js', mode });
      const files = world.workspace.files;
      const open = files.open.bind(files);
      let reads = 0;
      files.open = async (where) => {
        const file = await open(where);
        return {
          stat: file.stat,
          close: () => file.close(),
          read: async (...args) => {
            const bytes = await file.read(...args);
            // As soon as it was looked at, something else stands there.
            reads++;
            writeFileSync(world.workspace.at(`${home}h.js`), module('"evil"'));
            return bytes;
          },
        };
      };
      assert.equal(await go(), 1);
      assert.ok(reads > 0);
    });

    it(`S3.sandbox D.approval-binding: the code of a ${mode} module is shown, every line of it`, async () => {
      await start({ [`${home}h.js`]: `${module('1')}\n// last line\n` }, { type: 'module', file: './h.js', mode });
      const text = world.asked[0]?.lines.join('\n') ?? '';
      assert.ok(text.includes(module('1')) && text.includes('// last line'));
    });

    it(`S3.sandbox: a ${mode} module that is missing when it is approved does not run once it is there`, async () => {
      await start({}, { type: 'module', file: './h.js', mode });
      writeFileSync(world.workspace.at(`${home}h.js`), module('1'));
      assert.equal(await code(), 'definition_error');
    });

    it(`S3.sandbox: a ${mode} module that a link leads elsewhere is another`, async () => {
      await start(
        { [`${home}a.js`]: module('1'), [`${home}b.js`]: module('2') },
        { type: 'module', file: './h.js', mode },
      );
      symlinkSync('a.js', world.workspace.at(`${home}h.js`));
      await world.define({});
      assert.equal(await go(), 1);
      unlinkSync(world.workspace.at(`${home}h.js`));
      symlinkSync('b.js', world.workspace.at(`${home}h.js`));
      // Where a link leads may be remembered for a moment; what it leads to now does not run in any case.
      assert.notEqual(await go(), 2);
      const asked = world.asked.length;
      await world.define({});
      assert.equal(world.asked.length, asked + 1);
    });
  }

  for (const wanted of [
    './other.js',
    './other',
    '../other.js',
    './other.json',
    '/etc/hostname',
    'left-pad',
    'vscode',
    'ajv',
    'module',
    'node:module',
    '.',
    '..',
    '',
    'file:///etc/hostname',
    'fs/../../other.js',
  ])
    it(`S3.sandbox D.approval-binding: a trusted module cannot require ${JSON.stringify(wanted)}`, async () => {
      await start(
        {
          [`${home}other.js`]: 'module.exports = 1;',
          [`${home}h.js`]: `module.exports = () => { require(${JSON.stringify(wanted)}); return 'loaded'; };`,
        },
        { type: 'module', file: './h.js', mode: 'node' },
      );
      assert.notEqual(await go(), 'loaded');
      assert.match(JSON.stringify(await go()), /only modules of Node itself can be required/);
    });

  for (const wanted of ['path', 'node:path', 'node:fs/promises', 'url'])
    it(`S3.sandbox: a trusted module can require ${wanted} of Node itself`, async () => {
      await start(
        { [`${home}h.cjs`]: `module.exports = () => typeof require('${wanted}');` },
        { type: 'module', file: './h.cjs', mode: 'node' },
      );
      assert.equal(await go(), 'object');
    });

  for (const text of [
    "import('./other.mjs')",
    "import('node:fs')",
    'new Function(\'return import("./other.mjs")\')()',
    'eval(\'import("./other.mjs")\')',
    'import.meta',
  ])
    it(`S3.sandbox D.approval-binding: a trusted module cannot load by ${text}`, async () => {
      await start(
        {
          [`${home}other.mjs`]: 'export default 1;',
          [`${home}h.js`]: `module.exports = async () => { await ${text}; return 'loaded'; };`,
        },
        { type: 'module', file: './h.js', mode: 'node' },
      );
      assert.notEqual(await go(), 'loaded');
    });

  for (const text of [
    "import other from './other.js'; export default () => other;",
    "export { default } from './other.js';",
    "export default async () => (await import('./other.js')).default;",
    "module.exports = () => require('./other.js');",
    "module.exports = () => require('fs');",
  ])
    it(`S3.sandbox: a module in the sandbox stands alone: ${text}`, async () => {
      await start(
        { [`${home}other.js`]: 'export default 1;', [`${home}h.js`]: text },
        { type: 'module', file: './h.js' },
      );
      assert.match(JSON.stringify(await go()), /sandbox_error/);
    });

  it('S3.sandbox: a module that is no text is not taken for one', async () => {
    await start({}, { type: 'module', file: './h.js' });
    writeFileSync(world.workspace.at(`${home}h.js`), Buffer.from([0x65, 0xff, 0xfe]));
    await world.define({});
    assert.ok(world.problems().some((one) => one.includes('it is no text')));
    assert.equal(await code(), 'definition_error');
  });

  it('S3.sandbox: two definitions with one module are bound to it each by themselves', async () => {
    let approve = true;
    await start(
      { [`${home}h.js`]: 'export default () => 1;' },
      { type: 'module', file: './h.js' },
      { ports: { sandbox }, approve: () => approve },
    );
    await world.define({ 'n.capability.json': { id: 'n', tools: [{ ...open, name: 'go', handler: './h.js' }] } });
    assert.deepEqual([await go(), await world.call('n_go')], [1, 1]);
    approve = false;
    writeFileSync(world.workspace.at(`${home}h.js`), 'export default () => 2;');
    await world.define({});
    assert.deepEqual(world.tools(), []);
  });

  const script = (text: string): string => `process.stdout.write('${text}')\n`;
  const shell = (text: string): string => `#!/bin/sh\nprintf ${text}\n`;
  for (const [what, files, handler, changed] of [
    ['its program', { 'bin/x.tool': shell('a') }, { command: './bin/x.tool' }, 'bin/x.tool'],
    ['a script that it is given', { 's.js': script('a') }, { command: process.execPath, args: ['s.js'] }, 's.js'],
    [
      'a script below its folder',
      { 'sub/s.js': script('a') },
      { command: process.execPath, args: ['./s.js'], cwd: 'sub' },
      'sub/s.js',
    ],
    [
      'a script by a way up',
      { 's.js': script('a'), 'sub/x': '' },
      { command: process.execPath, args: ['../s.js'], cwd: 'sub' },
      's.js',
    ],
    [
      'a script in an option',
      { 's.cjs': script('a'), 'm.js': '' },
      { command: process.execPath, args: ['--require=./s.cjs', 'm.js'] },
      's.cjs',
    ],
    [
      'a script after an option',
      { 's.cjs': script('a'), 'm.js': '' },
      { command: process.execPath, args: ['-r', './s.cjs', 'm.js'] },
      's.cjs',
    ],
    [
      'a script by its address',
      { 's.mjs': script('a') },
      { command: process.execPath, args: ['--import', 'file:PLACE/s.mjs', '-e', ''] },
      's.mjs',
    ],
    ['a script without its ending', { 's.js': script('a') }, { command: process.execPath, args: ['s'] }, 's.js'],
    [
      'a folder that is run',
      { 'tool/index.js': script('a') },
      { command: process.execPath, args: ['./tool'] },
      'tool/index.js',
    ],
    ['what is started by another', { 's.js': script('a') }, { command: 'env', args: ['-S', 'node ./s'] }, 's.js'],
  ] as const)
    it(`S3.sandbox D.approval-binding: a program does not run once ${what} is another`, async () => {
      world = makeWorld();
      const args =
        'args' in handler
          ? handler.args.map((one) => one.replace('PLACE', `//${world.workspace.at('.')}`.replace(/\/$/, '')))
          : [];
      for (const [name, text] of Object.entries(files)) {
        const at = world.workspace.at(name);
        mkdirSync(path.dirname(at), { recursive: true });
        writeFileSync(at, text, { mode: 0o755 });
      }
      await world.define({
        'm.capability.json': {
          id: 'm',
          tools: [{ ...open, name: 'go', handler: { type: 'process', ...handler, args } }],
        },
      });
      assert.match(JSON.stringify(await go()), /"stdout":"a"/);
      assert.ok(
        world.asked[0]?.lines.some((line) => boundText(line, plainWords).startsWith(`runs "${changed}"`)),
        JSON.stringify(world.asked[0]?.lines),
      );
      const at = world.workspace.at(changed);
      writeFileSync(at, readFileSync(at, 'utf8').replace(/a(?='\)|\n$)/, 'evil'));
      assert.equal(await code(), 'definition_error');
      await world.define({});
      assert.match(JSON.stringify(await go()), /evil/);
    });

  it('D.approval-binding: what a runner reads in its folder is asked about again', async () => {
    await start(
      { 'package.json': '{"scripts":{"go":"true"}}' },
      { type: 'process', command: 'npm', args: ['run', 'go'] },
    );
    assert.ok(world.asked[0]?.lines.some((line) => boundText(line, plainWords).startsWith('runs "package.json"')));
    writeFileSync(world.workspace.at('package.json'), '{"scripts":{"go":"evil"}}');
    assert.equal(await code(), 'definition_error');
    await world.define({});
    assert.ok(
      world.asked[1]?.changes.some(({ line }) => boundText(line, plainWords).includes('evil')),
      JSON.stringify(world.asked[1]?.changes),
    );
  });

  it('S3.sandbox D.approval-binding: a script that was not there when a program was approved is not run', async () => {
    await start({}, { type: 'process', command: process.execPath, args: ['s.js'] });
    writeFileSync(world.workspace.at('s.js'), script('evil'));
    assert.equal(await code(), 'definition_error');
  });

  it('S3.sandbox: a link out of the workspace is not what a program is given', async () => {
    world = makeWorld();
    symlinkSync('/etc/hostname', world.workspace.at('s.js'));
    await world.define({
      'm.capability.json': {
        id: 'm',
        tools: [{ ...open, name: 'go', handler: { type: 'process', command: process.execPath, args: ['s.js'] } }],
      },
    });
    assert.ok(
      world.problems().some((one) => one.startsWith('missing_module')),
      world.problems().join('\n'),
    );
    assert.notEqual(await code(), undefined);
  });

  it('S3.sandbox: arguments that are words, folders or come from input are not files', async () => {
    await start(
      { 'src/a.txt': '', 'b.txt': '' },
      { type: 'process', command: process.execPath, args: ['-p', '1', 'src', '${input.x}', 'nothing'] },
      {},
    );
    await world.define({
      'm.capability.json': {
        id: 'm',
        tools: [
          {
            ...open,
            name: 'go',
            parameters: { x: 'string' },
            handler: { type: 'process', command: process.execPath, args: ['-p', '1', 'src', '${input.x}', 'nothing'] },
          },
        ],
      },
    });
    assert.ok(!world.asked.at(-1)?.lines.some((line) => boundText(line, plainWords).startsWith('runs "')));
    assert.match(JSON.stringify(await world.call('m_go', { x: 'b.txt' })), /"stdout":"1/);
  });

  it('S3.sandbox: a program of the workspace does not stand in for one of PATH, by whatever way PATH leads there', async () => {
    world = makeWorld();
    const bin = world.workspace.at('bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'innocent'), shell('evil'), { mode: 0o755 });
    const link = path.join(world.workspace.outside, 'link');
    symlinkSync(bin, link);
    const cwd = { folder: world.workspace.files.folders()[0]!, path: '' };
    for (const entries of [bin, link, `${bin}/`, `${bin}/../bin`, '.', 'bin', './bin']) {
      const runner = createProgramRunner({ PATH: entries });
      await assert.rejects(
        runner.run({
          command: 'innocent',
          args: [],
          cwd,
          env: {},
          maxOutputBytes: 100,
          signal: new AbortController().signal,
        }),
        /is not installed/,
        entries,
      );
    }
    rmSync(link);
  });
});
