import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { isJSONRPCResponse, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { isObject } from '../../core/base/json';
import { tooDeepAt } from '../../core/base/nesting';
import { withinMs } from '../../core/base/pause';
import { errorOf } from '../../core/base/errorText';
import type { McpTransportSpec } from '../../core/foreign/transportSpec';
import { ByteLines } from '../byteLines';
import { ConnectionLost } from './connectionLost';
import { isNote, MessageRate, mostPerSecond } from './messageRate';
import { endTreeOnWindows, spawnOnWindows } from './windowsCommand';

interface StdioOptions extends Omit<Extract<McpTransportSpec, { type: 'stdio' }>, 'type'> {
  /** A message of more bytes ends the connection. */
  readonly maxMessageBytes: number;
  /** What the server writes to its error output, line by line. */
  readonly onLog: (line: string) => void;
}

const isWindows = process.platform === 'win32';
/** How long a server may take to end by itself once its input is closed, and then once it is told to. */
const politeMs = 500;
const forcedMs = 1000;
/**
 * Speaks newline-delimited JSON with a child process. In contrast to the SDK's transport the child leads a process
 * group of its own, so that what it started ends with it; messages are bounded in bytes, depth and number; and lines
 * are found without copying the buffer each time.
 */
export class StdioTransport implements Transport {
  readonly #options: StdioOptions;
  #child: ChildProcess | undefined;
  readonly #lines = new ByteLines();
  #closed = false;
  readonly #rate = new MessageRate();
  readonly #queue: JSONRPCMessage[] = [];
  #isDraining = false;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];

  constructor(options: StdioOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    if (this.#child) throw new Error('the transport was started before');
    const { command, args, env, cwd } = this.#options;
    const options: SpawnOptions = {
      env: { ...env },
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: !isWindows,
      windowsHide: true,
      shell: false,
    };
    const child = isWindows ? await spawnOnWindows(command, args, options) : spawn(command, [...args], options);
    this.#child = child;
    // Closed while the starter was loaded.
    if (this.#closed) this.#signal('SIGKILL');
    return new Promise((resolve, reject) => {
      child.once('error', (error) => {
        reject(error);
        this.onerror?.(error);
      });
      child.once('spawn', () => resolve());
      child.once('close', () => this.#ended());
      // A child of the server may hold its output open for ever; what the server still wrote is read before.
      child.once('exit', () => void setTimeout(() => this.#closed || this.kill(), politeMs).unref());
      // A broken pipe is told by `close`; without listeners it would end the host.
      child.stdin?.on('error', (error) => this.onerror?.(error));
      child.stdout?.on('error', (error) => this.onerror?.(error));
      child.stdout?.on('data', (chunk: Buffer) => this.#receive(chunk));
      child.stderr?.setEncoding('utf8');
      let rest = '';
      child.stderr?.on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = (lines.pop() ?? '').slice(-2000);
        for (const line of lines.slice(0, 200)) this.#options.onLog(line.slice(0, 2000));
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin;
    if (!input || this.#closed || !input.writable)
      return Promise.reject(new ConnectionLost('the server is not running'));
    if (input.write(`${JSON.stringify(message)}\n`)) return Promise.resolve();
    return new Promise((resolve) => input.once('drain', resolve));
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) {
      this.#ended();
      return;
    }
    const ended = new Promise<true>((resolve) => child.once('close', () => resolve(true)));
    child.stdin?.end();
    if (!(await withinMs(ended, politeMs))) {
      this.#signal('SIGTERM');
      if (!(await withinMs(ended, forcedMs))) {
        this.#signal('SIGKILL');
        await withinMs(ended, forcedMs);
      }
    }
    // Whatever the server left running ends with it.
    this.#signal('SIGKILL');
    this.#ended();
  }

  /** Ends the process group at once, for a host that is closing and cannot wait. */
  kill(): void {
    this.#signal('SIGKILL');
    this.#ended();
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      if (isWindows) {
        // The number of one that has ended may be another program's by now.
        if (this.#child?.exitCode === null) endTreeOnWindows(pid);
      } else process.kill(-pid, signal);
    } catch {
      // The group is gone already.
    }
  }

  #ended(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#lines.clear();
    this.onclose?.();
  }

  #fail(reason: string): void {
    this.onerror?.(new Error(reason));
    this.kill();
  }

  #receive(chunk: Buffer): void {
    this.#lines.add(chunk, (line) => {
      if (!this.#closed && this.#isBounded(line.length)) this.#line(line);
    });
    if (this.#closed) this.#lines.clear();
    else this.#isBounded(this.#lines.pending);
  }

  /** Ends the connection where a message has too many bytes. */
  #isBounded(bytes: number): boolean {
    const most = this.#options.maxMessageBytes;
    if (bytes > most) this.#fail(`a message has more than ${most} bytes`);
    return bytes <= most;
  }

  #line(line: Buffer): void {
    if (this.#rate.isFlood()) return this.#fail(`more than ${mostPerSecond} messages came within a second`);
    const text = line.toString('utf8').trim();
    if (text === '') return;
    if (text[0] !== '{' && text[0] !== '[') {
      // Many servers print greetings to their output; such a line is a line of the log.
      this.#options.onLog(text.slice(0, 2000));
      return;
    }
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch (error) {
      this.onerror?.(errorOf(error));
      return;
    }
    this.#deliver(message, text);
  }

  #deliver(message: unknown, text: string): void {
    const isDeep = tooDeepAt(text, deepest) !== undefined;
    for (const came of Array.isArray(message) ? message : [message]) {
      const one = (isDeep ? refusal(came, 'it is nested too deep') : unusable(came)) ?? came;
      if (!this.#rate.takes(one)) continue;
      // The protocol layer checks each message before it uses it; what it cannot use it reports as an error.
      this.#queue.push(one as JSONRPCMessage);
    }
    if (!this.#isDraining) this.#drain();
  }

  /**
   * Hands messages on in order. The SDK handles a notification a little later than an answer, and forgets who waits for
   * progress with the answer; so whatever follows a notification waits for the next turn.
   */
  #drain(): void {
    this.#isDraining = true;
    for (;;) {
      const message = this.#queue.shift();
      if (message === undefined || this.#closed) break;
      try {
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(errorOf(error));
        const fallback = refusal(message, 'it could not be read');
        if (fallback) this.onmessage?.(fallback);
      }
      if (isNote(message)) {
        setImmediate(() => this.#drain());
        return;
      }
    }
    this.#isDraining = false;
  }
}

/** Such an answer would be dropped by the protocol layer, and its caller would wait until the timeout. */
function unusable(message: unknown): JSONRPCMessage | undefined {
  if (!isObject(message) || 'method' in message || isJSONRPCResponse(message)) return undefined;
  return refusal(message, 'it is no answer as JSON-RPC and MCP have it');
}

/** An error answer in place of one that must not be handed on, so that its caller hears at once. */
function refusal(message: unknown, why: string): JSONRPCMessage | undefined {
  const id = isObject(message) ? message['id'] : undefined;
  if (typeof id !== 'number' && typeof id !== 'string') return undefined;
  return { jsonrpc: '2.0', id, error: { code: -32603, message: `the server's answer cannot be used: ${why}` } };
}

const deepest = 5000;
