// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Json } from '../../../../src/core/base/json';
import { full } from '../../../support/counts';
import { capabilityOf, definition } from '../../../support/gate';
import { type DefinitionWorld, makeWorld } from '../../../support/definitions';
import { makeSandbox } from '../../../support/sandbox';
import type { ToolHandler } from '../../../../src/core/capability/tool';

/** Ways in which what stands behind a tool misbehaves. */
const kinds = [
  'throw',
  'reject',
  'hang',
  'hang_ignoring_abort',
  'late',
  'wrong_shape',
  'huge',
  'cyclic',
  'non_error',
  'exit',
  'flood',
  'invalid_json',
  'double',
  'slow_start',
] as const;
type Kind = (typeof kinds)[number];

const outputSchema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };

function answerHttp(kind: string, response: ServerResponse): void {
  const socket = response.socket as Socket;
  const json = (text: string, status = 200): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  switch (kind) {
    case 'throw':
      return json('{"error":"broken"}', 500);
    case 'reject':
      return json('no', 400);
    case 'hang':
      return;
    case 'hang_ignoring_abort':
      response.writeHead(200, { 'content-type': 'application/json' }).write('{');
      return;
    case 'late':
    case 'slow_start':
      setTimeout(() => json('{"ok":true}'), 1500).unref();
      return;
    case 'wrong_shape':
      return json('{"ok":"perhaps"}');
    case 'huge':
      response.writeHead(200, { 'content-type': 'application/json' });
      for (let index = 0; index < 50; index++) response.write('x'.repeat(1_000_000));
      response.end();
      return;
    case 'cyclic':
      return json('['.repeat(100_000));
    case 'non_error':
      socket.destroy();
      return;
    case 'exit':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"ok":');
      setTimeout(() => socket.destroy(), 20);
      return;
    case 'flood':
      response.writeHead(200, { 'content-type': 'application/json' });
      for (let index = 0; index < 20_000; index++) response.write('{}');
      response.end();
      return;
    case 'invalid_json':
      return json('{"ok":tru');
    case 'double':
      socket.end(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"ok":true}',
      );
      return;
    default:
      return json('{"ok":true}');
  }
}

/** The same misbehaviour as a program for Node. */
const programs: Record<string, string> = {
  throw: 'throw new Error("broken")',
  reject: 'Promise.reject(new Error("broken"))',
  hang: 'setInterval(() => {}, 1000)',
  hang_ignoring_abort: 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)',
  late: 'setTimeout(() => console.log(JSON.stringify({ ok: true })), 60000)',
  wrong_shape: 'console.log(JSON.stringify({ ok: "perhaps" }))',
  huge: 'process.stdout.write("x".repeat(50e6))',
  cyclic: 'const a = {}; a.a = a; console.log(JSON.stringify(a))',
  non_error: 'throw 1',
  exit: 'process.kill(process.pid, "SIGKILL")',
  flood: 'for (let i = 0; i < 2e6; i++) process.stderr.write("progress ")',
  invalid_json: 'console.log("{\\"ok\\":tru")',
  double: 'console.log("{\\"ok\\":true}{\\"ok\\":true}")',
  slow_start: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60000)',
  fine: 'console.log(JSON.stringify({ ok: true }))',
};

/** And as a module in the sandbox. */
const modules: Record<string, string> = {
  throw: 'throw new Error("broken")',
  reject: 'return Promise.reject(new Error("broken"))',
  hang: 'return new Promise(() => {})',
  hang_ignoring_abort: 'for (;;) {}',
  late: 'return context.tools.call("slow_tool", {})',
  wrong_shape: 'return { ok: "perhaps" }',
  huge: 'return { ok: true, text: "x".repeat(50e6) }',
  cyclic: 'const a = { ok: true }; a.a = a; return a',
  non_error: 'throw 1',
  exit: 'return process.exit(1)',
  flood: 'for (;;) console.log("progress")',
  invalid_json: 'return { get ok() { throw new Error("no") } }',
  double: 'return [{ ok: true }, { ok: true }]',
  slow_start: 'return (async () => { for (;;) await null })()',
  fine: 'return { ok: true }',
};

/** And as the tool that a composition calls. */
const handlers: Record<string, ToolHandler['run']> = {
  throw: () => {
    throw new Error('broken');
  },
  reject: () => Promise.reject(new Error('broken')),
  hang: (_input, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('ended')))),
  hang_ignoring_abort: () => new Promise(() => undefined),
  late: () => new Promise((resolve) => setTimeout(() => resolve({ payload: { ok: true } }), 1500)),
  wrong_shape: async () => ({ payload: { ok: 'perhaps' } }),
  huge: async () => ({ payload: { ok: 1, text: 'x'.repeat(50_000_000) } }),
  cyclic: async () => {
    const value: Record<string, unknown> = { ok: true };
    value['value'] = value;
    return { payload: value as Json };
  },
  non_error: () => Promise.reject(1),
  exit: () => Promise.reject(Object.assign(new Error('gone'), { code: 'ERR_WORKER_OUT' })),
  flood: async (_input, { report }) => {
    for (let index = 0; index < 10_000; index++) report({ message: `${index}` });
    return { payload: null };
  },
  invalid_json: async () => ({ payload: undefined as never }),
  double: () => new Promise((resolve, reject) => (reject(new Error('first')), resolve({ payload: { ok: true } }))),
  slow_start: () => new Promise((resolve) => setTimeout(() => resolve({ payload: { ok: true } }), 1500)),
  fine: async () => ({ payload: { ok: true } }),
};

describe('a handler that misbehaves', () => {
  let world: DefinitionWorld;
  let sandbox: Awaited<ReturnType<typeof makeSandbox>>;
  let url = '';
  const server = createServer((request, response) => answerHttp((request.url ?? '').slice(1), response));
  before(async function () {
    this.timeout(60_000);
    sandbox = await makeSandbox();
    await sandbox.run(
      { code: '1', fileName: 'warm.js', language: 'javascript', hostFunctions: [] },
      { timeoutMs: 5000, memoryMb: 8, maxOutput: 10 },
      async () => null,
      new AbortController().signal,
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('clientError', () => undefined);
  });
  after(() => {
    sandbox.dispose();
    server.closeAllConnections();
    server.close();
  });
  afterEach(() => world.dispose());

  const all = [...kinds, 'fine'] as const;
  const define = async (type: keyof typeof expected): Promise<void> => {
    const inner = definition({ name: 'slow_tool', timeoutMs: 10_000 });
    const faulty = all.map((kind) =>
      capabilityOf(
        definition({ name: `inner_${kind}`, outputSchema, timeoutMs: 10_000, idempotency: 'non-idempotent' }),
        { run: handlers[kind]! },
        { id: `inner_${kind}` },
      ),
    );
    const slow = capabilityOf(inner, { run: handlers['hang']! }, { id: 'slow' });
    world = makeWorld({ capabilities: [...faulty, slow], ports: { sandbox } });
    const tools = all.map((kind) => ({
      description: 'Misbehave.',
      outputSchema,
      permissions: { user: 'allowed', agent: 'allowed' },
      timeoutMs: limitOf(type, kind),
      name: `${type}_${kind}`,
      handler: {
        http: { type, url: `${url}/${kind}`, maxBytes: 100_000, response: { type: 'json' } },
        process: { type, command: process.execPath, args: ['-e', programs[kind]], output: 'json' },
        module: { type, file: `./${kind}.js`, memoryMb: 128, ports: { tools: ['slow_tool'] } },
        compose: { type, steps: [{ id: 'only', tool: `inner_${kind}` }], output: '${steps.only}' },
      }[type],
    }));
    const files = Object.fromEntries(
      all.map((kind) => [`${kind}.js`, `export default async function (input, context) { ${modules[kind]} }`]),
    );
    await world.define({ ...files, 'f.capability.json': { id: 'f', tools } });
    assert.deepEqual(world.problems(), []);
  };

  // Fourteen programs take ten seconds to start and end: the fast tier leaves them to the full one.
  for (const type of full
    ? (['http', 'process', 'module', 'compose'] as const)
    : (['http', 'module', 'compose'] as const))
    it(`costs one typed error and one record, and the next call works: ${type}, ${kinds.length} kinds`, async () => {
      await define(type);
      const codes: Partial<Record<Kind, string>> = {};
      const check = async (kind: Kind): Promise<void> => {
        const tool = `f_${type}_${kind}`;
        const before = world.gate.events.length;
        const started = performance.now();
        const result = await world.gate.call(tool);
        assert.ok(performance.now() - started < limitOf(type, kind) + 8000, `${tool} took too long`);
        assert.equal(result.success, false, tool);
        codes[kind] = result.success ? 'success' : result.error.code;
        const own = world.gate.events
          .slice(before)
          .filter(
            (event) =>
              'invocationId' in event &&
              event.invocationId === result.invocationId &&
              event.type === 'invocation.finished',
          );
        assert.equal(own.length, 1, `${tool} left ${own.length} records`);
      };
      // What is ended by its limit alone waits together, but in the sandbox, where it keeps a core busy.
      const waits = (kind: Kind): boolean => type !== 'module' && expected[type][kind] === timeout;
      await Promise.all(kinds.filter(waits).map(check));
      for (const kind of kinds.filter((one) => !waits(one))) await check(kind);
      const next = await world.gate.call(`f_${type}_fine`);
      assert.deepEqual(next.success ? next.payload : next.error, { ok: true });
      assert.deepEqual(codes, expected[type]);
    }).timeout(120_000);
});

const timeout = 'timeout';

/** Short where the limit is what ends the call, long where something else must, however busy the machine is. */
function limitOf(type: keyof typeof expected, kind: Kind | 'fine'): number {
  const ends = kind !== 'fine' && (kind === 'hang' || expected[type][kind] === timeout);
  return ends ? (type === 'process' ? 2500 : full ? 700 : 300) : 20_000;
}

const expected: Record<'http' | 'process' | 'module' | 'compose', Record<Kind, string>> = {
  http: {
    throw: 'network_error',
    reject: 'network_error',
    hang: timeout,
    hang_ignoring_abort: timeout,
    late: timeout,
    wrong_shape: 'invalid_output',
    huge: 'too_large',
    cyclic: 'invalid_output',
    non_error: 'network_error',
    exit: 'network_error',
    flood: 'invalid_output',
    invalid_json: 'invalid_output',
    double: 'invalid_output',
    slow_start: timeout,
  },
  process: {
    throw: 'process_error',
    reject: 'process_error',
    hang: timeout,
    hang_ignoring_abort: timeout,
    late: timeout,
    wrong_shape: 'invalid_output',
    huge: 'too_large',
    cyclic: 'process_error',
    non_error: 'process_error',
    exit: 'process_error',
    flood: 'too_large',
    invalid_json: 'invalid_output',
    double: 'invalid_output',
    slow_start: timeout,
  },
  module: {
    throw: 'sandbox_error',
    reject: 'sandbox_error',
    hang: 'sandbox_error',
    hang_ignoring_abort: timeout,
    late: timeout,
    wrong_shape: 'invalid_output',
    huge: 'too_large',
    cyclic: 'sandbox_error',
    non_error: 'sandbox_error',
    exit: 'sandbox_error',
    flood: timeout,
    invalid_json: 'sandbox_error',
    double: 'invalid_output',
    slow_start: timeout,
  },
  compose: {
    throw: 'internal_error',
    reject: 'internal_error',
    hang: timeout,
    hang_ignoring_abort: timeout,
    late: timeout,
    wrong_shape: 'invalid_output',
    huge: 'invalid_output',
    cyclic: 'invalid_output',
    non_error: 'internal_error',
    exit: 'internal_error',
    flood: 'invalid_output',
    invalid_json: 'invalid_output',
    double: 'internal_error',
    slow_start: timeout,
  },
};
