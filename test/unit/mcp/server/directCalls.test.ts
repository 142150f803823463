import { strict as assert } from 'node:assert';
import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { runServe } from '../../../../src/cli/serve';
import { parseArgs } from '../../../../src/cli/args';
import { DirectCalls, readPlainCall } from '../../../../src/mcp/server/directCalls';
import { LineFilter } from '../../../../src/mcp/server/lineFilter';
import { ToolCalls } from '../../../../src/mcp/server/toolCalls';
import { RunningCalls } from '../../../../src/mcp/server/runningCalls';
import { nodeCrypto } from '../../../../src/node/system';
import { temporaryWorkspace } from '../../../support/cli';
import { until } from '../../../support/mcp/harness';

/** `serve` over one workspace, spoken to line by line. */
async function connection(files: Record<string, string>) {
  const workspace = temporaryWorkspace(files);
  const [input, output] = [new PassThrough(), new PassThrough()];
  const heard: any[] = [];
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    heard.push(...lines.map((line) => JSON.parse(line)));
  });
  const ended = runServe(parseArgs(['--workspace', workspace.folder], { workspace: true, yes: true }), {
    out() {},
    error() {},
    environment: {},
    stdin: input,
    stdout: output,
  });
  let next = 0;
  const ask = async (line: (id: number) => string): Promise<any> => {
    const id = ++next;
    input.write(`${line(id)}\n`);
    await until(() => heard.some((message) => message.id === id));
    return heard.find((message) => message.id === id);
  };
  await ask((id) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'lines', version: '1' } },
    }),
  );
  input.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    ask,
    input,
    async close() {
      input.end();
      await ended;
      workspace.dispose();
    },
  };
}

const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('calls that are answered before the SDK', () => {
  it('gives the answer that the SDK gives, whatever the tool answers', async () => {
    const s = await connection({ 'a.txt': 'one\n"two" \u{1f600}\n', '.env': 'KEY=1', 'src/b.ts': 'export {};\n' });
    try {
      const calls: [string, unknown][] = [
        ['read_file', { path: 'a.txt' }],
        ['read_file', { path: 'missing.txt' }],
        ['read_file', { path: '.env' }],
        ['read_file', {}],
        ['read_file', { path: 'a.txt', head: 1, '"': null }],
        ['read_files', { paths: ['a.txt', 'src/b.ts', '.env', 'missing'] }],
        ['list_directory', { path: '/', depth: 2 }],
        ['list_directory', undefined],
        ['find_files', { pattern: '**/*.ts' }],
        ['grep_files', { pattern: 'two' }],
        ['write_file', { path: 'p.png', content: picture, encoding: 'base64' }],
        ['add', { a: 1, b: 2 }],
        ['read_fil', { path: 'a.txt' }],
        ['search_tools', { query: 'files' }],
      ];
      const answers = (await Promise.all(
        calls.map(async ([name, input], index) => {
          const line = (id: number): string =>
            JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } });
          assert.notEqual(readPlainCall(line(index)), undefined, 'is a plain call');
          // The SDK reads both; only the first is looked at by us.
          const [ours, theirs] = [
            await s.ask(line),
            await s.ask((id) => line(id).replace('tools/call', 'tools\\/call')),
          ];
          return [name, { ...ours, id: 0 }, { ...theirs, id: 0 }];
        }),
      )) as [string, object, object][];
      for (const [name, ours, theirs] of answers) assert.deepEqual(ours, theirs, name);
      const structured = answers
        .filter(([, ours]: any) => ours.result?.structuredContent !== undefined)
        .map(([name]) => name);
      assert.ok(structured.includes('list_directory') && !structured.includes('read_file'), structured.join());
      assert.ok(answers.some(([, ours]: any) => ours.result.isError));
    } finally {
      await s.close();
    }
  });

  it('leaves every request that is not quite as the schema wants it to the SDK', () => {
    const plain = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'read_file', arguments: { path: 'a' } },
    };
    assert.deepEqual(readPlainCall(JSON.stringify(plain)), {
      id: 1,
      name: 'read_file',
      input: { path: 'a' },
      progressToken: undefined,
    });
    const params = (more: object): object => ({ ...plain, params: { ...plain.params, ...more } });
    assert.equal(
      readPlainCall(JSON.stringify(params({ _meta: { progressToken: 'p', 'x.y/z': 1 } })))?.progressToken,
      'p',
    );
    const others: unknown[] = [
      [plain],
      { ...plain, jsonrpc: '1.0' },
      { ...plain, id: null },
      { ...plain, id: 1.5 },
      { ...plain, id: undefined },
      { ...plain, more: true },
      { ...plain, method: 'tools/list' },
      { ...plain, params: undefined },
      { ...plain, params: [] },
      params({ name: 7 }),
      params({ arguments: [] }),
      params({ arguments: null }),
      params({ task: {} }),
      params({ requestState: 's' }),
      params({ inputResponses: {} }),
      params({ _meta: [] }),
      params({ _meta: { progressToken: {} } }),
      params({ _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }),
      params({ _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't' } } }),
    ];
    for (const other of others) assert.equal(readPlainCall(JSON.stringify(other)), undefined, JSON.stringify(other));
    assert.equal(readPlainCall('{"jsonrpc":"2.0"'), undefined);
  });
});

/** A connection with one tool, whose calls end when the test says so. */
function directly(source: 'builtin' | 'mcp' = 'builtin', hello: object | null = {}) {
  const tool: any = { id: 't', source: { type: source, server: 's' }, definition: {} };
  const started: {
    signal: AbortSignal;
    onProgress?: (progress: { message: string }) => void;
    end(payload: unknown): void;
  }[] = [];
  const tools: any = {
    find: () => tool,
    invoke: (invocation: any) =>
      new Promise((resolve) => {
        const end = (payload: unknown): void =>
          resolve({ success: true, invocationId: 'i', toolId: 't', payload, declaredSideEffects: [], durationMs: 0 });
        started.push({ signal: invocation.signal, onProgress: invocation.onProgress, end });
      }),
  };
  const running = new RunningCalls();
  const calls = new ToolCalls({ tools, calls: running, crypto: nodeCrypto });
  const written: any[] = [];
  const passed: string[] = [];
  const direct = new DirectCalls({
    tools,
    write: (text) => written.push(JSON.parse(text)),
    pass: (line) => passed.push(line),
  });
  const server: any = {
    getClientCapabilities: () => hello ?? undefined,
    getClientVersion: () => ({ name: 'c', version: '1' }),
  };
  direct.attach({ server, calls });
  const call = (id: number, meta?: object): string =>
    JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 't', arguments: { a: 1 }, ...(meta ? { _meta: meta } : {}) },
    });
  return { direct, call, started, written, passed, running };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('DirectCalls', () => {
  it('answers under the id of the call, in the order in which calls end, with progress where it was asked for', async () => {
    const { direct, call, started, written } = directly();
    assert.deepEqual([direct.take(call(1)), direct.take(call(2, { progressToken: 'p' }))], [true, true]);
    assert.equal(started[0]?.onProgress, undefined);
    started[1]?.onProgress?.({ message: 'half' });
    started[1]?.end('two');
    await turn();
    started[0]?.end('one');
    await turn();
    assert.deepEqual(written, [
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'p', progress: 1, message: 'half' },
      },
      { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: '"two"' }] } },
      { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '"one"' }] } },
    ]);
  });

  it('stops a call that is cancelled and does not answer it, and leaves the notification to the SDK too', async () => {
    const { direct, call, started, written } = directly();
    direct.take(call(1));
    direct.take(call(2));
    const cancelled = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    assert.equal(direct.take(cancelled), false);
    assert.deepEqual([started[0]?.signal.aborted, started[1]?.signal.aborted], [true, false]);
    for (const one of started) one.end('late');
    await turn();
    assert.deepEqual(
      written.map(({ id }) => id),
      [2],
    );
  });

  it('takes nothing before the handshake, of tools that are not ours, with an id that is in use, or after the connection has gone', async () => {
    assert.equal(directly('builtin', null).direct.take(directly().call(1)), false, 'no handshake');
    const foreign = directly('mcp');
    assert.equal(foreign.direct.take(foreign.call(1)), false, 'a foreign tool');
    const { direct, call, started, written } = directly();
    assert.deepEqual([direct.take(call(1)), direct.take(call(1))], [true, false]);
    direct.dispose();
    assert.equal(started[0]?.signal.aborted, true);
    started[0]?.end('late');
    await turn();
    assert.deepEqual([written, direct.take(call(2))], [[], false]);
  });

  it('hands a call with a question to the SDK, once, and answers it no more', async () => {
    const { direct, call, started, written, passed, running } = directly('builtin', { elicitation: {} });
    direct.take(call(1));
    const pending = running.onlyOf('builtin');
    assert.equal(pending?.canAsk, true);
    void pending
      ?.ask({ message: 'really?', schema: { type: 'object' } }, new AbortController().signal)
      .catch(() => undefined);
    assert.deepEqual(passed, [call(1)]);
    started[0]?.end('answered there');
    await turn();
    assert.deepEqual([written, passed.length], [[], 1]);
  });
});

describe('LineFilter', () => {
  it('takes lines and lets all others through byte for byte, however the bytes arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            text: fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', ' ')),
            isOurs: fc.boolean(),
          }),
          {
            maxLength: 12,
          },
        ),
        fc.array(fc.nat(40), { maxLength: 30 }),
        fc.boolean(),
        async (lines, cuts, isCutOff) => {
          const input = new PassThrough();
          const taken: string[] = [];
          const filter = new LineFilter({
            input,
            longest: 1_000_000,
            take: (line) => line.startsWith('ours ') && taken.push(line.slice(5)) > 0,
          });
          const rest: Buffer[] = [];
          filter.rest.on('data', (chunk: Buffer) => rest.push(chunk));
          const ended = new Promise((resolve) => filter.rest.once('end', resolve));
          const written = lines.map(({ text, isOurs }) => `${isOurs ? 'ours' : 'else'} ${text}\n`);
          const all = Buffer.from(`${written.join('')}${isCutOff ? 'ours begun' : ''}`);
          let at = 0;
          for (const cut of cuts) input.write(all.subarray(at, (at += cut)));
          input.end(all.subarray(at));
          await ended;
          const others = lines.filter(({ isOurs }) => !isOurs).map(({ text }) => `else ${text}\n`);
          const ours = lines.filter(({ isOurs }) => isOurs).map(({ text }) => Buffer.from(text).toString('utf8'));
          assert.deepEqual(taken, ours);
          assert.deepEqual(Buffer.concat(rest), Buffer.from(`${others.join('')}${isCutOff ? 'ours begun' : ''}`));
        },
      ),
    );
  });

  it('leaves a line that does not end to whoever reads the rest, so that its limit holds', async () => {
    const input = new PassThrough();
    const filter = new LineFilter({ input, longest: 100, take: () => true });
    let bytes = 0;
    filter.rest.on('data', (chunk: Buffer) => (bytes += chunk.length));
    for (let at = 0; at < 30; at++) input.write('x'.repeat(10));
    await until(() => bytes > 100);
    filter.dispose();
    assert.equal(input.listenerCount('data'), 0);
  });

  it('hands errors and the end of its input on, and survives both when nobody listens any more', async () => {
    const broken = new Readable({ read() {} });
    const filter = new LineFilter({ input: broken, longest: 100, take: () => true });
    const seen = new Promise<Error>((resolve) => filter.rest.once('error', resolve));
    broken.destroy(new Error('gone'));
    assert.equal((await seen).message, 'gone');
    const late = new Readable({ read() {} });
    new LineFilter({ input: late, longest: 100, take: () => true }).dispose();
    late.destroy(new Error('later'));
    await turn();
  });
});
