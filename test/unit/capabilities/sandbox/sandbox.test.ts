import { strict as assert } from 'node:assert';
import { sandbox } from '../../../../src/capabilities/sandbox/sandbox';
import { callTool, type CallOptions, fakePorts } from '../../../support/toolContext';
import { makeSandbox } from '../../../support/sandbox';
import { makeWorkspace } from '../../../support/workspace';

describe('the sandbox capability', () => {
  let engine: Awaited<ReturnType<typeof makeSandbox>>;
  before(async () => (engine = await makeSandbox()));
  after(() => engine.dispose());

  const call = async (input: unknown, options: CallOptions = {}): Promise<any> => {
    const result = await callTool(sandbox, 'execute_code', input, {
      ...options,
      ports: { ...fakePorts(options), sandbox: engine },
    });
    return result.ok ? result.outcome.payload : result.error.code;
  };
  const failure = async (input: unknown): Promise<string> => {
    const result = await callTool(sandbox, 'execute_code', input, { ports: { ...fakePorts({}), sandbox: engine } });
    return result.ok ? '' : result.error.message;
  };

  it('S3.sandbox: runs JavaScript and TypeScript and answers result and output', async () => {
    assert.deepEqual(await call({ code: 'console.log("hi"); [1, 2].map((x) => x * 2)' }), {
      result: [2, 4],
      output: 'hi\n',
    });
    assert.deepEqual(await call({ code: 'const x: number = 2; x ** 10', language: 'typescript' }), {
      result: 1024,
      output: '',
    });
    assert.deepEqual(await call({ code: 'const x: = 2', language: 'typescript' }), 'sandbox_error');
  });

  it('S3.sandbox: the value of a program that awaits at its top is that of its last expression, or of `return`', async () => {
    const results: Record<string, unknown> = {
      'await Promise.resolve(7)': 7,
      'const x = await Promise.resolve(5); x': 5,
      'const x = await Promise.resolve(5);\nconst y = x + 1;\ny * 2': 12,
      'await 1; Promise.resolve(3)': 3,
      'const x = await Promise.resolve(5); return x': 5,
      'let total = 0; for (const n of [1, 2]) total += await Promise.resolve(n); total': 3,
      'async function f() { return 4 } f()': 4,
      'await (async () => 5)()': 5,
      'const [x] = await [6]; x': 6,
      'var await = 3; await + 1': 4,
    };
    for (const [code, result] of Object.entries(results))
      assert.deepEqual(await call({ code }), { result, output: '' }, code);
    assert.deepEqual(await call({ code: 'const x: number = await Promise.resolve(5); x', language: 'typescript' }), {
      result: 5,
      output: '',
    });
    assert.equal(await call({ code: 'await Promise.reject(new Error("no"))' }), 'sandbox_error');
    assert.equal(await call({ code: 'await new Promise(() => {})' }), 'sandbox_error');
    const workspace = makeWorkspace();
    workspace.put({ 'a.txt': 'text' });
    const read = await call(
      { code: 'const text = await files.read("a.txt"); text.length', allow_files: true },
      { files: workspace.files },
    );
    assert.equal(read.result, 4);
    workspace.dispose();
  });

  it('a text within the code that looks like a module leaves it a program', async () => {
    for (const code of ['const s = `a\nexport b`; s.length', '/*\nimport x from "y"\n*/ 10'])
      assert.deepEqual(await call({ code }), { result: 10, output: '' }, code);
    assert.deepEqual(await call({ code: 'export const a = 1' }), { result: { a: 1 }, output: '' });
  });

  it('runs a program once, also where it fails as if it could not be read', async () => {
    const code = 'const f = () => { return 1 }; globalThis.n = (globalThis.n ?? 0) + 1; if (n < 2) JSON.parse("{"); n';
    assert.match(await failure({ code }), /SyntaxError: expecting property name/);
  });

  it('tells what JSON has no form for, as result and in the output', async () => {
    const results: Record<string, unknown> = {
      'new Map([["a", new Set([1])]])': [['a', [1]]],
      '[new TypeError("no"), 2n ** 64n]': ['TypeError: no', '18446744073709551616'],
    };
    for (const [code, result] of Object.entries(results)) {
      assert.deepEqual(await call({ code }), { result, output: '' }, code);
      assert.equal((await call({ code: `console.log(${code})` })).output, `${JSON.stringify(result)}\n`, code);
    }
    assert.equal((await call({ code: 'console.log("a\\0b", 1)' })).output, 'a\u2400b 1\n');
  });

  it('S3.sandbox: an error says which argument of the call would have helped', async () => {
    assert.match(await failure({ code: 'await files.read("a.txt")' }), /'files' is not defined.*`allow_files` to true/);
    assert.match(await failure({ code: 'require("fs")' }), /'require' is not defined.*no modules/);
    assert.match(await failure({ code: 'await fetch("https://example.com")' }), /'fetch' is not defined.*no network/);
    assert.match(await failure({ code: 'const x: number = 1; x' }), /SyntaxError.*set `language` to `typescript`/);
    assert.doesNotMatch(await failure({ code: 'const x: = 1', language: 'typescript' }), /set `language`/);
    assert.doesNotMatch(await failure({ code: 'toString.x.y' }), /;/);
  });

  it('keeps to timeout_ms and memory_mb', async () => {
    assert.equal(await call({ code: 'for (;;) {}', timeout_ms: 200 }), 'timeout');
    const greedy = 'const a = []; for (let i = 0; i < 300; i++) a.push(new Uint8Array(1e5)); a.length';
    assert.equal(await call({ code: greedy, memory_mb: 8, timeout_ms: 10_000 }), 'too_large');
    assert.deepEqual(await call({ code: greedy, memory_mb: 64, timeout_ms: 10_000 }), { result: 300, output: '' });
    assert.deepEqual(await call({ code: '1' }), { result: 1, output: '' });
  });

  it('S3.sandbox: reads and lists files only with allow_files, and only those that policy lets through', async () => {
    const workspace = makeWorkspace();
    workspace.put({ 'a.txt': 'text', '.env': 'SECRET' });
    const access: CallOptions['access'] = async ({ resource }) =>
      resource === '.env' ? { allowed: false, reason: 'secrets' } : { allowed: true };
    const options = { files: workspace.files, access };
    const code = `const out = []; for (const p of ['a.txt', '.env', '../outside']) try { out.push(await files.read(p)) } catch (e) { out.push(e.message) } return [out, (await files.list('/')).map((one) => one.name)]`;
    const [out, names] = (await call({ code, allow_files: true }, options)).result;
    assert.deepEqual(
      [out[0], /secrets/.test(out[1]), /outside the workspace/.test(out[2]), names],
      ['text', true, true, ['a.txt']],
    );
    assert.equal((await call({ code: 'typeof files' }, options)).result, 'undefined');
    workspace.dispose();
  });

  it('S3.sandbox: keeps its prompt and category', () => {
    assert.deepEqual(
      [sandbox.category, sandbox.systemPrompt],
      ['Execution', 'You can execute code in a sandboxed environment. Use the execute_code tool to run code safely.'],
    );
  });
});
