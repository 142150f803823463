import { noteChange } from '../../core/audit/noteChange';
import { type Sentence, worded } from '../../core/base/sentence';
import { visible } from '../../core/base/visible';
import type { McpClientPorts } from './clientPorts';

const keptLines = 500;

/**
 * What one server did and said: its starts and ends, what it wrote to its error output and said in log messages; each
 * line with its time, oldest first. What a person decided about it, and its starts and ends, go to the record too.
 */
export class ServerLog {
  readonly lines: string[] = [];
  readonly #ports: Pick<McpClientPorts, 'audit' | 'clock'>;
  readonly #server: string;
  readonly #onLine: () => void;

  constructor(ports: Pick<McpClientPorts, 'audit' | 'clock'>, server: string, onLine: () => void) {
    this.#ports = ports;
    this.#server = server;
    this.#onLine = onLine;
  }

  add(text: string): void {
    this.lines.push(`${new Date(this.#ports.clock.now()).toISOString()} ${visible(text)}`);
    if (this.lines.length > keptLines) this.lines.splice(0, this.lines.length - keptLines);
    this.#onLine();
  }

  state(state: 'started' | 'stopped' | 'failed', detail: Sentence): void {
    this.add(`${state}: ${worded(detail)}`);
    this.#ports.audit.record({ type: 'server', time: this.#ports.clock.now(), server: this.#server, state, detail });
  }

  /** Records what became of the approval of its tools. */
  approval(detail: Sentence): void {
    noteChange(this.#ports, 'pin', `mcp:${this.#server}`, detail);
  }
}
