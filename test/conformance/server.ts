// Serves the tools that the official conformance suite asks for, over our own endpoint and gate. The suite cannot send
// a token, so the token alone is left out; host and origin are checked as in the product.
import { createServer } from 'node:http';
import { strict as assert } from 'node:assert';
import { VirtualFiles } from '../../src/core/files/virtualFiles';
import { parseServers } from '../../src/core/foreign/serverSpec';
import { OpenQuestions } from '../../src/mcp/client/openQuestions';
import { capabilityOf } from '../../src/mcp/client/serverTools';
import { GovernedTools } from '../../src/mcp/server/governed';
import { McpEndpoint } from '../../src/mcp/server/mcpEndpoint';
import { readJsonBody } from '../../src/mcp/server/body';
import { checkOrigin } from '../../src/mcp/server/requestGuard';
import { RunningCalls } from '../../src/mcp/server/runningCalls';
import { parseProfile, resolveProfile } from '../../src/core/profiles/profile';
import { nodeCrypto } from '../../src/node/system';
import { definition, makeGate } from '../support/gate';
import { MemoryFiles } from '../support/memoryFiles';
import { contentsConnection } from './contents';
import { fixtures } from './fixtures';
import { defineTool } from '../../src/core/capability/tool';

const calls = new RunningCalls();
const tools = fixtures(calls);

/**
 * What the suite's resources and prompts are served from: the tools that the product makes of a governed server, over a
 * made-up one.
 */
const { servers } = parseServers({ conformance: { type: 'http', url: 'http://127.0.0.1:1/mcp' } }, 'user');
const spec = servers[0] ?? assert.fail();
const contents = capabilityOf(spec, [], {
  offers: { resources: true, prompts: true, completions: true },
  hintsConfirmed: false,
  provenance: { by: 'user', from: 'server:conformance' },
  target: {
    check() {},
    succeeded() {},
    keptList: () => undefined,
    keepList() {},
    questions: new OpenQuestions(),
    connection: async () => contentsConnection(calls) as never,
  },
  ports: { files: new VirtualFiles({ raw: new MemoryFiles(), folders: () => [], excludes: () => [] }) } as never,
}).capability;

const gate = makeGate({
  capabilities: [
    contents,
    {
      id: 'conformance',
      version: '1.0.0',
      name: 'Conformance',
      description: 'Fixtures of the conformance suite',
      status: 'available',
      source: { type: 'builtin' },
      tools: Object.entries(tools).map(([name, { run, schema }]) =>
        defineTool(
          definition({ name, contentField: 'text', inputSchema: { type: 'object', properties: {}, ...schema } }),
          async () => ({
            accesses: () => [],
            run,
          }),
        ),
      ),
    },
  ],
});
const profile = resolveProfile(
  parseProfile('test', { capabilities: ['conformance', contents.id] }, 'user').value,
  gate.registry,
);
const listeners = new Set<() => void>();
const profiles = {
  active: () => profile,
  onDidChange: (listener: () => void) => (listeners.add(listener), { dispose: () => listeners.delete(listener) }),
};
const governed = new GovernedTools({
  registry: gate.registry,
  profiles: profiles as never,
  router: gate.router,
  prompt: () => '',
});
const endpoint = new McpEndpoint({
  identity: { name: 'conformance', title: 'Conformance', version: '1.0.0' },
  toolCalls: { tools: governed, calls, crypto: nodeCrypto, contents: true },
  onError: () => undefined,
});
let port = 0;
const server = createServer(async (request, response) => {
  const refusal = checkOrigin(request, port);
  if (refusal) return response.writeHead(refusal.status).end(refusal.message);
  const read =
    request.method === 'POST'
      ? await readJsonBody(request, { maxBytes: 4 * 1024 * 1024, timeoutMs: 10_000 })
      : undefined;
  if (read?.type === 'refused')
    return response
      .writeHead(read.status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: read.message } }));
  return endpoint.handle(request, response, read?.value);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  console.log(`listening on ${port}`);
});
