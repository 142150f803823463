// @tier full: starts threads that it ends by force
import { strict as assert } from 'node:assert';
import type { Json } from '../../../../src/core/base/json';
import { isToolError } from '../../../../src/core/vocabulary/errors';
import type { SandboxHost, SandboxOutcome, SandboxProgram } from '../../../../src/core/ports/sandbox';
import { full } from '../../../support/counts';
import { usedMs } from '../../../support/processorTime';
import { makeSandbox } from '../../../support/sandbox';
import { escapeAttempts } from './escapes';

describe('the sandbox', () => {
  let sandbox: Awaited<ReturnType<typeof makeSandbox>>;
  before(async () => {
    sandbox = await makeSandbox();
  });
  after(() => sandbox.dispose());

  const noHost: SandboxHost = async () => {
    throw new Error('there is no host');
  };
  const run = (code: string, more: Partial<SandboxProgram> = {}, limits = {}, host = noHost): Promise<SandboxOutcome> =>
    sandbox.run(
      { code, fileName: 'test.js', language: 'javascript', hostFunctions: [], ...more },
      { timeoutMs: 20_000, memoryMb: 16, maxOutput: 100_000, ...limits },
      host,
      new AbortController().signal,
    );
  const failure = async (promise: Promise<unknown>): Promise<string> => {
    try {
      await promise;
    } catch (error) {
      if (isToolError(error)) return `${error.data.code}: ${error.message}`;
      throw error;
    }
    return 'no error';
  };
  const call = (args: Json[] = [null], exportName = 'default', context: Json = {}) => ({
    call: { args, exportName, context },
  });

  it('S3.sandbox: answers the value of the last expression, the output of console, promises and TypeScript', async () => {
    assert.deepEqual(await run('console.log("a", {b: 1}); 6 * 7'), {
      value: 42,
      output: 'a {"b":1}\n',
      outputCut: false,
    });
    assert.equal((await run('await Promise.resolve(1) + 1; return 5')).value, 5);
    assert.equal((await run('Promise.resolve([1, {a: null}]).then((x) => x[0])')).value, 1);
    assert.equal(
      (
        await run(
          'const add = (a: number, b: number): number => a + b; interface X { y: string }; add(1, 2) as number',
          {
            language: 'typescript',
          },
        )
      ).value,
      3,
    );
    assert.equal((await run('undefined')).value, undefined);
    assert.equal((await run('10n ** 20n')).value, '100000000000000000000');
  });

  it('S0.handler-module: calls the default export of an ES module and of a CommonJS module with input and context', async () => {
    const input = [{ location: 'Paris' }];
    const context = { user: { id: 'u' } };
    const esm =
      'export default async function (params, context) { return { temperature: 20, at: params.location, user: context.user.id }; }';
    const common =
      'module.exports = async (params, context) => ({ temperature: 20, at: params.location, user: context.user.id })';
    const named =
      'exports.handler = (params, context) => ({ temperature: 20, at: params.location, user: context.user.id })';
    const typed =
      'export default (params: { location: string }, context: any): object => ({ temperature: 20, at: params.location, user: context.user.id })';
    const textual = `const help = \`\nexport x\`;\n${common}`;
    for (const code of [esm, common, named, textual])
      assert.deepEqual((await run(code, call(input, 'default', context))).value, {
        temperature: 20,
        at: 'Paris',
        user: 'u',
      });
    assert.deepEqual(
      (await run(typed, { ...call(input, 'default', context), language: 'typescript', fileName: 'w.ts' })).value,
      {
        temperature: 20,
        at: 'Paris',
        user: 'u',
      },
    );
    assert.equal((await run('export const forecast = () => 3', call([null], 'forecast'))).value, 3);
    assert.match(
      await failure(run('export const other = 1', call())),
      /^sandbox_error: `test.js` has no function `default`/,
    );
    // A model that wrote the code is told the place; of a module only whoever wrote it is.
    assert.match(await failure(run("JSON.parse('{')")), /test\.js:1:/);
    const inModule = await run("export default () => JSON.parse('{')", call()).catch((error: unknown) => error);
    assert.ok(isToolError(inModule));
    assert.doesNotMatch(inModule.message, /test\.js/);
    assert.match(String(inModule.data.details?.['place']), /test\.js:1:/);
  });

  it('passes calls of declared host functions out and their answers and errors back', async () => {
    const seen: unknown[] = [];
    const host: SandboxHost = async (name, args) => {
      seen.push([name, args]);
      if (name === 'files.read') throw new TypeError('denied by boundary "no-secrets"');
      return { status: 200, headers: { 'content-type': 'application/json' }, body: '{"a":1}', url: 'x' };
    };
    const code = `export default async (input, context) => {
      const answer = await fetch('https://example.com/', { method: 'POST' });
      let error = ''; try { await context.files.read('.env') } catch (e) { error = e.message }
      return [answer.ok, answer.status, answer.headers.get('Content-Type'), (await answer.json()).a, error, typeof context.secrets];
    }`;
    const { value } = await run(code, { ...call(), hostFunctions: ['fetch', 'files.read'] }, {}, host);
    assert.deepEqual(value, [true, 200, 'application/json', 1, 'denied by boundary "no-secrets"', 'undefined']);
    assert.deepEqual(seen, [
      ['fetch', ['https://example.com/', { method: 'POST' }]],
      ['files.read', ['.env']],
    ]);
  });

  it('ends what does not end by itself at its limit, and the next run works', async () => {
    const hanging: [string, RegExp][] = [
      ['while (true) {}', /^timeout/],
      ['for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }', /^timeout/],
      // Each turn keeps the one before alive, so memory may end first.
      ['const f = () => Promise.resolve().then(f); f()', /^(timeout|too_large|sandbox_error)/],
      ['(async () => { for (;;) await null })()', /^timeout/],
      ['new Promise(() => {})', /^sandbox_error: the code waits for a promise/],
      [`/^(a+)+$/.test('${'a'.repeat(40)}b')`, /^(timeout|sandbox_error)/],
      ['[].indexOf.call({ length: 2 ** 53 - 1 }, 0)', /^timeout/],
    ];
    for (const [code, expected] of hanging) {
      const at = usedMs();
      // What ends by itself has time for it on a busy machine too.
      const timeoutMs = expected.source.includes('timeout') ? 300 : 15_000;
      assert.match(await failure(run(code, {}, { timeoutMs })), expected, code);
      assert.ok(usedMs() - at < 4000, code);
      assert.equal((await run('1 + 1')).value, 2);
    }
    // Nothing within one long step of the interpreter asks for the time; its thread is ended soon after.
    const at = usedMs();
    assert.match(await failure(run("new Array(2 ** 32 - 1).join('abc')", {}, { timeoutMs: 300 })), /^timeout/);
    assert.ok(usedMs() - at < 4000);
    // A chain that the limit cuts off does not look as if it waited for somebody.
    const chain = 'const f = () => Promise.resolve().then(f); f()';
    assert.match(await failure(run(chain, {}, { timeoutMs: 300, memoryMb: 128 })), /^timeout/);
  });

  it('ends what takes too much memory, output or stack with a typed error', async () => {
    const greedy: [string, RegExp][] = [
      ['const a = []; for (;;) a.push(new Uint8Array(100000))', /→ too_large/],
      ["const a = []; for (;;) a.push('x'.repeat(100000) + a.length)", /→ too_large/],
      ["let s = 'x'; for (;;) s += s", /→ (too_large|sandbox_error)/],
      ['new ArrayBuffer(2 ** 31 - 1)', /→ (too_large|sandbox_error)/],
      ['const f = () => f() + 1; f()', /→ sandbox_error.*(stack|recursion)/i],
      ["'x'.repeat(200000)", /→ too_large/],
      ['const a = {}; a.a = a; a', /→ sandbox_error.*circular/i],
      ['() => 1', /→ sandbox_error.*function/],
      ['throw { toString() { throw 1 } }', /→ sandbox_error/],
      ['throw null', /→ sandbox_error/],
    ];
    for (const [code, expected] of greedy) {
      assert.match(`${code} → ${await failure(run(code, {}, { timeoutMs: 30_000 }))}`, expected);
      assert.equal((await run('1 + 1')).value, 2);
    }
    assert.deepEqual(
      await run("for (let i = 0; i < 1e4; i++) console.log('x'.repeat(100)); 1").then((one) => [
        one.value,
        one.output.length,
        one.outputCut,
      ]),
      [1, 100_000, true],
    );
  });

  it('lets none of 100 attempts reach the host', async () => {
    assert.ok(escapeAttempts.length >= 100);
    for (const code of full ? escapeAttempts : escapeAttempts.filter((_one, index) => index % 3 === 0)) {
      let outcome: unknown;
      try {
        outcome = (await run(code, { hostFunctions: [] }, { timeoutMs: 500 })).value;
      } catch (error) {
        if (!isToolError(error)) throw error;
        outcome = error.data.code;
      }
      assert.ok(!/ESCAPED/.test(JSON.stringify(outcome) ?? ''), `${code} → ${JSON.stringify(outcome)}`);
    }
    assert.equal((await run('1 + 1')).value, 2);
  });

  it('is cancelled by its signal', async () => {
    const controller = new AbortController();
    const running = sandbox.run(
      { code: 'while (true) {}', fileName: 'x.js', language: 'javascript', hostFunctions: [] },
      { timeoutMs: 60_000, memoryMb: 16, maxOutput: 1000 },
      noHost,
      controller.signal,
    );
    setTimeout(() => controller.abort(), 50);
    assert.match(await failure(running), /^cancelled/);
  });
});
