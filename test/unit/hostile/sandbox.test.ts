// @tier full: starts threads that it ends by force
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sandbox as capability } from '../../../src/capabilities/sandbox/sandbox';
import { math } from '../../../src/capabilities/math/math';
import { fileSystem } from '../../../src/capabilities/fileSystem/fileSystem';
import type { Disposable } from '../../../src/core/base/lifecycle';
import type { Json } from '../../../src/core/base/json';
import type { Sandbox } from '../../../src/core/ports/sandbox';
import { cases, full, runs } from '../../support/counts';
import { type DefinitionWorld, makeWorld } from '../../support/definitions';
import { makeSandbox } from '../../support/sandbox';
import { callTool, type CallOptions, fakePorts } from '../../support/toolContext';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';
import { skipBecause } from '../../support/skip';

const canary = 'CANARY-of-the-host-51c0';

/** Programs that try to get hold of the host; each answers ESCAPED where it did. */
const escapes: Readonly<Record<string, string>> = {
  'the constructor of a constructor':
    "[].constructor.constructor('return typeof process')() === 'object' ? 'ESCAPED' : 'no'",
  'the constructor of a host function':
    "files.read.constructor('return typeof require')() === 'function' ? 'ESCAPED' : 'no'",
  'the constructor of a promise of the host':
    "files.list('/').constructor.constructor('return typeof process')() === 'object' ? 'ESCAPED' : 'no'",
  'the constructor of an error of the host':
    "return files.read('/none').then(() => 'no', (e) => e.constructor.constructor('return typeof process')() === 'object' ? 'ESCAPED' : 'no')",
  'the stack of an error of the host':
    "return files.read('/none').then(() => 'no', (e) => /node:|\\.cjs|sandboxWorker/.test(e.stack + e.message) ? 'ESCAPED' : 'no')",
  'an async function constructor':
    "return (async () => {}).constructor('return typeof process')().then((t) => (t === 'object' ? 'ESCAPED' : 'no'))",
  'a generator constructor':
    "(function* () {}).constructor('yield typeof process')().next().value === 'object' ? 'ESCAPED' : 'no'",
  'import of a module': "import('node:fs').then(() => 'ESCAPED', () => 'no')",
  'import of a file': `import('/etc/passwd').then(() => 'ESCAPED', () => 'no')`,
  'import of a data address': "import('data:text/javascript,export default 1').then(() => 'ESCAPED', () => 'no')",
  'import with attributes': "import('/etc/passwd', { with: { type: 'json' } }).then(() => 'ESCAPED', () => 'no')",
  'the caller of a function': "(function f() { try { return f.caller ? 'ESCAPED' : 'no' } catch { return 'no' } })()",
  prepareStackTrace:
    "Error.prepareStackTrace = (_e, frames) => frames; const s = new Error('x').stack; Array.isArray(s) && s.some((f) => f.getThis && f.getThis()?.process) ? 'ESCAPED' : 'no'",
  'a poisoned Object.prototype':
    "Object.prototype.type = 'done'; Object.prototype.outcome = { value: 'ESCAPED' }; Object.prototype.hostFunctions = ['fetch']; typeof fetch === 'function' ? 'ESCAPED' : 'no'",
  'a replaced JSON': "JSON.parse = () => 'ESCAPED'; JSON.stringify = () => '\"ESCAPED\"'; 'no'",
  'a replaced Promise':
    "Promise.prototype.then = function (f) { f('ESCAPED'); return this }; Promise.resolve = () => 'ESCAPED'; 'no'",
  'a replaced Array.prototype.map': "Array.prototype.map = () => ['ESCAPED']; console.log('a'); 'no'",
  'a thenable as the result': "({ then(resolve) { resolve(typeof process === 'object' ? 'ESCAPED' : 'no') } })",
  'a proxy as the result':
    "new Proxy({}, { get: (_t, k) => { if (k === 'toJSON') return () => typeof process === 'object' ? 'ESCAPED' : 'no' }, ownKeys: () => ['toJSON'] })",
  'a getter on the result': "({ get a() { return typeof process === 'object' ? 'ESCAPED' : 'no' } })",
  'Symbol.species':
    "class P extends Promise { static get [Symbol.species]() { return function (f) { f(() => {}, () => {}); return { ESCAPED: typeof process === 'object' } } } } new P((r) => r(1)).then(() => 1).ESCAPED ? 'ESCAPED' : 'no'",
  'Symbol.toPrimitive as a path':
    "return files.read({ [Symbol.toPrimitive]: () => '/secret.txt' }).then((t) => 'ESCAPED' + t, () => 'no')",
  'an object with toString as a path':
    "return files.read({ toString: () => '/secret.txt' }).then(() => 'ESCAPED', () => 'no')",
  'toJSON as a path': "return files.read({ toJSON: () => ['x'] }).then(() => 'ESCAPED', () => 'no')",
  'an array as a path': "return files.read(['secret.txt']).then(() => 'ESCAPED', () => 'no')",
  'a host function that is not offered':
    "return Promise.resolve().then(() => files.write('a', 'b')).then(() => 'ESCAPED', () => 'no')",
  'a global of the engine':
    "['std', 'os', 'scriptArgs', '__loadScript', 'bjson', 'WebAssembly', 'Atomics2'].some((n) => n in globalThis) ? 'ESCAPED' : 'no'",
  'WeakRef and finalizers':
    "typeof FinalizationRegistry === 'function' && new FinalizationRegistry(() => {}).constructor.constructor('return typeof process')() === 'object' ? 'ESCAPED' : 'no'",
  'an iterator that never ends, given up':
    "const it = { [Symbol.iterator]: () => ({ next: () => ({ done: true, value: typeof process }) }) }; [...it].includes('object') ? 'ESCAPED' : 'no'",
  eval: "eval('typeof process') === 'object' || (0, eval)('typeof require') === 'function' ? 'ESCAPED' : 'no'",
  with: "new Function('with (globalThis) { return typeof process }')() === 'object' ? 'ESCAPED' : 'no'",
  'globalThis through this': "(function () { return typeof this?.process })() === 'object' ? 'ESCAPED' : 'no'",
  'code that closes the wrapper':
    "return 'no' })(); (async () => { globalThis.x = typeof process === 'object' ? 'ESCAPED' : 'no'; return globalThis.x",
};

/** Programs that want all time, memory or output, and how they end. */
const greedy: Readonly<Record<string, readonly [string, RegExp]>> = {
  'an endless loop': ['for (;;) {}', /timeout/],
  'an endless loop in a getter of the result': ['({ get a() { for (;;) {} } })', /timeout/],
  'an endless loop in toJSON': ['({ toJSON() { for (;;) {} } })', /timeout/],
  'an endless loop in a then': ['(async () => ({ then() { for (;;) {} } }))()', /timeout|sandbox_error/],
  'an endless chain of promises': ['(async () => { for (;;) await null })()', /timeout|sandbox_error/],
  // Whether time or memory runs out first is the machine's to say.
  'promises without end': ['const f = () => Promise.resolve().then(f); f()', /timeout|sandbox_error/],
  'a promise that nobody settles': ['new Promise(() => {})', /sandbox_error/],
  'an endless loop in an error message': [
    'throw Object.defineProperty(new Error(), "message", { get() { for (;;) {} } })',
    /timeout|sandbox_error/,
  ],
  'endless recursion': ['(function f() { f() })()', /sandbox_error/],
  'recursion through toString': ['const o = { toString() { return `${o}` } }; `${o}`', /sandbox_error/],
  'recursion through a proxy': ['const p = new Proxy({}, { get: (_t, k) => p[k] }); p.x', /sandbox_error/],
  'arrays without end': ['const a = []; for (;;) a.push(new Array(1e5).fill(1))', /too_large|timeout|sandbox_error/],
  'a doubled text': ["let s = 'x'; for (;;) s += s", /too_large|timeout|sandbox_error/],
  'buffers without end': ['const a = []; for (;;) a.push(new Uint8Array(1e6))', /too_large|timeout|sandbox_error/],
  'one enormous buffer': ['new ArrayBuffer(1e12).byteLength', /sandbox_error|too_large/],
  repeat: ["'x'.repeat(2 ** 29).length", /sandbox_error|too_large/],
  'a result of 100,000 characters': ["'x'.repeat(100000)", /too_large/],
  'a result that is very deep': [
    'let o = {}; for (let i = 0; i < 1e6; i++) o = { o }; o',
    /sandbox_error|too_large|timeout/,
  ],
  'a result that holds itself': ['const o = {}; o.o = o; o', /sandbox_error/],
  'a regular expression without end': ["/^(a+)+$/.test('a'.repeat(40) + 'b')", /timeout|sandbox_error/],
  'calls of the host without end': ["(async () => { for (;;) await files.list('/') })()", /sandbox_error|timeout/],
  '10,000 calls of the host at once': [
    "Promise.all(Array.from({ length: 10000 }, () => files.list('/')))",
    /sandbox_error|timeout/,
  ],
  'enormous arguments': ["files.read('../'.repeat(4e6))", /sandbox_error|too_large|timeout/],
  'a path of 5,000 characters': ["files.read('a/'.repeat(2500))", /sandbox_error/],
  'a sort that never agrees': [
    'const a = Array.from({ length: 5e6 }, (_v, i) => i); for (;;) a.sort(() => 1)',
    /timeout|too_large|sandbox_error/,
  ],
  'a large integer': ['let n = 2n; for (;;) n = n * n', /timeout|too_large|sandbox_error/],
};

describe('S3.sandbox: code in the sandbox gets hold of nothing', () => {
  let engine: Sandbox & Disposable;
  let workspace: TestWorkspace;
  before(async () => {
    engine = await makeSandbox();
    workspace = makeWorkspace();
    workspace.put({ 'open.txt': 'open', 'secret.txt': canary, 'private/a.txt': canary });
    symlinkSync('secret.txt', workspace.at('link.txt'));
    symlinkSync('open.txt', workspace.at('denied-name.txt'));
    writeFileSync(path.join(workspace.outside, 'x.txt'), canary);
    symlinkSync(path.join(workspace.outside, 'x.txt'), workspace.at('out.txt'));
    symlinkSync(workspace.outside, workspace.at('outside'));
  });
  after(() => {
    engine.dispose();
    workspace.dispose();
  });
  const call = async (code: string, input: Record<string, Json> = {}, options: CallOptions = {}): Promise<any> => {
    const ports = { ...fakePorts({ files: workspace.files }), sandbox: engine };
    const result = await callTool(
      capability,
      'execute_code',
      { code, allow_files: true, timeout_ms: 2000, ...input },
      {
        access: async ({ resource }) =>
          /secret|private|denied/.test(resource) ? { allowed: false, reason: 'it is secret' } : { allowed: true },
        ...options,
        ports,
      },
    );
    return result.ok ? result.outcome.payload : result.error;
  };
  const works = async (): Promise<void> => assert.deepEqual((await call('[1, 2].map((x) => x + 1)')).result, [2, 3]);

  for (const [what, code] of Object.entries(escapes))
    it(`by ${what}`, async () => {
      const answer = await call(code);
      assert.ok(!JSON.stringify(answer).includes('ESCAPED') || /replaced/.test(what), JSON.stringify(answer));
      assert.ok(!JSON.stringify(answer).includes(canary), JSON.stringify(answer));
      await works();
    });

  for (const [what, [code, expected]] of cases(Object.entries(greedy), 4))
    it(`and ends: ${what}`, async () => {
      // What ends by itself has time for it on a busy machine too.
      const timeout = expected.source.includes('timeout') ? 250 : 10_000;
      const answer = await call(code, { timeout_ms: timeout, memory_mb: 16 });
      assert.match(answer.code ?? `no error: ${JSON.stringify(answer).slice(0, 200)}`, expected);
      await works();
    }).timeout(60_000);

  it('cuts what is printed without end', async () => {
    const answer = await call("for (let i = 0; i < 1e4; i++) console.log('x'.repeat(100)); 1", { timeout_ms: 10_000 });
    assert.deepEqual([answer.result, answer.truncated, answer.output.length <= 20_000], [1, true, true]);
  });

  describe('beyond what the gate lets it', () => {
    for (const name of [
      'secret.txt',
      '/secret.txt',
      './private/../secret.txt',
      'link.txt',
      'denied-name.txt',
      'private/a.txt',
      'out.txt',
      'outside/x.txt',
      '../outside/x.txt',
      '/../outside/x.txt',
      '../../../../../../../../etc/passwd',
      '/etc/passwd',
      'file:///etc/passwd',
      '/proc/self/environ',
      'open.txt/../secret.txt',
      'open.txt\0secret.txt',
      '',
      '~/.ssh/id_rsa',
    ])
      it(`as the path ${JSON.stringify(name)}`, async () => {
        const said = JSON.stringify(
          await call(
            `const out = []; for (const f of [files.read, files.list]) try { out.push(await f(${JSON.stringify(name)})) } catch (e) { out.push(e.message) } return out`,
          ),
        );
        assert.ok(!said.includes(canary) && !/root:|PATH=/.test(said) && !said.includes('"open"'), said);
      });

    it('reads what it may, and nothing at all without allow_files', async () => {
      assert.equal((await call("return files.read('open.txt')")).result, 'open');
      assert.equal((await call('typeof files', { allow_files: false })).result, 'undefined');
    });

    it('judges a link by its own name and by where it leads', async () => {
      const judged: string[] = [];
      await call(
        "return files.read('link.txt')",
        {},
        { access: async ({ resource }) => (judged.push(resource), { allowed: true }) },
      );
      assert.deepEqual(judged, ['link.txt', 'secret.txt']);
    });

    it('has at most four calls of the host answered at a time', async () => {
      let [now, most] = [0, 0];
      const access: CallOptions['access'] = async () => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setImmediate(resolve));
        now--;
        return { allowed: true };
      };
      const answer = await call(
        "return (await Promise.all(Array.from({ length: 60 }, () => files.read('open.txt')))).length",
        {},
        { access },
      );
      assert.equal(answer.result, 60);
      assert.ok(most <= 4, String(most));
    });
  });

  it(`leaves nothing behind for the program after it (${runs(8, 150, 300)})`, async function () {
    this.timeout(600_000);
    const target = fc.constantFrom(
      'globalThis',
      'Object.prototype',
      'Array.prototype',
      'Promise.prototype',
      'JSON',
      'Function.prototype',
      'Error',
      'String.prototype',
    );
    const key = fc.constantFrom(
      'left',
      'then',
      'map',
      'join',
      'stringify',
      'toJSON',
      'parse',
      'call',
      'constructor',
      'type',
    );
    const value = fc.constantFrom(
      "'ESCAPED'",
      "() => 'ESCAPED'",
      "function () { return 'ESCAPED' }",
      '{ get: () => 1 }',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(target, key, value), { minLength: 1, maxLength: 4 }), async (all) => {
        await call(
          all.map(([where, name, what]) => `try { ${where}[${JSON.stringify(name)}] = ${what} } catch {}`).join(';'),
        );
        const answer = await call(
          "console.log(typeof left, [1].map(String).join(), JSON.stringify({ a: 1 })); return files.read('open.txt')",
        );
        assert.deepEqual(answer, { result: 'open', output: 'undefined 1 {"a":1}\n' });
      }),
      { numRuns: runs(8, 150, 300) },
    );
  });
});

describe('S3.sandbox S0.handler-module: a module gets hold of no more than it declares', () => {
  let world: DefinitionWorld;
  let engine: Sandbox & Disposable;
  before(async function () {
    this.timeout(60_000);
    engine = await makeSandbox();
    world = makeWorld({ capabilities: [math, fileSystem, capability], ports: { sandbox: engine } });
    world.workspace.put({ 'a.txt': 'a', 'secret.txt': canary });
    const open = {
      description: 'Does it.',
      permissions: { agent: 'allowed', user: 'allowed' },
      parameters: { code: 'string' },
    };
    await world.define({
      't.capability.json': {
        id: 't',
        name: 'T',
        tools: [
          { ...open, name: 'none', handler: { type: 'module', file: './h.js' } },
          { ...open, name: 'reads', handler: { type: 'module', file: './h.js', ports: { files: 'read' } } },
          { ...open, name: 'calls', handler: { type: 'module', file: './h.js', ports: { tools: ['add'] } } },
          {
            ...open,
            name: 'again',
            handler: { type: 'module', file: './h.js', timeout: 60_000, ports: { tools: ['t_again'] } },
          },
        ],
      },
      'h.js':
        "export default async (input, context) => { try { return await new Function('context', 'input', 'return (async () => {' + input.code + '})()')(context, input) } catch (e) { return 'refused: ' + e.message } }",
    });
    world.secrets.values.set('MINE', canary);
  });
  after(() => {
    world.dispose();
    engine.dispose();
  });

  for (const [tool, code, expected] of [
    [
      't_none',
      'return [typeof context.files, typeof context.tools, typeof context.secrets, typeof fetch].join()',
      'undefined,undefined,undefined,undefined',
    ],
    ['t_none', "return context.files.read('secret.txt')", /^refused/],
    ['t_none', "return context.constructor.constructor('return typeof process')()", 'undefined'],
    ['t_none', 'return context.config.__proto__ === Object.prototype', true],
    ['t_reads', "return context.files.read('a.txt')", 'a'],
    ['t_reads', "return context.files.write('a.txt', 'x')", /^refused/],
    ['t_reads', "return context.files.read.call({ name: 'files.write' }, 'a.txt', 'x')", 'a'],
    ['t_reads', "return context.files.read('../outside/x')", /^refused/],
    ['t_reads', "return context.secrets.get('MINE')", /^refused/],
    ['t_reads', "return fetch('http://127.0.0.1/')", /^refused/],
    ['t_calls', "return (await context.tools.call('add', { a: 1, b: 2 })).result ?? 3", 3],
    ['t_calls', "return context.tools.call('read_file', { path: 'a.txt' })", /^refused.*does not declare/],
    [
      't_calls',
      "return context.tools.call('cap:file_system:read_file', { path: 'a.txt' })",
      /^refused.*does not declare/,
    ],
    ['t_calls', "return context.tools.call('execute_code', { code: '1' })", /^refused.*does not declare/],
    ['t_calls', "return context.tools.call({ toString: () => 'add' }, {})", /^refused/],
    ['t_calls', "return context.tools.call(['add'], {})", /^refused/],
    ['t_calls', "return context.tools.call('add\\u0000', {})", /^refused/],
    ['t_calls', "return context.tools.call('ADD', {})", /^refused/],
    ['t_calls', "return context.tools.call('t_calls', { code: 'return 1' })", /^refused.*does not declare/],
  ] as const)
    it(`${tool}: ${code}`, async () => {
      const answer = await world.call(tool, { code });
      if (expected instanceof RegExp) assert.match(String(answer), expected);
      else assert.equal(answer, expected);
      assert.ok(!JSON.stringify(answer).includes(canary));
      assert.equal(readFileSync(world.workspace.at('a.txt'), 'utf8'), 'a');
    });

  it('calls itself through others until too many programs run, and not further', async function () {
    if (!full) skipBecause(this, 'left to the whole run');
    const answer = await world.call('t_again', {
      code: 'const inner = await context.tools.call("t_again", { code: input.code }); return inner',
    });
    assert.match(JSON.stringify(answer), /programs run in the sandbox already|did not finish|timeout/);
    assert.equal(await world.call('t_reads', { code: "return context.files.read('a.txt')" }), 'a');
  }).timeout(120_000);
});
