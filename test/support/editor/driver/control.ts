import { randomBytes } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compileFunction } from 'node:vm';
import * as vscode from 'vscode';
import type { Driver } from './api';
import type { ScriptEntry } from './model';
import type { ControlAddress } from './plan';
import type { AgentTurn } from './turn';

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** Functions travel as their source, as in a browser test: they see their arguments and nothing around them. */
function revive(source: string): (...args: unknown[]) => unknown {
  return compileFunction(`return (${source})`)() as (...args: unknown[]) => unknown;
}

function reviveEntry(entry: unknown): ScriptEntry {
  const source = (entry as { source?: unknown }).source;
  return typeof source === 'string' ? (revive(source) as ScriptEntry) : (entry as ScriptEntry);
}

async function answer(driver: Driver, route: string, body: Record<string, unknown>): Promise<unknown> {
  switch (route) {
    case 'POST /script':
      return driver.model.script((body['steps'] as unknown[]).map(reviveEntry));
    case 'GET /requests':
      return {
        requests: driver.model.requests,
        sideRequests: driver.model.sideRequests,
        pending: driver.model.pending.length,
      };
    case 'POST /execute':
      return vscode.commands.executeCommand(
        body['command'] as string,
        ...((body['args'] as unknown[] | undefined) ?? []),
      );
    case 'POST /turn':
      return driver.runAgentTurn(body as unknown as AgentTurn);
    case 'POST /evaluate':
      return revive(body['source'] as string)(vscode, ...((body['args'] as unknown[] | undefined) ?? []));
    default:
      throw new Error(`no such route: ${route}`);
  }
}

/** What the editor gives back may hold live objects that lead back to themselves; only what JSON can carry crosses. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify({ value });
  } catch {
    const seen = new WeakSet<object>();
    return JSON.stringify({ value }, (_key, item: unknown) => {
      if (typeof item === 'bigint') return String(item);
      if (typeof item !== 'object' || item === null) return item;
      if (seen.has(item)) return undefined;
      seen.add(item);
      return item;
    });
  }
}

/** Lets the outer process script the model and run commands; on loopback, with a token, and only in tests. */
export async function startControl(driver: Driver): Promise<vscode.Disposable> {
  const token = randomBytes(16).toString('hex');
  const server = createServer((request, response) => {
    const send = (status: number, text: string): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    };
    if (request.headers['x-token'] !== token) return send(403, toJson('wrong token'));
    readBody(request)
      .then((body) => answer(driver, `${request.method} ${request.url}`, body))
      .then(
        (value) => send(200, toJson(value)),
        (error: unknown) => send(500, toJson(error instanceof Error ? (error.stack ?? error.message) : String(error))),
      );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address: ControlAddress = { port: (server.address() as AddressInfo).port, token, pid: process.pid };
  const temporary = `${driver.plan.controlFile}.tmp`;
  await writeFile(temporary, JSON.stringify(address), { mode: 0o600 });
  await rename(temporary, driver.plan.controlFile);
  return { dispose: () => server.close() };
}
