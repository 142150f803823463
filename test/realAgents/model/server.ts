import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { anthropic } from './anthropic';
import { chat } from './chat';
import { gemini } from './gemini';
import { responses } from './responses';
import { isRecord, type ModelCall, type Protocol } from './script';

const protocols: readonly Protocol[] = [anthropic, responses, chat, gemini];

/** A model on loopback that calls what its script says, one call after another. */
export interface ScriptedModel {
  readonly port: number;
  /**
   * Begins anew with another script.
   * @param before is called once before each call goes out, with its number.
   */
  play(calls: readonly ModelCall[], before?: (at: number) => void | Promise<void>): void;
  /** What the model was told after each call, in the order of the script. */
  results(): readonly string[];
  /** The tools of the last request. */
  tools(): readonly string[];
  /** Other machines that somebody wanted to reach through it; it lets nobody through. */
  refused(): readonly string[];
  close(): Promise<void>;
}

export async function startModel(): Promise<ScriptedModel> {
  let [script, results, tools]: [readonly ModelCall[], readonly string[], readonly string[]] = [[], [], []];
  let beforeCall: (at: number) => void | Promise<void> = () => undefined;
  const refused = new Set<string>();
  const open = new Set<Socket>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    if (/^https?:/.test(path)) {
      refused.add(new URL(path).host);
      return void response.writeHead(403).end();
    }
    const body = await bodyOf(request);
    const protocol = protocols.find((one) => one.handles(path));
    if (!protocol) return void json(response, other(path));
    const had = protocol.results(body);
    if (had && (had.length > results.length || tools.length === 0)) {
      results = had;
      tools = protocol.tools(body);
      if (had.length < script.length) await beforeCall(had.length);
    }
    const call = had ? script[had.length] : undefined;
    const turn = { id: `${had?.length ?? 'beside'}_${Math.round(performance.now())}`, text: 'done' };
    const { type, text } = protocol.answer(call ? { ...turn, call } : turn, body, path);
    response.writeHead(200, { 'content-type': type }).end(text);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
  });
  // Agents take it for their proxy as well, so that what looks for another machine is seen and ends here.
  server.on('connect', (request, socket) => {
    refused.add(request.url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    play(calls, before = () => undefined) {
      [script, results, tools] = [calls, [], []];
      beforeCall = before;
    },
    results: () => results,
    tools: () => tools,
    refused: () => [...refused].sort(),
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  try {
    const value: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** What is asked beside the model: counts, lists of models, reports. */
function other(path: string): object {
  if (path.includes('count_tokens')) return { input_tokens: 10 };
  if (path.includes(':countTokens')) return { totalTokens: 10 };
  if (/\/models(?:\?|$)/.test(path)) return { object: 'list', data: [{ id: 'stub', object: 'model' }], models: [] };
  return {};
}

const json = (response: ServerResponse, value: object): ServerResponse =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
