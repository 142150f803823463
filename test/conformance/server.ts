// Serves the tools that the official conformance suite asks for, over our own endpoint and gate. The suite cannot send a token, so the
// token alone is left out; host and origin are checked as in the product.
import { createServer } from 'node:http';
import { GovernedTools } from '../../src/mcp/server/governed';
import { McpEndpoint } from '../../src/mcp/server/mcpEndpoint';
import { readJsonBody } from '../../src/mcp/server/body';
import { checkOrigin } from '../../src/mcp/server/requestGuard';
import { RunningCalls } from '../../src/mcp/server/runningCalls';
import { ToolError } from '../../src/core/errors';
import { parseProfile, resolveProfile } from '../../src/core/profile';
import { defineTool, type ToolContext } from '../../src/core/tool';
import type { ToolOutcome } from '../../src/core/toolResult';
import { nodeCrypto } from '../../src/node/system';
import { definition, makeGate } from '../support/gate';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const calls = new RunningCalls();

type Run = (input: any, context: ToolContext) => Promise<ToolOutcome>;
const tools: Record<string, { run: Run; schema?: object }> = {
  test_simple_text: { run: async () => ({ payload: { text: 'This is a simple text response for testing.' } }) },
  test_image_content: { run: async () => ({ payload: { text: 'a picture' }, media: [{ mimeType: 'image/png', data: png }] }) },
  test_audio_content: { run: async () => ({ payload: { text: 'a sound' }, media: [{ mimeType: 'audio/wav', data: wav }] }) },
  test_error_handling: {
    run: async () => {
      throw new ToolError({ code: 'mcp_error', message: 'This tool intentionally returns an error for testing', retryable: false });
    },
  },
  test_tool_with_progress: {
    run: async (_input, context) => {
      for (const part of [0, 0.5, 1]) {
        context.report({ message: `Completed ${part * 100} %`, fraction: part });
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      return { payload: { text: 'done' } };
    },
  },
  test_elicitation: {
    schema: { type: 'object', properties: { message: { type: 'string' } } },
    run: async (input, context) => {
      const answer = await calls.of(context.invocationId, undefined)?.ask(
        {
          message: input.message ?? 'Who are you?',
          schema: {
            type: 'object',
            properties: { username: { type: 'string' }, email: { type: 'string' } },
            required: ['username', 'email'],
          },
        },
        context.signal,
      );
      return { payload: { text: `User response: ${JSON.stringify(answer)}` } };
    },
  },
  json_schema_2020_12_tool: {
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    run: async (input) => ({ payload: { text: JSON.stringify(input) } }),
  },
};

const gate = makeGate({
  capabilities: [
    {
      id: 'conformance',
      version: '1.0.0',
      name: 'Conformance',
      description: 'Fixtures of the conformance suite',
      status: 'available',
      source: { type: 'builtin' },
      tools: Object.entries(tools).map(([name, { run, schema }]) =>
        defineTool(definition({ name, contentField: 'text', inputSchema: { type: 'object', properties: {}, ...schema } }), async () => ({
          accesses: () => [],
          run,
        })),
      ),
    },
  ],
});
const profile = resolveProfile(parseProfile('test', { capabilities: ['conformance'] }, 'user').value, gate.registry);
const listeners = new Set<() => void>();
const profiles = {
  active: () => profile,
  onDidChange: (listener: () => void) => (listeners.add(listener), { dispose: () => listeners.delete(listener) }),
};
const governed = new GovernedTools({ registry: gate.registry, profiles: profiles as never, router: gate.router, prompt: () => '' });
const endpoint = new McpEndpoint({
  identity: { name: 'conformance', title: 'Conformance', version: '1.0.0' },
  parts: { tools: governed, calls, crypto: nodeCrypto },
  onError: () => undefined,
});
let port = 0;
const server = createServer(async (request, response) => {
  const refusal = checkOrigin(request, port);
  if (refusal) return response.writeHead(refusal.status).end(refusal.message);
  const read = request.method === 'POST' ? await readJsonBody(request, 4 * 1024 * 1024) : undefined;
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
