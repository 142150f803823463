import { type ListToolsResult, Server } from '@modelcontextprotocol/server';
import type { Disposable } from '../../core/base/lifecycle';
import { ServedContents } from './servedContents';
import { type ToolCallOptions, ToolCalls } from './toolCalls';

export interface ServerIdentity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/**
 * A server for one connection. Nothing is shared between connections but the tools themselves, so that no answer can
 * reach another client.
 */
export interface MadeServer extends Disposable {
  readonly server: Server;
  /** Told once the handshake is over, each time that a client makes one. */
  readonly onInitialized: (listener: () => void) => void;
}

const longestInstructions = 16_000;

/**
 * Makes the low-level server of one connection: `tools/list` answers what the profile offers, `tools/call` goes through
 * the gate. Where one server lives for a single request only, `shared` keeps the calls that wait for an answer, and
 * notifications go another way.
 */
export function makeServer(identity: ServerIdentity, toolCalls: ToolCallOptions, shared?: ToolCalls): MadeServer {
  const { tools } = toolCalls;
  const instructions = tools.instructions().slice(0, longestInstructions);
  const server = new Server(identity, {
    capabilities: {
      tools: { listChanged: true },
      ...(toolCalls.contents ? { resources: {}, prompts: {}, completions: {} } : {}),
    },
    ...(instructions === '' ? {} : { instructions }),
  });
  const tellChange = (): void => {
    // A connection that is closing takes no more notifications.
    server.sendToolListChanged().catch(() => undefined);
  };
  const calls = shared ?? new ToolCalls(toolCalls, tellChange);
  server.setRequestHandler('tools/list', async () => {
    // Our list is plain JSON of exactly this shape; the SDK's type also spells out every JSON value inside schemas.
    const listed: readonly unknown[] = await tools.list(calls.revealed);
    return { tools: [...listed] as ListToolsResult['tools'] };
  });
  server.setRequestHandler('tools/call', (request, context) => calls.call(request.params, server, context));
  if (toolCalls.contents) new ServedContents(tools, calls, toolCalls.listWaitMs).attach(server);
  const listeners: (() => void)[] = [];
  const onInitialized = (listener: () => void): void => void listeners.push(listener);
  if (shared) return { server, onInitialized, dispose() {} };
  calls.startConnection();
  // Whoever shakes hands anew is another client, whatever it comes through.
  server.oninitialized = () => {
    calls.startConnection();
    for (const listener of listeners) listener();
  };
  const subscription = tools.onDidChange(tellChange);
  return {
    server,
    onInitialized,
    dispose: () => {
      subscription.dispose();
      calls.dispose();
    },
  };
}
