import { say } from '../../core/base/sentence';
import { firstLine } from '../../core/base/errorText';
import { type ListedTool, readTools, type ReadTools } from '../../core/foreign/foreignList';
import { listingHash, type Pin, Pins } from '../../core/foreign/pins';
import type { McpServerSpec } from '../../core/foreign/serverSpec';
import type { ToolsAnswer, ToolsApproval } from '../../core/foreign/serverUser';
import { changeLines, listingLines } from '../../core/present/listingWords';
import type { McpClientPorts } from './clientPorts';
import type { McpConnection } from './connection';
import type { KeptLists } from './keptLists';
import { pinName } from './provenance';
import type { ServerLog } from './serverLog';
import { judgedTools } from './serverTools';
import type { Standing } from './standing';

/** Tools that were listed less than so many milliseconds ago are not listed again before a call. */
const discoveryLifeMs = 60_000;
/** An answer that comes sooner (`--yes`) leaves nothing to show; only a person who thinks makes the state visible. */
const visibleAfterMs = 100;

/** The server whose tools are approved. */
interface ApprovedServer {
  spec(): McpServerSpec;
  standing(): Standing;
  setStanding(standing: Standing): void;
  /** Offers exactly these tools; none without a pin. */
  publish(pin: Pin | undefined, listed: readonly ListedTool[] | undefined): void;
  /** What is shown of it changed, though it stands where it stood. */
  changed(): void;
  isRunning(): boolean;
  /** Aborts when nobody waits for an answer any more. */
  readonly signal: AbortSignal;
}

/** What a person approved of a server's tools, held against what the server lists; asks where they differ. */
export class ToolApproval {
  readonly #ports: Pick<McpClientPorts, 'user' | 'clock' | 'crypto'>;
  readonly #pins: Pins;
  readonly #lists: KeptLists;
  readonly #log: ServerLog;
  readonly #server: ApprovedServer;
  #verifying: Promise<void> | undefined;
  #asked: Promise<void> | undefined;
  #connection: McpConnection | undefined;
  #listedAt = Number.NEGATIVE_INFINITY;
  #read: ReadTools | undefined;
  /** How often the server said that its tools changed: what was listed before that says nothing any more. */
  #changes = 0;
  /** True once its tools were approved or a person is being asked about them. */
  isKnown = false;

  constructor(ports: McpClientPorts, lists: KeptLists, log: ServerLog, server: ApprovedServer) {
    this.#ports = ports;
    this.#pins = new Pins(ports.storage, ports.crypto);
    this.#lists = lists;
    this.#log = log;
    this.#server = server;
  }

  /** What was approved, where no signed bundle demands something else. */
  get pin(): Pin | undefined {
    const pin = this.#pins.get(this.#name);
    return pin && this.#isPinned(pin.hash) ? pin : undefined;
  }

  /** Whether tools of this hash are those that every bundle demands; true where none demands any. */
  #isPinned(hash: string): boolean {
    return (this.#server.spec().pinned ?? []).every((one) => one === hash);
  }

  /** What could not be taken of the list. */
  get faults(): ReadTools['faults'] {
    return this.#read?.faults ?? [];
  }

  /** Settles once the person has answered about tools that changed. */
  get answered(): Promise<void> {
    return this.#asked ?? Promise.resolve();
  }

  /** Settles, in any case, once what is being listed has been judged. */
  async settled(): Promise<void> {
    await this.#verifying?.catch(() => undefined);
  }

  /** What was listed counts no longer. */
  outdate(): void {
    this.#listedAt = Number.NEGATIVE_INFINITY;
  }

  /** The server said that its tools changed. */
  announced(): void {
    this.outdate();
    this.#changes++;
  }

  /** Lists the tools and holds them against what was approved, unless that was done within the last minute. */
  async verify(connection: McpConnection): Promise<void> {
    // A server that was started again may be another one.
    if (connection !== this.#connection) this.outdate();
    this.#connection = connection;
    if (this.#ports.clock.monotonic() - this.#listedAt < discoveryLifeMs) return;
    this.#verifying ??= this.#verifyNow(connection).finally(() => {
      this.#verifying = undefined;
    });
    await this.#verifying;
  }

  async #verifyNow(connection: McpConnection): Promise<void> {
    const changes = this.#changes;
    const spec = this.#server.spec();
    const read = readTools(await connection.listTools(this.#server.signal), spec.transport.type === 'http');
    this.#read = read;
    if (!this.#isPinned(listingHash(read, this.#ports.crypto))) {
      // No person here may say yes to what a bundle does not know.
      this.isKnown = true;
      this.#server.publish(undefined, undefined);
      this.#server.setStanding({ state: 'refused', why: 'pinned' });
      this.#log.approval(say('note_pin_differs'));
      return;
    }
    const judged = this.#pins.judge(this.#name, read);
    if (judged.state === 'approved') {
      this.#listed(changes);
      this.isKnown = true;
      this.#server.publish(judged.pin, read.tools);
      if (this.#server.standing().state === 'running') this.#server.changed();
      else this.#server.setStanding({ state: 'running' });
    } else if (judged.state === 'changed') {
      this.isKnown = true;
      const before = judged.pin.tools;
      this.#server.setStanding({ state: 'blocked', diff: (t) => changeLines(before, read.tools, t) });
      this.#log.approval(say('note_pin_changed'));
      // The call that found the change must not wait for a person; the answer is taken when it comes.
      this.#asked = this.#ask(read, changes, (t) => [
        ...changeLines(before, read.tools, t),
        ...(before ? [] : ['', ...listingLines(judgedTools(spec, read.tools), t)]),
      ]);
    } else await this.#askVisibly(read, changes);
  }

  /** What was listed holds for a while, unless the server has said meanwhile that it is another list. */
  #listed(changes: number): void {
    if (changes === this.#changes) this.#listedAt = this.#ports.clock.monotonic();
  }

  async #askVisibly(read: ReadTools, changes: number): Promise<void> {
    const showing = this.#ports.clock.schedule(() => {
      this.isKnown = true;
      this.#server.setStanding({ state: 'asking' });
    }, visibleAfterMs);
    try {
      await this.#ask(read, changes, undefined);
    } finally {
      showing.dispose();
      this.isKnown = true;
      this.#server.changed();
    }
  }

  async #ask(read: ReadTools, changes: number, diff: ToolsApproval['diff']): Promise<void> {
    const { signal } = this.#server;
    const question = { ...this.#question(read.tools), ...(diff ? { diff } : {}) };
    const answer = await this.#ports.user.approveTools(question, signal).catch((error: unknown): ToolsAnswer => {
      this.#log.add(`asking the user failed: ${firstLine(error)}`);
      return 'refuse';
    });
    // Meanwhile the server may have changed once more, or have been stopped: an answer holds for what was shown.
    if (signal.aborted || this.#read !== read) return;
    if (answer === 'refuse' || answer === 'withdraw') {
      if (!diff) this.#server.setStanding({ state: 'refused', why: 'notApproved' });
      return;
    }
    // Other tools are another version, which may offer other things.
    if (diff) await this.#lists.forget(this.#server.spec());
    const pin = await this.#pins.approve(this.#name, read, answer === 'approve-with-hints', this.#ports.clock.now());
    this.#log.approval(say('note_pin_approved', pin.hash.slice(0, 12)));
    this.#listed(changes);
    this.#server.publish(pin, read.tools);
    this.#server.setStanding({ state: this.#server.isRunning() ? 'running' : 'stopped' });
  }

  /** Shows approved tools once more: what is believed of them may change, and the approval may be taken back. */
  async reconsider(pin: Pin, tools: readonly ListedTool[]): Promise<void> {
    const { signal } = this.#server;
    const question = { ...this.#question(tools), approved: { hintsConfirmed: pin.hintsConfirmed } };
    const answer = await this.#ports.user.approveTools(question, signal);
    // Meanwhile the approval may have been replaced: an answer holds for what was shown.
    if (signal.aborted || answer === 'refuse' || this.pin?.hash !== pin.hash) return;
    if (answer === 'withdraw') {
      await this.forget();
      this.#log.approval(say('note_pin_withdrawn'));
      this.#server.publish(undefined, undefined);
      this.#server.setStanding({ state: 'refused', why: 'withdrawn' });
      return;
    }
    const next = await this.#pins.confirmHints(this.#name, answer === 'approve-with-hints');
    this.#log.approval(say(answer === 'approve-with-hints' ? 'note_hints_believed' : 'note_hints_not_believed'));
    if (next) this.#server.publish(next, tools);
  }

  forget(): Promise<void> {
    return this.#pins.forget(this.#name);
  }

  get #name(): string {
    return pinName(this.#server.spec());
  }

  #question(tools: readonly ListedTool[]): ToolsApproval {
    const spec = this.#server.spec();
    return {
      server: spec.name,
      count: tools.length,
      lines: (t) => listingLines(judgedTools(spec, tools), t),
      readOnly: tools.filter((tool) => tool.annotations?.readOnlyHint === true).map((tool) => tool.name),
    };
  }
}
