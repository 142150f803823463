import { randomBytes, randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Widening } from '../../../src/core/agent/saveAgent';
import { AgentsApi } from '../../../src/mcp/server/agentsApi';
import { ProfileEditor } from '../../../src/core/profiles/profileEditor';
import { GovernedTools } from '../../../src/mcp/server/governed';
import { type Loopback, startLoopback } from '../../../src/mcp/server/loopback';
import { RunningCalls } from '../../../src/mcp/server/runningCalls';
import { gateway, type GatewayOptions, scriptedUser } from './harness';

export const token = randomBytes(32).toString('hex');
export const apiToken = randomBytes(32).toString('hex');

/** A loopback server over the real core, with what a test needs to call it. */
export async function started({
  bodyTimeoutMs,
  listWaitMs,
  ...options
}: GatewayOptions & { bodyTimeoutMs?: number; listWaitMs?: number } = {}) {
  const g = await gateway({ serverUser: scriptedUser().user, ...options });
  const widenings: Widening[] = [];
  let approve = true;
  const tools = new GovernedTools({
    registry: g.core.tools.registry,
    profiles: g.core.tools.profiles,
    router: g.core.gate.router,
    prompt: () => g.core.agents.runtimeAgent().systemPrompt,
  });
  const editor = new ProfileEditor({
    store: g.core.tools.profiles,
    settings: g.opened.profileSettings,
    log: g.core.gate.ports.log,
  });
  const agents = new AgentsApi({
    registry: g.core.tools.registry,
    profiles: g.core.tools.profiles,
    crypto: g.core.gate.ports.crypto,
    editor,
    approve: async (widening) => {
      widenings.push(widening);
      return approve;
    },
  });
  const errors: Error[] = [];
  const server: Loopback = await startLoopback({
    identity: { name: 'test', title: 'Test', version: '1.0.0' },
    toolCalls: {
      tools,
      calls: new RunningCalls(),
      crypto: g.core.gate.ports.crypto,
      ...(listWaitMs === undefined ? {} : { contents: true, listWaitMs }),
    },
    port: 0,
    token,
    ...(bodyTimeoutMs === undefined ? {} : { bodyTimeoutMs }),
    api: { token: apiToken, agents },
    onError: (error) => errors.push(error),
  });
  return {
    ...g,
    server,
    widenings,
    errors,
    refuse: () => {
      approve = false;
    },
    async client(modern = false, bearer = token) {
      const client = new Client(
        { name: `client-${randomUUID()}`, version: '1' },
        { versionNegotiation: { mode: modern ? { pin: '2026-07-28' } : 'legacy' } },
      );
      await client.connect(
        new StreamableHTTPClientTransport(new URL(server.url), {
          requestInit: { headers: { Authorization: `Bearer ${bearer}` } },
        }),
      );
      return client;
    },
    async close() {
      await server.close();
      tools.dispose();
      await g.close();
    },
  };
}

export type Started = Awaited<ReturnType<typeof started>>;

export interface Raw {
  status: number;
  body: any;
  headers: Record<string, unknown>;
}

/** A request with exactly these headers; `undefined` leaves one out. */
export function raw(
  port: number,
  options: { method?: string; path?: string; headers?: Record<string, string | undefined>; body?: string },
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...options.headers,
    }))
      if (value !== undefined) headers[name] = value;
    const outgoing = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method: options.method ?? 'POST',
        path: options.path ?? '/mcp',
        headers,
        setHost: false,
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (part: string) => {
          text += part;
        });
        answer.on('end', () => {
          let body: unknown = text;
          try {
            body = JSON.parse(text.replace(/^event:.*\n|^data: /gm, ''));
          } catch {
            // Not every answer is JSON.
          }
          resolve({ status: answer.statusCode ?? 0, body, headers: answer.headers });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(options.body ?? JSON.stringify(ping));
  });
}

/** The first message of a client. */
export const ping = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
