import path from 'node:path';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport, Server } from '@modelcontextprotocol/server';
import { ToolIndex } from '../../src/core/registry/toolIndex';
import { foreignDefinition } from '../../src/core/foreign/foreignTool';
import { CapabilityRegistry } from '../../src/core/registry/registry';
import { GovernedTools } from '../../src/mcp/server/governed';
import { makeServer } from '../../src/mcp/server/makeServer';
import { RunningCalls } from '../../src/mcp/server/runningCalls';
import { nodeCrypto } from '../../src/node/system';
import { gateway, scriptedUser } from '../support/mcp/harness';
import { compared, median, type Row } from './rows';

/**
 * Runs two things in blocks by turns, so that what else the machine does meets both alike and each is warm when it is
 * measured.
 */
async function both(
  blocks: number,
  perBlock: number,
  ours: () => Promise<unknown>,
  peer: () => Promise<unknown>,
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let block = 0; block < blocks + 2; block++)
    for (const [at, run] of [ours, peer].entries())
      for (let index = 0; index < perBlock; index++) {
        const since = performance.now();
        await run();
        if (block >= 2) times[at as 0 | 1].push(performance.now() - since);
      }
  return [median(times[0]), median(times[1])];
}

const limits = {
  perTool: { requests: 1_000_000, windowMs: 1000 },
  perCapability: { requests: 1_000_000, windowMs: 1000 },
  perSource: { requests: 1_000_000, windowMs: 1000 },
  all: { requests: 1_000_000, windowMs: 1000 },
  budget: { calls: 10_000_000 },
};
const text = 'x'.repeat(100);

/** The reference server that echoes, with what both sides know about it. */
const everything = [path.resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'];
const trusted = {
  tools: { '*': { permission: 'allowed', risk: 'low', sideEffects: [], kind: 'data' } },
  protocol: '2025-11-25',
};
const entry = { command: process.execPath, args: everything, ...trusted };

/**
 * A call through the gate to the reference server on stdio, against the SDK's client calling the same program directly.
 */
async function callOverhead(): Promise<Row> {
  const g = await gateway({
    servers: { s: entry },
    serverUser: scriptedUser().user,
    set: { limits },
  });
  await g.core.servers.list.discover();
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: everything }));
  const first = await g.call('s_echo', { message: text });
  if (!first.success) throw new Error(first.error.message);
  let index = 0;
  const times = await both(
    40,
    50,
    async () => {
      const result = await g.call('s_echo', { message: `${text}${index++}` });
      if (!result.success) throw new Error(result.error.message);
    },
    () => client.callTool({ name: 'echo', arguments: { message: `${text}${index++}` } }),
  );
  await client.close();
  await g.close();
  return compared('tools/call through the gate, stdio', times[0] * 1000, times[1] * 1000, 'µs', '<= 1.25');
}

const tools = Array.from({ length: 10_000 }, (_, index) => ({
  name: `tool_${index}`,
  description: `Does thing number ${index} of a repository, with its labels and comments`,
  inputSchema: {
    type: 'object' as const,
    properties: {
      path: { type: 'string', description: 'Where' },
      owner: { type: 'string' },
      count: { type: 'number' },
    },
    required: ['path'],
  },
}));

async function connected(made: Server): Promise<Client> {
  const [a, b] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'bench', version: '1' });
  // The two packages declare the same transport each for itself.
  await made.connect(a);
  await client.connect(b as Transport);
  return client;
}

const any = { '~standard': { version: 1 as const, vendor: 'bench', validate: (value: unknown) => ({ value }) } };

/** A list of 10,000 governed tools, against the SDK's low-level server that answers a ready list of as many. */
async function listing(): Promise<Row> {
  const registry = new CapabilityRegistry();
  const made = tools.map(
    (tool) =>
      foreignDefinition(tool, { from: 'bench', hintsConfirmed: false, override: undefined, timeoutMs: 1000 })
        .definition,
  );
  registry.register({
    id: 'mcp_b',
    version: '1.0.0',
    name: 'b',
    description: 'b',
    status: 'available',
    source: { type: 'mcp', server: 'b' },
    tools: made.map((definition) => ({
      definition,
      load: async () => ({ accesses: () => [], run: async () => ({ payload: null }) }),
    })),
  });
  const g = await gateway({ set: { profiles: { default: { capabilities: ['mcp_b'] } } } });
  const { resolveProfile, parseProfile } = await import('../../src/core/profiles/profile');
  const profile = resolveProfile(parseProfile('default', { capabilities: ['mcp_b'] }, 'user').value, registry);
  const profiles = { active: () => profile, onDidChange: () => ({ dispose() {} }) };
  const governed = new GovernedTools({
    registry,
    profiles: profiles as never,
    router: g.core.gate.router,
    prompt: () => '',
  });
  const ours = makeServer(
    { name: 'a', title: 'a', version: '1' },
    { tools: governed, calls: new RunningCalls(), crypto: nodeCrypto },
  );
  const peer = new Server({ name: 'b', version: '1' }, { capabilities: { tools: {} } });
  peer.setRequestHandler('tools/list', async () => ({ tools: governed.listNow() as never }));
  const [one, two] = [await connected(ours.server), await connected(peer)];
  const ask = async (client: Client): Promise<unknown> =>
    JSON.stringify(await client.request({ method: 'tools/list' }, any)).length;
  const times = await both(
    10,
    1,
    () => ask(one),
    () => ask(two),
  );
  await Promise.all([one.close(), two.close()]);
  ours.dispose();
  governed.dispose();
  await g.close();
  return compared('tools/list of 10,000 tools', times[0], times[1], 'ms', '<= 2');
}

function searching(): Row {
  const verbs = ['create', 'list', 'update', 'delete', 'search', 'send', 'read', 'move', 'copy', 'watch'];
  const since = performance.now();
  const index = new ToolIndex(
    tools.map((tool, at) => ({
      name: `${verbs[at % 10]}_${tool.name}`,
      title: tool.name,
      tags: [],
      parameters: Object.keys(tool.inputSchema.properties),
      description: tool.description,
    })),
  );
  const built = performance.now() - since;
  const times: number[] = [];
  for (let at = 0; at < 50; at++) {
    const before = performance.now();
    index.search(`update the labels of a repository ${at}`, 10);
    times.push(performance.now() - before);
  }
  const ours = median(times);
  return {
    name: `search over 10,000 tools (index built once in ${Math.round(built)} ms)`,
    ours,
    peer: 20,
    ratio: ours / 20,
    unit: 'ms',
    target: '<= 1',
  };
}

/**
 * The whole way: an MCP client, `serve` on stdio, a server on stdio; against the same client and server without us
 * between.
 */
async function endToEnd(): Promise<Row> {
  const through = new Client({ name: 'bench', version: '1' });
  await through.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [
        path.resolve('dist/cli.js'),
        'serve',
        '--yes',
        '--set',
        `mcp.servers=${JSON.stringify({ s: entry })}`,
        '--set',
        `limits=${JSON.stringify(limits)}`,
      ],
      stderr: 'ignore',
    }),
  );
  await through.listTools();
  const direct = new Client({ name: 'bench', version: '1' });
  await direct.connect(new StdioClientTransport({ command: process.execPath, args: everything }));
  let index = 0;
  const times = await both(
    30,
    50,
    () => through.callTool({ name: 's_echo', arguments: { message: `${text}${index++}` } }),
    () => direct.callTool({ name: 'echo', arguments: { message: `${text}${index++}` } }),
  );
  await Promise.all([through.close(), direct.close()]);
  return compared(
    'tools/call through `serve`, two processes instead of one',
    times[0] * 1000,
    times[1] * 1000,
    'µs',
    'for information',
  );
}

export async function bench(): Promise<Row[]> {
  return [await callOverhead(), await listing(), searching(), await endToEnd()];
}
