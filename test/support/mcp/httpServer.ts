import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Message {
  readonly id?: number;
  readonly method: string;
}

/** What a test makes of a request; false where the server is to answer as it always does. */
type Behaviour = (message: Message, response: ServerResponse) => boolean;

/** An MCP server over HTTP that gives sessions, of the older protocol; it forgets them where `sessions` is cleared. */
export async function httpServer() {
  const sessions = new Set<string>();
  const heard: string[] = [];
  const at = { behave: ((_message, _response) => false) as Behaviour };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += String(part);
    const json = (status: number, value: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    };
    // Such as a server that has no stream of its own.
    if (request.method !== 'POST') return json(404, {});
    const message = JSON.parse(text) as Message;
    heard.push(message.method);
    if (at.behave(message, response)) return;
    const session = request.headers['mcp-session-id'];
    if (message.method === 'initialize') {
      const given = randomUUID();
      sessions.add(given);
      const serverInfo = { name: 'http', version: '1' };
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
      return json(200, { jsonrpc: '2.0', id: message.id, result }, { 'mcp-session-id': given });
    }
    if (message.method === 'server/discover')
      return json(400, { jsonrpc: '2.0', id: message.id, error: { code: -32_601, message: 'no such method' } });
    if (typeof session !== 'string' || !sessions.has(session)) return json(404, { error: 'no such session' });
    if (message.id === undefined) return json(202, {});
    const results: Record<string, unknown> = {
      'tools/list': { tools: [{ name: 'greet', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'hello' }] },
    };
    json(200, { jsonrpc: '2.0', id: message.id, result: results[message.method] ?? {} });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    sessions,
    /** The methods that were asked for. */
    heard,
    at,
    entry: { type: 'http', url: `http://127.0.0.1:${port}/mcp` },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
