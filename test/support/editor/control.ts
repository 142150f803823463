import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import type * as vscode from 'vscode';
import type { ModelRequest, ScriptEntry, Step } from './driver/model';
import type { ControlAddress } from './driver/plan';
import type { AgentTurn, AgentTurnResult } from './driver/turn';

async function readAddress(file: string): Promise<ControlAddress> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text) as ControlAddress;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error('the driver extension did not start within 60 s');
}

/** Functions cross as their source: they see their arguments and nothing around them. */
function portable(entry: ScriptEntry): Step | { source: string } {
  return typeof entry === 'function' ? { source: entry.toString() } : entry;
}

/** The extension host as the outer process reaches it: the scripted model, commands, and code run beside `vscode`. */
export class HostControl {
  private readonly address: ControlAddress;
  /**
   * A connection for each call: one that is kept is closed by the host while a test is busy for some seconds, and the
   * next call fails.
   */
  private readonly connections = new Agent({ keepAlive: false });

  private constructor(address: ControlAddress) {
    this.address = address;
  }

  static async connect(controlFile: string): Promise<HostControl> {
    return new HostControl(await readAddress(controlFile));
  }

  private async call(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const { status, value } = await new Promise<{ status: number; value: unknown }>((done, failed) => {
      const headers = { 'x-token': this.address.token, 'content-type': 'application/json' };
      const sent = request(
        { host: '127.0.0.1', port: this.address.port, path, method, headers, agent: this.connections },
        (response) => {
          json(response).then(
            (answer) => done({ status: response.statusCode ?? 0, value: (answer as { value?: unknown }).value }),
            failed,
          );
        },
      );
      sent.on('error', failed);
      sent.end(body ? JSON.stringify(body) : undefined);
    });
    if (status !== 200) throw new Error(`in the extension host: ${String(value)}`);
    return value;
  }

  /** Forgets earlier requests and lays out the model's next answers. */
  async script(steps: ScriptEntry[]): Promise<void> {
    await this.call('POST', '/script', { steps: steps.map(portable) });
  }

  async requests(): Promise<ModelRequest[]> {
    return ((await this.call('GET', '/requests')) as { requests: ModelRequest[] }).requests;
  }

  async execute(command: string, ...args: unknown[]): Promise<unknown> {
    return this.call('POST', '/execute', { command, args });
  }

  /**
   * Sends one message to the chat and waits for the complete answer; modals and confirmations are the test's to press.
   */
  async runAgentTurn(turn: AgentTurn): Promise<AgentTurnResult> {
    return (await this.call('POST', '/turn', turn)) as AgentTurnResult;
  }

  async evaluate<A extends unknown[], R>(run: (api: typeof vscode, ...args: A) => R, ...args: A): Promise<Awaited<R>> {
    return (await this.call('POST', '/evaluate', { source: run.toString(), args })) as Awaited<R>;
  }
}
