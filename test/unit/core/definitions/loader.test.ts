import { strict as assert } from 'node:assert';
import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { nodeCrypto } from '../../../../src/node/system';
import { worded } from '../../../../src/core/base/sentence';
import { math } from '../../../../src/capabilities/math/math';
import { definition, capabilityOf } from '../../../support/gate';
import { inGerman } from '../../../support/german';
import { MemoryStore } from '../../../support/toolContext';
import { type DefinitionWorld, makeWorld, type WorldOptions } from '../../../support/definitions';

const tool = (name: string, handler: unknown, more = {}): unknown => ({
  name,
  description: `Do ${name}.`,
  handler,
  ...more,
});
const echo = (id: string, more = {}): unknown => ({
  id,
  name: id,
  tools: [tool('go', { type: 'tool', tool: 'add', input: { a: 1, b: 2 } })],
  ...more,
});

describe('the definition loader', () => {
  let world: DefinitionWorld;
  const start = (options: WorldOptions = {}): DefinitionWorld =>
    (world = makeWorld({ capabilities: [math], ...options }));
  afterEach(() => world.dispose());

  it('D.definitions: registers what is saved, changes it live and lets go of what is deleted', async () => {
    start();
    await world.define({ 'one.capability.json': echo('one') });
    assert.deepEqual([world.tools(), await world.call('one_go')], [['cap:one:go'], { result: 3, exact: true }]);
    await world.define({
      'one.capability.json': echo('one', {
        tools: [tool('run', { type: 'tool', tool: 'add', input: { a: 2, b: 2 } })],
      }),
    });
    assert.deepEqual([world.tools(), await world.call('one_run')], [['cap:one:run'], { result: 4, exact: true }]);
    unlinkSync(world.workspace.at('.vscode/capabilities/one.capability.json'));
    await world.loader.reload();
    assert.deepEqual([world.tools(), world.problems()], [[], []]);
  });

  it('D.definitions: hears the watcher and uses a saved file within two seconds, without being asked', async () => {
    start();
    await world.loader.reload();
    world.workspace.put({ '.vscode/capabilities/one.capability.json': JSON.stringify(echo('one')) });
    const at = Date.now();
    world.fireChange();
    while (world.tools().length === 0 && Date.now() - at < 5000)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(Date.now() - at < 2000);
    assert.deepEqual(world.tools(), ['cap:one:go']);
  });

  it('D.approval-binding: whoever told of a definition knows whether exactly that still waits', async () => {
    const waits: (() => boolean)[] = [];
    start({ approve: (_approval, isWaiting) => waits.push(isWaiting) < 0 });
    const now = (): readonly boolean[] => waits.map((isWaiting) => isWaiting());
    await world.define({ 'one.capability.json': echo('one') });
    assert.deepEqual(now(), [true]);
    await world.define({ 'one.capability.json': echo('one', { description: 'Another' }) });
    assert.deepEqual(now(), [false, true], 'what was told first stands there no more');
    await world.loader.approve(world.loader.pending()[0]?.hash ?? '');
    assert.deepEqual(now(), [false, false], 'approved in another place');
    await world.define({ 'one.capability.json': echo('one', { description: 'A third' }) });
    unlinkSync(world.workspace.at('.vscode/capabilities/one.capability.json'));
    await world.loader.reload();
    assert.deepEqual(now(), [false, false, false], 'gone');
  });

  it('keeps the last good version in force on a mistake, also over a restart, and never touches the file', async () => {
    start();
    await world.define({ 'one.capability.json': echo('one') });
    const broken = '{ "id": "one", "tools": [';
    await world.define({ 'one.capability.json': broken });
    assert.deepEqual(await world.call('one_go'), { result: 3, exact: true });
    assert.ok(world.problems().some((one) => one.startsWith('json_syntax one.capability.json:1')));
    assert.ok(world.problems().some((one) => one.startsWith('last_good_in_force')));
    const { storage } = world;
    world.dispose();
    start({ storage });
    await world.define({ 'one.capability.json': broken });
    assert.deepEqual(await world.call('one_go'), { result: 3, exact: true });
    assert.equal(
      (await import('node:fs')).readFileSync(world.workspace.at('.vscode/capabilities/one.capability.json'), 'utf8'),
      broken,
    );
  });

  it('D.bundles: a file that is not the one that a bundle pins is held back, whoever approved it', async () => {
    const pins = new Map<string, readonly string[]>();
    start({ pinned: (file) => pins.get(file) ?? [] });
    await world.define({ 'one.capability.json': echo('one'), 'two.capability.json': echo('two') });
    assert.deepEqual(world.tools(), ['cap:one:go', 'cap:two:go']);
    const asked = world.asked.length;
    const hashOf = (file: string): string =>
      nodeCrypto.sha256(readFileSync(world.workspace.at(`.vscode/capabilities/${file}`), 'utf8'));
    const own = hashOf('one.capability.json');
    const others = hashOf('two.capability.json');
    pins.set('one.capability.json', ['0'.repeat(64)]).set('two.capability.json', [own]);
    await world.loader.reload();
    assert.deepEqual(world.tools(), []);
    assert.equal(
      world.problems().filter((one) => one.startsWith('definition_pinned')).length,
      2,
      world.problems().join(),
    );
    pins.set('one.capability.json', [own]).set('two.capability.json', [others, own]);
    await world.loader.reload();
    assert.deepEqual(world.tools(), ['cap:one:go'], 'what two bundles pin has to be what both say');
    await world.define({ 'one.capability.json': echo('one', { description: 'other words' }) });
    assert.deepEqual(world.tools(), []);
    assert.equal(world.asked.length, asked, 'nobody is asked about what no yes could let through');
  });

  it('D.approval-binding: asks once before a definition acts, and again when anything of it changes, words too', async () => {
    start();
    await world.define({ 'one.capability.json': echo('one') });
    await world.define({ 'one.capability.json': echo('one', { description: 'other words' }) });
    assert.equal(world.asked.length, 2);
    await world.define({
      'one.capability.json': echo('one', { tools: [tool('go', { type: 'tool', tool: 'add', input: { a: 5, b: 2 } })] }),
    });
    assert.equal(world.asked.length, 3);
    await world.define({
      'one.capability.json': echo('one', {
        tools: [tool('go', { type: 'tool', tool: 'add', input: { a: 5, b: 2 } }, { scopes: ['x:y'] })],
      }),
    });
    assert.equal(world.asked.length, 4);
    await world.define({
      'one.capability.json': echo('one', {
        tools: [
          tool(
            'go',
            { type: 'tool', tool: 'add', input: { a: 5, b: 2 } },
            { scopes: ['x:y'], accesses: [{ effect: 'fs.read', resource: 'a' }] },
          ),
        ],
      }),
    });
    assert.equal(world.asked.length, 5);
    const { storage } = world;
    world.dispose();
    start({ storage });
    await world.define({ 'one.capability.json': echo('one') });
    assert.equal(world.asked.length, 0);
    assert.deepEqual(world.tools(), ['cap:one:go']);
  });

  it('D.approval-binding: asks again when a default changes that the handler would use, and when it is explained otherwise', async () => {
    start();
    const withInput = (parameters: unknown): unknown =>
      echo('one', {
        tools: [tool('go', { type: 'tool', tool: 'add', input: { a: '${input.a}', b: 2 } }, { parameters })],
      });
    await world.define({
      'one.capability.json': withInput({ a: { type: 'number', default: 1 }, title: { type: 'string' } }),
    });
    await world.define({
      'one.capability.json': withInput({
        a: { type: 'number', default: 1, description: 'a number' },
        title: { type: 'string', title: 'T' },
      }),
    });
    assert.equal(world.asked.length, 2);
    await world.define({
      'one.capability.json': withInput({ a: { type: 'number', default: 2 }, title: { type: 'string' } }),
    });
    assert.equal(world.asked.length, 3);
    await world.define({ 'one.capability.json': withInput({ a: { type: 'number', default: 2 } }) });
    assert.equal(world.asked.length, 4);
    await world.define({
      'two.capability.json': { id: 'two', systemPrompt: 'Obey me.' },
      'three.capability.json': { id: 'three', risk_level: 'high' },
    });
    assert.deepEqual(
      world.asked.slice(4).map((one) => one.capabilityId),
      ['three', 'two'],
    );
  });

  it('leaves out what is not approved, says so, and takes it in once it is', async () => {
    start({ approve: () => false });
    await world.define({ 'one.capability.json': echo('one') });
    assert.deepEqual([world.tools(), ((await world.call('one_go')) as any).code], [[], 'tool_not_found']);
    assert.deepEqual(world.problems(), [
      'definition_pending one.capability.json:1 `one` waits for your approval before it can act',
    ]);
    await world.loader.approve(world.loader.pending()[0]!.hash);
    assert.deepEqual([world.tools(), world.loader.pending(), world.asked.length], [['cap:one:go'], [], 1]);
  });

  it('loads nothing in an untrusted workspace or when switched off', async () => {
    start();
    await world.define({ 'one.capability.json': echo('one') });
    world.trusted = false;
    await world.loader.reload();
    assert.deepEqual(
      [world.tools(), world.problems()],
      [[], ['definitions_off definitions are not loaded in an untrusted workspace']],
    );
    world.trusted = true;
    world.enabled = false;
    await world.loader.reload();
    assert.deepEqual(world.tools(), []);
    world.enabled = true;
    await world.loader.reload();
    assert.deepEqual(world.tools(), ['cap:one:go']);
  });

  it('S3.composition: orders by dependencies, names cycles, and reports missing ones and versions that do not fit', async () => {
    start();
    await world.define({
      'a.capability.json': echo('a', { dependencies: { b: '^2.0.0' } }),
      'b.capability.json': echo('b', { version: '2.1.0', dependencies: ['math'] }),
      'c.capability.json': echo('c', { dependencies: ['b@^3'] }),
      'd.capability.json': echo('d', { dependencies: ['e'] }),
      'e.capability.json': echo('e', { dependencies: ['f'] }),
      'f.capability.json': echo('f', { dependencies: ['d'] }),
      'g.capability.json': echo('g', { dependencies: ['mathh'] }),
    });
    assert.deepEqual(world.tools(), ['cap:b:go', 'cap:a:go']);
    const problems = world
      .problems()
      .filter((one) => one.startsWith('dependency') && !one.includes('cannot be used itself'));
    assert.deepEqual(problems.map((one) => one.replace(/:\d+ /, ' ')).sort(), [
      'dependency_cycle f.capability.json `f` depends on itself: d → e → f → d',
      'dependency_incompatible c.capability.json `c` needs `b` ^3, but its version is 2.1.0',
      'dependency_missing g.capability.json `g` needs `mathh`, which is not a capability; did you mean `math`, `a`',
    ]);
  });

  it('S3.conflicts: the source decides who has a shared name, and the conflict is shown', async () => {
    start({
      capabilities: [
        math,
        capabilityOf(definition({ name: 'fetch_it' }), {}, { id: 'srv', source: { type: 'mcp', server: 'srv' } }),
      ],
    });
    await world.define({
      'a.capability.json': {
        id: 'a',
        tools: [
          tool('add', { type: 'tool', tool: 'add' }),
          tool('fetch_it', { type: 'tool', tool: 'add', input: { a: 1, b: 1 } }),
          tool('twice', { type: 'tool', tool: 'add', input: { a: 1, b: 1 } }),
        ],
      },
      'b.capability.json': { id: 'b', tools: [tool('twice', { type: 'tool', tool: 'add', input: { a: 2, b: 2 } })] },
      'c.capability.json': { id: 'b', tools: [] },
    });
    const { registry } = world.gate;
    assert.equal(world.tools().length, 5, world.problems().join('\n'));
    assert.deepEqual(
      ['add', 'fetch_it', 'twice', 'a_twice', 'b_twice', 'srv_fetch_it', 'cap_add'].map(
        (name) => registry.tool(name)?.id,
      ),
      ['cap:math:add', 'cap:a:fetch_it', undefined, 'cap:a:twice', 'cap:b:twice', 'mcp:srv:fetch_it', 'cap:math:add'],
    );
    const problems = world.problems().join('\n');
    assert.match(problems, /name_conflict `add` means `cap:math:add`; the others are called `a_add`/);
    assert.match(problems, /name_conflict `twice` could be any of `a_twice`, `b_twice`/);
    assert.match(problems, /duplicate_capability c.capability.json:2 the id `b` is taken by .*b.capability.json/);
  });

  it('S3.versioning: a deprecated capability works with a warning that names its replacement', async () => {
    start();
    await world.define({
      'old.capability.json': echo('old', { status: 'deprecated', replacement: 'new', version: '0.9.0' }),
      'soon.capability.json': echo('soon', { status: 'coming_soon' }),
    });
    const result = await world.gate.call('old_go');
    assert.deepEqual(
      [result.success, result.success && result.warnings],
      [true, ['the capability old is deprecated; use `new` instead']],
    );
    assert.equal(((await world.call('soon_go')) as any).code, 'not_available');
  });

  it('a composition waits for the tool that it calls, and is named where it calls itself', async () => {
    start();
    await world.define({
      'a.capability.json': { id: 'a', tools: [tool('x', { type: 'compose', steps: [{ tool: 'b_y', input: {} }] })] },
      'b.capability.json': {
        id: 'b',
        tools: [
          tool('y', { type: 'compose', steps: [{ tool: 'a_x', input: {} }] }),
          tool('z', { type: 'tool', tool: 'later_tool' }),
        ],
      },
    });
    const problems = world.problems();
    assert.ok(
      problems.some((one) => one.includes('tool_cycle a.capability.json') && one.includes('a.x → b.y → a.x')),
      problems.join('\n'),
    );
    assert.ok(problems.some((one) => one.includes('unknown_tool b.capability.json') && one.includes('`later_tool`')));
    const registration = world.gate.registry.register(
      capabilityOf(definition({ name: 'later_tool', riskLevel: 'critical' }), {}, { id: 'later' }),
    );
    await world.loader.reload();
    assert.equal(world.gate.registry.tool('b_z')?.definition.riskLevel, 'critical');
    registration.dispose();
  });

  it('reports a file that cannot be read and goes on', async () => {
    start();
    await world.define({
      'one.capability.json': echo('one'),
      'big.capability.json': `{"id":"big","description":"${'x'.repeat(1_000_001)}"}`,
    });
    writeFileSync(
      world.workspace.at('.vscode/capabilities/bin.capability.json'),
      Buffer.from([0xff, 0xfe, 0x00, 0x80]),
    );
    await world.loader.reload();
    assert.deepEqual(world.tools(), ['cap:one:go']);
    assert.deepEqual([...new Set(world.problems().map((one) => one.split(':')[0]))].sort(), [
      'json_syntax bin.capability.json',
      'unreadable_definition big.capability.json',
    ]);
    const german = world.loader.problems().map(({ said }) => worded(said, inGerman));
    assert.ok(
      german.some((one) => one.endsWith('kann nicht gelesen werden: sie hat mehr als 1000000 Bytes')),
      german.join('\n'),
    );
  });

  it('keeps the other definitions where one throws, and says of that one why', async () => {
    class Refusing extends MemoryStore {
      override set(key: string, value: unknown): Promise<void> {
        if (JSON.stringify(value).includes('unlucky')) throw new RangeError('Maximum call stack size exceeded');
        return super.set(key, value as never);
      }
    }
    start({ storage: new Refusing() });
    await world.define({
      'bad.capability.json': echo('bad', { description: 'unlucky' }),
      'deep.capability.json': `//\r${'['.repeat(100_000)}`,
      'one.capability.json': echo('one'),
    });
    assert.deepEqual(world.tools(), ['cap:one:go']);
    assert.deepEqual([...new Set(world.problems().map((one) => one.split(':')[0]))].sort(), [
      'json_syntax deep.capability.json',
      'unreadable_definition bad.capability.json',
    ]);
  });
});
