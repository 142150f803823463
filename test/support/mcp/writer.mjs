// A server of MCP on stdio that works on the files of the folder in which it was started, as many servers do.
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const root = process.argv[2] ?? process.cwd();
const at = (name) => path.join(root, name);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const inputSchema = {
  type: 'object',
  properties: { path: { type: 'string' }, to: { type: 'string' }, text: { type: 'string' }, ms: { type: 'number' } },
};

const tools = {
  put: ({ path: name, text }) => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  },
  add: ({ path: name, text }) => appendFileSync(at(name), text),
  move: ({ path: name, to }) => renameSync(at(name), at(to)),
  drop: ({ path: name }) => rmSync(at(name), { recursive: true }),
  /** Takes its time, so that two calls run at once. */
  slow: async ({ path: name, text, ms }) => {
    appendFileSync(at('begun.txt'), `${text}\n`);
    await pause(ms);
    writeFileSync(at(name), text);
  },
  /** Goes on writing after it answered, once a file is there: at the end of the same file, and into another one. */
  later: ({ path: name, text, to: sign }) => {
    writeFileSync(at(name), text);
    const timer = setInterval(() => {
      if (!existsSync(at(sign))) return;
      clearInterval(timer);
      appendFileSync(at(name), 'afterwards\n');
      writeFileSync(at(`${name}.late`), 'afterwards');
    }, 50);
  },
};

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') {
    const serverInfo = { name: 'writer', version: '1.0.0' };
    return send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  }
  if (method === 'tools/list') {
    const listed = Object.keys(tools).map((name) => ({ name, description: `Does ${name}`, inputSchema }));
    return send({ id, result: { tools: listed } });
  }
  if (method !== 'tools/call') return send({ id, error: { code: -32601, message: 'method not found' } });
  await tools[params.name](params.arguments ?? {});
  return send({ id, result: { content: [{ type: 'text', text: 'done' }] } });
});
process.stdin.on('end', () => process.exit(0));
