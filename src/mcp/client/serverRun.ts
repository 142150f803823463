import { SaidError, saidBy, say, withTexts } from '../../core/base/sentence';
import { firstLine } from '../../core/base/errorText';
import { mcpError } from '../../core/foreign/mcpError';
import type { McpServerSpec } from '../../core/foreign/serverSpec';
import { isToolError, refusal } from '../../core/vocabulary/errors';
import type { McpClientPorts } from './clientPorts';
import type { McpConnection } from './connection';
import { SessionOver } from './connectionLost';
import type { Launch } from './launch';
import type { Opened } from './openConnection';
import type { ServerLog } from './serverLog';
import type { Standing } from './standing';

const startTimeoutMs = 30_000;
const firstPauseMs = 500;
const longestPauseMs = 60_000;

interface RunEvents {
  readonly onStanding: (standing: Standing) => void;
  /** The server says that its tools are others now. */
  readonly onToolsChanged: () => void;
}

/** Connections that a server has ended and that may still answer; the oldest beyond it is closed. */
const mostLeft = 3;

/**
 * The connection to one server: made on first use, again after a pause that doubles with each failure in a row, ended
 * with the server's whole process group.
 */
export class ServerRun {
  readonly #ports: McpClientPorts;
  readonly #log: ServerLog;
  readonly #events: RunEvents;
  /**
   * Of a workspace's entry: what may be started, looked at anew before each start. Throws where it is not what was
   * approved.
   */
  readonly #launch: (() => Promise<Launch>) | undefined;
  readonly #stop = new AbortController();
  #opened: Opened | undefined;
  /** In which nothing more is asked, the oldest first; some answers may still come. */
  readonly #left = new Set<Opened>();
  #opening: Promise<McpConnection> | undefined;
  /** How often it was started: what an earlier connection still says is of no use. */
  #attempts = 0;
  #isEnding = false;
  #failures = 0;
  #restsUntil = 0;

  constructor(ports: McpClientPorts, log: ServerLog, events: RunEvents, launch: (() => Promise<Launch>) | undefined) {
    this.#ports = ports;
    this.#log = log;
    this.#events = events;
    this.#launch = launch;
  }

  get connection(): McpConnection | undefined {
    return this.#opened?.connection;
  }

  /** Aborts when the server is gone for good. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  open(spec: McpServerSpec): Promise<McpConnection> {
    if (this.#opened) return Promise.resolve(this.#opened.connection);
    this.#opening ??= this.#start(spec).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Counts a failure, after which the server rests. */
  failed(error: unknown): void {
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** this.#failures++);
    this.#restsUntil = this.#ports.clock.monotonic() + pauseMs;
    const detail = withTexts(saidBy(error), firstLine);
    this.#log.state('failed', detail);
    this.#events.onStanding({ state: 'failed', detail });
  }

  /** A call worked: the next failure is the first again. */
  succeeded(): void {
    this.#failures = 0;
  }

  /** Lets the next start happen at once. */
  endPause(): void {
    this.#restsUntil = 0;
  }

  #forget(...all: readonly Opened[]): void {
    for (const one of all) {
      this.#left.delete(one);
      one.kill();
    }
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#isEnding = true;
    this.#opened = undefined;
    this.#forget(...this.#left);
    try {
      await opened?.connection.close();
    } finally {
      this.#isEnding = false;
    }
    if (opened) this.#log.state('stopped', say('note_stopped_by_user'));
  }

  /** Ends it for good, without waiting. */
  kill(): void {
    this.#isEnding = true;
    this.#stop.abort();
    const opened = this.#opened;
    this.#opened = undefined;
    opened?.kill();
    this.#forget(...this.#left);
    if (opened) this.#log.state('stopped', say('note_stopped_with_settings'));
  }

  async #start(spec: McpServerSpec): Promise<McpConnection> {
    const { name } = spec;
    const restMs = this.#restsUntil - this.#ports.clock.monotonic();
    if (restMs > 0)
      throw refusal('mcp_error', say('mcp_rests', name, Math.ceil(restMs / 1000)), {
        retryable: true,
        retryAfterMs: Math.ceil(restMs),
      });
    this.#events.onStanding({ state: 'starting' });
    const opened = await this.#connect(spec).catch((error: unknown) => {
      this.#notStanding(error);
      throw isToolError(error)
        ? error
        : mcpError(`the MCP server \`${name}\` did not start: ${firstLine(error)}`, { server: name }, true);
    });
    if (this.signal.aborted) {
      opened.kill();
      throw mcpError(`the MCP server \`${name}\` is being closed`);
    }
    this.#opened = opened;
    const { connection } = opened;
    void this.#ports.storage
      .set(`mcp.protocol.${name}`, connection.known.kind === 'legacy' ? 'legacy' : undefined)
      .catch((error: unknown) => this.#log.add(`error: ${firstLine(error)}`));
    this.#log.state('started', say('note_protocol', connection.protocol));
    this.#events.onStanding({ state: 'running' });
    return connection;
  }

  async #connect(spec: McpServerSpec): Promise<Opened> {
    const { openConnection } = await import('./openConnection');
    const launch = await this.#launch?.();
    const attempt = ++this.#attempts;
    return openConnection(this.#ports, spec, {
      ...(launch ? { launch } : {}),
      known: this.#ports.storage.get(`mcp.protocol.${spec.name}`) === 'legacy' ? { kind: 'legacy' } : undefined,
      startTimeoutMs,
      signal: this.signal,
      onToolsChanged: this.#events.onToolsChanged,
      onOver: (why) => attempt === this.#attempts && this.#ended(why),
      onClose: () => attempt === this.#attempts && this.#closed(),
      onError: (error) => this.#log.add(`error: ${error.message}`),
      onLog: (line) => this.#log.add(line),
    });
  }

  #notStanding(error: unknown): void {
    // Whoever would not sign in is not asked again until they start the server by hand.
    if (isToolError(error) && error.data.code === 'declined')
      this.#events.onStanding({ state: 'refused', why: 'signedOut' });
    else this.failed(error);
  }

  /** Nothing more can be asked in a connection that nobody closed yet. */
  #ended(why: Error): void {
    const opened = this.#opened;
    this.#opened = undefined;
    if (!opened) return;
    if (why instanceof SessionOver) this.#events.onStanding({ state: 'stopped' });
    else this.#notStanding(why);
    // What else is being answered in it goes on.
    this.#left.add(opened);
    const [oldest] = this.#left;
    if (oldest && this.#left.size > mostLeft) this.#forget(oldest);
  }

  #closed(): void {
    if (!this.#opened) return;
    this.#opened = undefined;
    if (!this.#isEnding) this.failed(new SaidError(say('server_ended')));
  }
}
