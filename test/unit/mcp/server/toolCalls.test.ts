import { strict as assert } from 'node:assert';
import { PassThrough } from 'node:stream';
import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { parseArgs } from '../../../../src/cli/args';
import { runServe } from '../../../../src/cli/serve';
import type { Invocation } from '../../../../src/core/call/gateCall';
import type { GovernedTools } from '../../../../src/mcp/server/governed';
import { RunningCalls } from '../../../../src/mcp/server/runningCalls';
import { ToolCalls } from '../../../../src/mcp/server/toolCalls';
import { serveOnStdio } from '../../../../src/mcp/server/serveStdio';
import { nodeCrypto } from '../../../../src/node/system';
import { temporaryWorkspace } from '../../../support/cli';
import { until } from '../../../support/mcp/harness';

/** Collects the messages that a server writes, one to a line. */
function messagesOf(output: PassThrough): any[] {
  const heard: any[] = [];
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    heard.push(...lines.map((line) => JSON.parse(line)));
  });
  return heard;
}

const hello = (id: number): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'lines', version: '1' } },
  });
const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });

/** `serve` over one workspace, spoken to line by line. */
async function connection(files: Record<string, string>) {
  const workspace = temporaryWorkspace(files);
  const [input, output] = [new PassThrough(), new PassThrough()];
  const heard = messagesOf(output);
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
  await ask(hello);
  input.write(`${initialized}\n`);
  return {
    ask,
    heard,
    input,
    async close() {
      input.end();
      await ended;
      workspace.dispose();
    },
  };
}

const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('calls line by line', () => {
  it('are answered each under its id, whatever the tool answers', async () => {
    const s = await connection({ 'a.txt': 'one\n"two" \u{1f600}\n', '.env': 'KEY=1', 'src/b.ts': 'export {};\n' });
    try {
      const calls: [string, unknown, RegExp][] = [
        ['read_file', { path: 'a.txt' }, /one\n"two" \u{1f600}/u],
        ['read_file', { path: 'missing.txt' }, /missing\.txt/],
        ['read_file', { path: '.env' }, /^denied by boundary/],
        ['read_file', {}, /^input is not valid/],
        ['read_file', { path: 'a.txt', head: 1, '"': null }, /^input is not valid/],
        ['read_files', { paths: ['a.txt', 'src/b.ts', '.env', 'missing'] }, /export/],
        ['list_directory', { path: '/', depth: 2 }, /a\.txt/],
        ['list_directory', undefined, /a\.txt/],
        ['find_files', { pattern: '**/*.ts' }, /b\.ts/],
        ['grep_files', { pattern: 'two' }, /a\.txt/],
        ['write_file', { path: 'p.png', content: picture, encoding: 'base64' }, /elicitation/],
        ['add', { a: 1, b: 2 }, /3/],
        ['read_fil', { path: 'a.txt' }, /no tool is called `read_fil`/],
        ['search_tools', { query: 'files' }, /read_file/],
      ];
      const answers = await Promise.all(
        calls.map(async ([name, input, wanted]) => {
          const params = { name, arguments: input };
          const { result } = await s.ask((id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }));
          assert.match(result.content[0].text, wanted, name);
          return { name, result };
        }),
      );
      assert.deepEqual(
        answers.flatMap(({ name, result }) => (result.isError ? [name] : [])),
        ['read_file', 'read_file', 'read_file', 'read_file', 'write_file', 'read_fil'],
      );
      const structured = answers.flatMap(({ name, result }) => (result.structuredContent === undefined ? [] : [name]));
      assert.ok(structured.includes('list_directory') && !structured.includes('read_file'), structured.join());
    } finally {
      await s.close();
    }
  });

  it('that are not as the protocol wants them run nothing, and those after them are answered', async () => {
    const s = await connection({ 'a.txt': 'one' });
    try {
      const plain = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'write_file' } };
      const content = { path: 'b.txt', content: 'written' };
      const params = (more: object): object => ({ ...plain, params: { ...plain.params, arguments: content, ...more } });
      const others: object[] = [
        { ...params({}), id: null },
        { ...params({}), id: 1.5 },
        { ...params({}), id: 7, jsonrpc: '1.0' },
        params({}),
        [{ ...params({}), id: 7 }],
        { ...plain, id: 101, params: undefined },
        { ...plain, id: 102, params: [] },
        { ...params({ name: 7 }), id: 103 },
        { ...params({ arguments: [] }), id: 104 },
        { ...params({ arguments: null }), id: 105 },
        { ...params({ _meta: [] }), id: 106 },
      ];
      for (const other of others) s.input.write(`${JSON.stringify(other)}\n`);
      s.input.write('{"jsonrpc":"2.0"\n');
      const read = (path: string) => (id: number) =>
        JSON.stringify({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name: 'read_file', arguments: { path } },
        });
      assert.match((await s.ask(read('a.txt'))).result.content[0].text, /one/);
      assert.match((await s.ask(read('b.txt'))).result.content[0].text, /b\.txt/);
      for (const message of s.heard.filter(({ id }) => id > 100)) assert.ok(message.error, JSON.stringify(message));
    } finally {
      await s.close();
    }
  });
});

/** A connection with one tool, whose calls end when the test says so. */
async function oneTool(source: object = { type: 'builtin' }) {
  const tool: any = { id: 't', source, definition: {} };
  const started: {
    signal: AbortSignal;
    onProgress?: (progress: { message: string; fraction?: number }) => void;
    end(payload: unknown): void;
  }[] = [];
  const tools: any = {
    find: () => tool,
    findSettled: async () => tool,
    instructions: () => '',
    onDidChange: () => ({ dispose() {} }),
    invoke: (invocation: any) =>
      new Promise((resolve) => {
        const end = (payload: unknown): void =>
          resolve({ success: true, invocationId: 'i', toolId: 't', payload, declaredSideEffects: [], durationMs: 0 });
        started.push({ signal: invocation.signal, onProgress: invocation.onProgress, end });
      }),
  };
  const [input, output] = [new PassThrough(), new PassThrough()];
  const written = messagesOf(output);
  const errors: Error[] = [];
  const serving = serveOnStdio({
    identity: { name: 's', title: 's', version: '1' },
    toolCalls: { tools, calls: new RunningCalls(), crypto: nodeCrypto },
    input,
    output,
    onError: (error) => errors.push(error),
  });
  input.write(`${hello(0)}\n`);
  await until(() => written.length > 0);
  written.length = 0;
  input.write(`${initialized}\n`);
  const send = async (method: string, params: object, id?: number): Promise<void> => {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params })}\n`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const call = (id: number, meta?: object): Promise<void> =>
    send('tools/call', { name: 't', arguments: { a: 1 }, ...(meta ? { _meta: meta } : {}) }, id);
  return { serving, input, output, send, call, started, written, errors };
}

describe('calls of one connection', () => {
  it('are answered in the order in which they end, with progress where it was asked for', async () => {
    const { serving, call, started, written } = await oneTool();
    await call(1);
    await call(2, { progressToken: 'p' });
    assert.equal(started[0]?.onProgress, undefined);
    started[1]?.onProgress?.({ message: 'begun' });
    started[1]?.onProgress?.({ message: 'half', fraction: 0.5 });
    started[1]?.end('two');
    await until(() => written.length === 3);
    started[0]?.end('one');
    await until(() => written.length === 4);
    const params = (more: object): object => ({ progressToken: 'p', ...more });
    assert.deepEqual(written, [
      { jsonrpc: '2.0', method: 'notifications/progress', params: params({ progress: 1, message: 'begun' }) },
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: params({ progress: 50, total: 100, message: 'half' }),
      },
      { jsonrpc: '2.0', id: 2, result: { content: [{ type: 'text', text: '"two"' }] } },
      { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '"one"' }] } },
    ]);
    await serving.close();
  });

  it('stop where they are cancelled and are not answered then', async () => {
    const { serving, send, call, started, written } = await oneTool();
    await call(1);
    await call(2);
    await send('notifications/cancelled', { requestId: 1 });
    assert.deepEqual([started[0]?.signal.aborted, started[1]?.signal.aborted], [true, false]);
    for (const one of started) one.end('late');
    await until(() => written.length > 0);
    await call(3);
    started[2]?.end('three');
    await until(() => written.length > 1);
    assert.deepEqual(
      written.map(({ id }) => id),
      [2, 3],
    );
    await serving.close();
  });

  it('stop when the connection ends, and nothing more is written', async () => {
    for (const isByClient of [true, false]) {
      const { serving, input, call, started, written } = await oneTool();
      await call(1);
      if (isByClient) {
        input.end();
        await serving.ended;
      } else await serving.close();
      await until(() => started[0]?.signal.aborted === true);
      started[0]?.end('late');
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.deepEqual(written, []);
      await serving.close();
    }
  });

  it('end with a message that is longer than any may be', async () => {
    const { serving, input, errors } = await oneTool();
    const part = Buffer.alloc(1024 * 1024, 'x');
    for (let megabytes = 0; megabytes < 17; megabytes++) input.write(part);
    await until(() => errors.length > 0);
    assert.equal(input.listenerCount('data'), 0);
    // Nobody listens to the client any more, and its error ends nothing.
    input.destroy(new Error('gone'));
    await serving.ended;
    await serving.close();
  });
});

describe('what a client tells beside a call', () => {
  const promptsOf = async (meta: unknown): Promise<unknown> => {
    const invoked: Invocation[] = [];
    const tools = {
      findSettled: async () => undefined,
      invoke: async (invocation: Invocation) => {
        invoked.push(invocation);
        return { success: true, invocationId: '1', toolId: 't', declaredSideEffects: [], durationMs: 0, payload: 1 };
      },
    };
    const calls = new ToolCalls({
      tools: tools as unknown as GovernedTools,
      calls: { add: () => ({ dispose() {} }) } as unknown as RunningCalls,
      crypto: nodeCrypto,
    });
    const server = { getClientVersion: () => ({ name: 'c' }), getClientCapabilities: () => ({}) };
    const context = { mcpReq: { signal: new AbortController().signal, requestState: () => undefined } };
    await calls.call(
      { name: 't', arguments: {}, _meta: meta },
      server as unknown as Server,
      context as unknown as ServerContext,
    );
    calls.dispose();
    return invoked[0]?.prompt;
  };

  it('D.undo: names the prompt that the call works on, where VS Code or Codex tells it, and nothing else', async () => {
    assert.equal(await promptsOf({ 'vscode.conversationId': 'c', 'vscode.requestId': 'r1' }), 'r1');
    assert.equal(await promptsOf({ 'x-codex-turn-metadata': { session_id: 's', turn_id: 't1' } }), 't1');
    for (const meta of [undefined, null, [], {}, { 'vscode.requestId': 1 }, { 'vscode.requestId': 'r'.repeat(201) }])
      assert.equal(await promptsOf(meta), undefined);
  });
});
