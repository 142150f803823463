// A server of MCP on stdio whose behaviour a test chooses by one JSON argument; plain JSON-RPC, so that it can break
// every rule.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const options = JSON.parse(process.argv[2] ?? '{}');
const plain = { type: 'object', properties: { text: { type: 'string' } } };
let tools = options.tools ?? [{ name: 'echo', description: 'Echoes a text', inputSchema: plain }];

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const answer = (id, result) => send({ id, result });
const text = (value) => ({ content: [{ type: 'text', text: value }] });
if (options.started) appendFileSync(options.started, `${process.pid}\n`);
if (options.exitAtStart) process.exit(3);
if (options.child) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  appendFileSync(options.child, `${child.pid}\n`);
}
if (options.greet) process.stdout.write('hello, this is no JSON\n');
if (options.ignoreTermination) for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {});

/** Each fault is a way in which a server can behave badly when a tool is called. */
const faults = {
  error: (id) => send({ id, error: { code: -32000, message: 'it broke' } }),
  isError: (id) => answer(id, { ...text('it did not work'), isError: true }),
  hang: () => {},
  exit: () => process.exit(1),
  late: (id) => setTimeout(() => answer(id, text('late')), 700),
  wrongShape: (id) => answer(id, { content: 'no list', structuredContent: 7 }),
  noResult: (id) => answer(id, null),
  huge: (id) => answer(id, text('x'.repeat(50_000_000))),
  invalidJson: (id) => process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[\n`),
  invalidRpc: (id) => process.stdout.write(`${JSON.stringify({ version: 1, id, what: 'ever' })}\n`),
  noVersion: (id) => process.stdout.write(`${JSON.stringify({ id, result: text('x') })}\n`),
  moreKeys: (id) => send({ id, result: text('x'), took: 5 }),
  bothAtOnce: (id) => send({ id, result: text('x'), error: { code: 1, message: 'it broke' } }),
  oddMeta: (id) => answer(id, { ...text('x'), _meta: 5 }),
  oddCode: (id) => send({ id, error: { code: 1e300, message: 'it broke' } }),
  oddInBatch: (id) => process.stdout.write(`${JSON.stringify([{ jsonrpc: '2.0', id, result: null }])}\n`),
  deepInBatch: (id) =>
    process.stdout.write(
      `[{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}}]\n`,
    ),
  twice: (id) => {
    answer(id, text('first'));
    answer(id, text('second'));
  },
  otherId: (id) => {
    answer(`${id}000`, text('for somebody else'));
    answer(id, text('mine'));
  },
  flood: (id) => {
    for (let index = 0; index < 100_000; index++)
      send({ method: 'notifications/progress', params: { progressToken: id, progress: index } });
    answer(id, text('after the flood'));
  },
  deep: (id) =>
    process.stdout.write(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}}\n`,
    ),
  garbage: (id) => {
    process.stdout.write(
      '\x00\xff}{ no JSON at all\n{"jsonrpc":"2.0","method":7}\n[]\nnull\n{"jsonrpc":"2.0","id":{}}\n',
    );
    answer(id, text('after the garbage'));
  },
  halfLine: (id) => {
    process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"resu`);
    process.exit(1);
  },
  longLine: () => forever(() => process.stdout.write('x'.repeat(1_000_000))),
  endlessGarbage: () => forever(() => process.stdout.write('this is no JSON\n'.repeat(1000))),
  endlessProgress: (id, token) =>
    forever(() =>
      send({ method: 'notifications/progress', params: { progressToken: token, progress: performance.now() } }),
    ),
  listStorm: () => forever(() => send({ method: 'notifications/tools/list_changed' })),
  logStorm: () =>
    forever(() => send({ method: 'notifications/message', params: { level: 'error', data: 'x'.repeat(1000) } })),
  askStorm: () =>
    forever(() => send({ id: `storm${nextId++}`, method: 'elicitation/create', params: { message: 'yes?' } })),
  invisible: (id) => answer(id, text('pay\u202Eto\u200Bme')),
  proto: (id) =>
    process.stdout.write(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":{"__proto__":{"polluted":true},"ok":1}}}\n`,
    ),
};

/** Does something again and again, as fast as the pipe takes it, and stays able to read. */
function forever(what) {
  const step = () => {
    for (let index = 0; index < 20; index++) what();
    if (process.stdout.writableNeedDrain) process.stdout.once('drain', step);
    else setImmediate(step);
  };
  step();
}

const waiting = new Map();
let nextId = 1;
const request = (method, params) =>
  new Promise((resolve) => {
    const id = `s${nextId++}`;
    waiting.set(id, resolve);
    send({ id, method, params });
  });

async function call(id, params) {
  const { name, arguments: input = {}, _meta } = params;
  if (options.calls) appendFileSync(options.calls, `${name}\n`);
  if (Object.hasOwn(faults, name)) return faults[name](id, _meta?.progressToken);
  if (name === 'ask' || name === 'askThenHang') {
    const got = await request('elicitation/create', {
      message: 'your name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    });
    if (name === 'askThenHang') return undefined;
    return answer(id, text(JSON.stringify(got.result ?? got.error)));
  }
  if (name === 'askTwice') {
    const form = { type: 'object', properties: { name: { type: 'string' } } };
    const got = await Promise.all(
      ['first', 'second'].map((which) =>
        request('elicitation/create', { message: `the ${which} name?`, requestedSchema: form }),
      ),
    );
    return answer(id, text(got.map((one) => one.result?.content?.name ?? JSON.stringify(one)).join(' ')));
  }
  if (name === 'sample') {
    const got = await request('sampling/createMessage', {
      messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
      maxTokens: 5,
    });
    return answer(id, text(JSON.stringify(got.result ?? got.error)));
  }
  if (name === 'roots') {
    const got = await request('roots/list', {});
    return answer(id, text(JSON.stringify(got.result ?? got.error)));
  }
  if (name === 'progress') {
    for (let index = 1; index <= 3; index++)
      send({
        method: 'notifications/progress',
        params: { progressToken: _meta?.progressToken, progress: index, total: 3, message: `step ${index}` },
      });
    return answer(id, text('done'));
  }
  if (name === 'picture')
    return answer(id, { content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }] });
  if (name === 'embedded')
    return answer(id, {
      content: [
        { type: 'text', text: 'see:' },
        { type: 'resource', resource: { uri: 'note://\u200Bone', mimeType: 'text/markdown', text: '# One\u202E' } },
        { type: 'audio', mimeType: 'audio/wav', data: 'UklG' },
        { type: 'resource', resource: { uri: 'note://two', mimeType: 'application/pdf', blob: 'JVBERg==' } },
        { type: 'resource_link', uri: 'note://three', name: 'three', mimeType: 'text/plain' },
      ],
    });
  if (name === 'structured') return answer(id, { ...text('{"v":1}'), structuredContent: { v: 1 } });
  if (name === 'env') return answer(id, text(JSON.stringify({ ...process.env, cwd: process.cwd() })));
  if (name === 'change') {
    tools = JSON.parse(input.tools);
    if (input.silent !== true) send({ method: 'notifications/tools/list_changed' });
    return answer(id, text('changed'));
  }
  return answer(id, text(input.text ?? JSON.stringify(input)));
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (options.calls && message.method === 'notifications/cancelled') appendFileSync(options.calls, 'cancelled\n');
  if (options.calls && message.method === 'notifications/roots/list_changed')
    appendFileSync(options.calls, 'roots changed\n');
  if (message.method === undefined) {
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
    return;
  }
  const { id, method, params = {} } = message;
  switch (method) {
    case 'initialize':
      if (options.hangAtStart) return undefined;
      return answer(id, {
        protocolVersion: params.protocolVersion ?? '2025-11-25',
        capabilities: {
          tools: { listChanged: true },
          ...(options.resources ? { resources: {} } : {}),
          ...(options.prompts ? { prompts: {} } : {}),
        },
        serverInfo: { name: 'scripted', version: '1.0.0' },
      });
    case 'tools/list': {
      if (options.toolsFile && existsSync(options.toolsFile))
        tools = JSON.parse(readFileSync(options.toolsFile, 'utf8'));
      if (options.rawList)
        return process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${options.rawList}}\n`);
      if (options.deepSchema) {
        const depth = options.deepSchema;
        const deep = `${'{"type":"object","properties":{"a":'.repeat(depth)}{}${'}}'.repeat(depth)}`;
        return process.stdout.write(
          `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":[{"name":"deep","inputSchema":${deep}},{"name":"echo","inputSchema":{"type":"object"}}]}}\n`,
        );
      }
      if (options.many)
        return answer(id, {
          tools: Array.from({ length: options.many }, (_, index) => ({
            name: `tool_${index}`,
            description: `Does thing number ${index}`,
            inputSchema: plain,
          })),
        });
      if (options.hugeList)
        return answer(id, { tools: [{ name: 'huge', description: 'x'.repeat(50_000_000), inputSchema: plain }] });
      return answer(id, { tools });
    }
    case 'tools/call':
      return call(id, params);
    case 'resources/list':
      return answer(id, {
        resources: [
          { uri: 'note://one', name: 'One' },
          ...(options.pdf ? [{ uri: 'note://two.pdf', name: 'Two' }] : []),
        ],
      });
    case 'resources/read':
      if (params.uri.endsWith('.pdf'))
        return answer(id, { contents: [{ uri: params.uri, mimeType: 'application/pdf', blob: 'JVBERg==' }] });
      return answer(id, { contents: [{ uri: params.uri, text: `the content of ${params.uri}` }] });
    case 'prompts/list':
      if (options.prompts === 'hang') return undefined;
      if (Array.isArray(options.prompts)) return answer(id, { prompts: options.prompts.map((name) => ({ name })) });
      return send({ id, error: { code: -32601, message: 'method not found' } });
    case 'ping':
      return answer(id, {});
    default:
      if (id !== undefined) send({ id, error: { code: -32601, message: 'method not found' } });
  }
});
if (!options.stays) process.stdin.on('end', () => process.exit(0));
else setInterval(() => {}, 1000);
