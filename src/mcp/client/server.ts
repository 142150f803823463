import type { Disposable } from '../../core/base/lifecycle';
import type { Json } from '../../core/base/json';
import { isToolError, toolError } from '../../core/vocabulary/errors';
import { readTools, type ListedTool, type ReadTools } from '../../core/foreign/foreignList';
import { type Pin, Pins } from '../../core/foreign/pins';
import { mcpError } from '../../core/foreign/mcpError';
import { type McpServerSpec } from '../../core/foreign/serverSpec';
import type { ToolsAnswer, ToolsApproval } from '../../core/foreign/serverUser';
import type { McpConnection } from './connection';
import type { Opened } from './openConnection';
import { type KeptList, KeptLists } from './keptLists';
import type { Launch } from './launch';
import { OpenQuestions } from './openQuestions';
import type { SignedOut } from './signOut';
import type { McpParts } from './clientPorts';
import type { ServerState, ServerStatus } from '../../core/foreign/serverStatus';
import type { CallTarget } from './callTool';
import { pinName } from './provenance';
import { PublishedTools } from './publishedTools';
import { RestartPause } from './restartPause';
import { ServerLog } from './serverLog';
import { approvalLines, listingLines } from './serverTools';
import { detailOf, refusalOf, type Standing } from './standing';
import { messageOf } from '../../core/base/errorText';

/** Tools that were listed less than so many milliseconds ago are not listed again before a call. */
const discoveryLifeMs = 60_000;
const startTimeoutMs = 30_000;
const tooLarge = 'the approved list was too large to keep, so what changed in it is unknown; this is all of it now:';

interface ServerListeners {
  /** Called when its state, its tools or what is wrong with them changed. */
  readonly onChange: () => void;
  /** Called for each line of its log. */
  readonly onLog: () => void;
  /**
   * Of a workspace's entry: what may be started, looked at anew before each start. Throws where it is not what was
   * approved.
   */
  readonly launch?: () => Promise<Launch>;
}

/**
 * One configured server: started on first use, verified against the approved listing before every call, restarted after
 * a growing pause, ended with its whole process group. Its capability is in the registry as long as its tools are
 * approved.
 */
export class McpServer implements Disposable, CallTarget {
  #spec: McpServerSpec;
  readonly questions = new OpenQuestions();
  readonly #parts: McpParts;
  readonly #pins: Pins;
  readonly #lists: KeptLists;
  readonly #onChange: () => void;
  readonly #launch: (() => Promise<Launch>) | undefined;
  readonly #log: ServerLog;
  readonly #published: PublishedTools;
  readonly #pause: RestartPause;
  readonly #stop = new AbortController();
  #standing: Standing;
  /** Why the registry did not take its tools. */
  #registryFault: string | undefined;
  #opened: Opened | undefined;
  #opening: Promise<Opened> | undefined;
  #verifying: Promise<void> | undefined;
  #asked: Promise<void> | undefined;
  #listedAt = Number.NEGATIVE_INFINITY;
  #read: ReadTools | undefined;
  /** How often it said that its tools changed: what was listed before that says nothing any more. */
  #changes = 0;
  /** True once its tools were approved or a person is being asked about them. */
  #isKnown = false;
  #isEnding = false;

  constructor(parts: McpParts, spec: McpServerSpec, { onChange, onLog, launch }: ServerListeners) {
    this.#parts = { ...parts, user: this.questions.of(parts.user) };
    this.#spec = spec;
    this.#pins = new Pins(parts.storage, parts.crypto);
    this.#lists = new KeptLists(parts.storage, parts.crypto);
    this.#onChange = onChange;
    this.#launch = launch;
    this.#log = new ServerLog(parts, spec.name, onLog);
    this.#published = new PublishedTools(this.#parts, this);
    this.#pause = new RestartPause(parts.clock);
    this.#standing = { state: spec.enabled ? 'stopped' : 'disabled' };
    this.#publish(spec.enabled ? this.#pins.get(pinName(spec)) : undefined, undefined);
  }

  get spec(): McpServerSpec {
    return this.#spec;
  }

  /**
   * Takes what the user says about its tools from a changed entry. False where more has changed, so that it must be
   * replaced.
   */
  adopt(spec: McpServerSpec): boolean {
    const started = ({ transport, enabled, timeoutMs, protocol, roots, origin }: McpServerSpec): string =>
      JSON.stringify([transport, enabled, timeoutMs, protocol, roots, origin]);
    if (started(spec) !== started(this.#spec)) return false;
    this.#spec = spec;
    const pin = spec.enabled ? this.#pins.get(pinName(spec)) : undefined;
    // What the server lists by now may be another version, which nobody approved.
    if (pin && this.#published.isRegistered) this.#publish(pin, this.#published.approved);
    return true;
  }

  get status(): ServerStatus {
    const detail = this.#registryFault ?? detailOf(this.#standing);
    return {
      name: this.spec.name,
      capabilityId: this.spec.capabilityId,
      origin: this.spec.origin,
      state: this.#state,
      tools: this.#published.count,
      faults: [...(this.#read?.faults ?? []), ...this.#published.faults],
      ...(this.#spec.transport.type === 'http' && this.#spec.transport.oauth ? { signsIn: true } : {}),
      ...(this.#standing.state === 'refused' && this.#standing.why === 'signedOut' ? { signedOut: true } : {}),
      ...(this.#opened ? { protocol: this.#opened.connection.protocol } : {}),
      ...(detail === undefined ? {} : { detail }),
      ...(this.#standing.state === 'blocked' ? { diff: this.#standing.diff } : {}),
    };
  }

  /** What it did and said, oldest first. */
  get log(): readonly string[] {
    return this.#log.lines;
  }

  /** True where nothing is known of its tools yet, so that it has to be started to learn them. */
  get needsDiscovery(): boolean {
    return this.spec.enabled && this.#state === 'stopped' && this.#pins.get(pinName(this.spec))?.tools === undefined;
  }

  /** True while it runs and its tools are not listed yet. */
  get isLearning(): boolean {
    return this.#state === 'running' && !this.#isKnown;
  }

  /** Starts it, lists its tools and holds them against what was approved. Failures end up in the status, not here. */
  async discover(): Promise<void> {
    try {
      await this.#verified();
    } catch (error) {
      this.#note(error);
    }
  }

  /** Asks again about tools that were refused or changed. */
  async review(): Promise<void> {
    this.#listedAt = Number.NEGATIVE_INFINITY;
    this.#pause.end();
    if (this.spec.enabled) this.#set({ state: 'stopped' });
    await this.discover();
    await this.#asked;
  }

  /** Shows the approved tools once more: what is believed of them may change, and the approval may be taken back. */
  async reconsider(): Promise<void> {
    const name = pinName(this.spec);
    const pin = this.#pins.get(name);
    const tools = pin?.tools ?? this.#published.approved;
    if (!pin || !tools || this.#state === 'blocked' || this.#state === 'refused' || this.#state === 'asking')
      return this.review();
    const answer = await this.#parts.user.approveTools(
      { ...this.#question(tools), approved: { hintsConfirmed: pin.hintsConfirmed } },
      this.#stop.signal,
    );
    // Meanwhile the approval may have been replaced: an answer holds for what was shown.
    if (this.#stop.signal.aborted || answer === 'refuse' || this.#pins.get(name)?.hash !== pin.hash) return;
    if (answer === 'withdraw') {
      await this.#pins.forget(name);
      this.#log.approval('withdrawn');
      this.#publish(undefined, undefined);
      this.#set({ state: 'refused', why: 'withdrawn' });
      return;
    }
    const next = await this.#pins.confirmHints(name, answer === 'approve-with-hints');
    this.#log.approval(answer === 'approve-with-hints' ? 'hints confirmed' : 'hints not confirmed');
    if (next) this.#publish(next, tools);
  }

  /** Forgets what was approved, where the server's entry is taken away. */
  async forget(): Promise<void> {
    await this.#pins.forget(pinName(this.spec));
    await this.#lists.forget(this.spec);
  }

  /**
   * Ends it and takes its tokens away, here and at the server that gave them. It asks for a sign-in once it is started
   * by hand.
   */
  async signOut(): Promise<SignedOut> {
    await this.stop();
    const { signOut } = await import('./signOut');
    const done = await signOut(this.#parts, this.#spec, (line) => this.#log.add(line));
    if (this.spec.enabled && this.#state !== 'blocked') this.#set({ state: 'refused', why: 'signedOut' });
    return done;
  }

  async stop(): Promise<void> {
    const opened = this.#opened;
    this.#isEnding = true;
    this.#opened = undefined;
    this.#listedAt = Number.NEGATIVE_INFINITY;
    try {
      await opened?.connection.close();
    } finally {
      this.#isEnding = false;
    }
    if (opened) this.#log.state('stopped', 'by the user');
    if (this.spec.enabled && this.#state !== 'blocked' && this.#state !== 'refused') this.#set({ state: 'stopped' });
  }

  /** Ends it without waiting. */
  dispose(): void {
    this.#isEnding = true;
    this.#stop.abort();
    const opened = this.#opened;
    this.#opened = undefined;
    opened?.kill();
    if (opened) this.#log.state('stopped', 'with its settings or the window');
    this.#published.dispose();
  }

  /**
   * Refuses while the approved tools and the server's tools differ. Called for every call and preview; starts nothing.
   */
  check(): void {
    const refusal = refusalOf(this.spec.name, this.#standing);
    if (refusal) throw refusal;
  }

  /** A connection whose tools were found to be the approved ones within the last minute. */
  async connection(): Promise<McpConnection> {
    return this.#verified();
  }

  /** Tells a running server that the folders of the workspace are others now. */
  foldersChanged(): void {
    this.#opened?.connection.rootsChanged();
  }

  /** Showing what a server offers does not start it, where that is known. */
  keptList(which: KeptList): Json | undefined {
    return this.#opened ? undefined : this.#lists.get(this.#spec, which);
  }

  keepList(which: KeptList, list: Json): void {
    this.#lists
      .keep(this.#spec, which, list)
      .catch((error: unknown) => this.#log.add(`its ${which} could not be kept: ${words(error)}`));
  }

  /** Counts a call that worked, which ends the pauses after failures. */
  succeeded(): void {
    this.#pause.succeeded();
  }

  async #verified(): Promise<McpConnection> {
    this.check();
    const opened = await this.#open();
    if (this.#parts.clock.monotonic() - this.#listedAt >= discoveryLifeMs) {
      this.#verifying ??= this.#verify(opened.connection).finally(() => {
        this.#verifying = undefined;
      });
      await this.#verifying;
    }
    this.check();
    return opened.connection;
  }

  #open(): Promise<Opened> {
    if (this.#opened) return Promise.resolve(this.#opened);
    this.#opening ??= this.#start().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #start(): Promise<Opened> {
    const { name } = this.spec;
    const wait = this.#pause.remainingMs;
    if (wait > 0)
      throw toolError(
        'mcp_error',
        `the MCP server \`${name}\` failed and rests; try again in ${Math.ceil(wait / 1000)} s`,
        {
          retryable: true,
          retryAfterMs: Math.ceil(wait),
        },
      );
    this.#set({ state: 'starting' });
    let opened: Opened | undefined;
    try {
      const { openConnection } = await import('./openConnection');
      const launch = await this.#launch?.();
      const made = await openConnection(this.#parts, this.spec, {
        ...(launch ? { launch } : {}),
        known: knownProtocol(this.#parts.storage.get(`mcp.protocol.${name}`)),
        startTimeoutMs,
        signal: this.#stop.signal,
        onSignIn: () => this.#set({ state: 'starting', detail: 'waits for you to sign in' }),
        onToolsChanged: () => this.#changed(),
        onClose: () => this.#closed(opened),
        onError: (error) => this.#log.add(`error: ${error.message}`),
        onLog: (line) => this.#log.add(line),
      });
      opened = made;
    } catch (error) {
      // Whoever would not sign in is not asked again until they start the server by hand.
      if (isToolError(error) && error.data.code === 'declined') this.#set({ state: 'refused', why: 'signedOut' });
      else this.#failed(error);
      throw isToolError(error)
        ? error
        : mcpError(`the MCP server \`${name}\` did not start: ${words(error)}`, { server: name }, true);
    }
    if (this.#stop.signal.aborted) {
      opened.kill();
      throw mcpError(`the MCP server \`${name}\` is being closed`);
    }
    this.#opened = opened;
    if (opened.connection.known.kind === 'legacy') void this.#parts.storage.set(`mcp.protocol.${name}`, 'legacy');
    this.#log.state('started', opened.connection.protocol);
    this.#set({ state: 'running' });
    return opened;
  }

  #closed(opened: Opened | undefined): void {
    if (opened === undefined || this.#opened !== opened) return;
    this.#opened = undefined;
    this.#listedAt = Number.NEGATIVE_INFINITY;
    if (!this.#isEnding) this.#failed(new Error('it ended by itself'));
  }

  #failed(error: unknown): void {
    this.#pause.failed();
    this.#log.state('failed', words(error));
    if (this.#state === 'blocked' || this.#state === 'refused') return;
    this.#set({ state: 'failed', detail: words(error) });
  }

  /** The server says that its tools changed: look at once, so that views and models follow. */
  #changed(): void {
    this.#listedAt = Number.NEGATIVE_INFINITY;
    this.#changes++;
    if (this.#state === 'running') void this.discover();
  }

  async #verify(connection: McpConnection): Promise<void> {
    const changes = this.#changes;
    const read = readTools(await connection.listTools(this.#stop.signal), this.spec.transport.type === 'http');
    this.#read = read;
    const judged = this.#pins.judge(pinName(this.spec), read);
    if (judged.state === 'approved') {
      if (changes === this.#changes) this.#listedAt = this.#parts.clock.monotonic();
      this.#isKnown = true;
      this.#publish(judged.pin, read.tools);
      if (this.#state === 'running') this.#onChange();
      else this.#set({ state: 'running' });
      return;
    }
    if (judged.state === 'changed') {
      this.#isKnown = true;
      this.#set({ state: 'blocked', diff: judged.diff ?? [tooLarge] });
      this.#log.approval('changed');
      // The call that found the change must not wait for a person; the answer is taken when it comes.
      this.#asked = this.#ask(read, judged.diff ?? [tooLarge, '', ...listingLines(this.spec, read.tools)]);
    } else {
      // An answer that comes at once (`--yes`) leaves nothing to show; only a person who thinks makes the state
      // visible.
      const showing = this.#parts.clock.schedule(() => {
        this.#isKnown = true;
        this.#set({ state: 'asking' });
      }, 100);
      try {
        await this.#ask(read, undefined);
      } finally {
        showing.dispose();
        this.#isKnown = true;
        this.#onChange();
      }
    }
  }

  async #ask(read: ReadTools, diff: readonly string[] | undefined): Promise<void> {
    let answer: ToolsAnswer = 'refuse';
    try {
      answer = await this.#parts.user.approveTools(
        { ...this.#question(read.tools), ...(diff ? { diff } : {}) },
        this.#stop.signal,
      );
    } catch (error) {
      this.#log.add(`asking the user failed: ${words(error)}`);
    }
    // Meanwhile the server may have changed once more, or have been stopped: an answer holds for what was shown.
    if (this.#stop.signal.aborted || this.#read !== read) return;
    if (answer === 'refuse' || answer === 'withdraw') {
      if (!diff) this.#set({ state: 'refused', why: 'notApproved' });
      return;
    }
    // Other tools are another version, which may offer other things.
    if (diff) await this.#lists.forget(this.#spec);
    const pin = await this.#pins.approve(
      pinName(this.spec),
      read,
      answer === 'approve-with-hints',
      this.#parts.clock.now(),
    );
    this.#log.approval(`approved ${pin.hash.slice(0, 12)}`);
    this.#listedAt = this.#parts.clock.monotonic();
    this.#publish(pin, read.tools);
    this.#set({ state: this.#opened ? 'running' : 'stopped' });
  }

  #question(tools: readonly ListedTool[]): ToolsApproval {
    return {
      server: this.spec.name,
      tools: approvalLines(this.spec, tools),
      lines: listingLines(this.spec, tools),
      readOnly: tools.filter((tool) => tool.annotations?.readOnlyHint === true).map((tool) => tool.name),
    };
  }

  #publish(pin: Pin | undefined, listed: readonly ListedTool[] | undefined): void {
    try {
      if (!this.#published.publish(this.#spec, pin, listed, this.#opened?.connection.offers)) return;
    } catch (error) {
      this.#registryFault = words(error);
    }
    this.#onChange();
  }

  get #state(): ServerState {
    return this.#standing.state;
  }

  #set(standing: Standing): void {
    const isSame = JSON.stringify(standing) === JSON.stringify(this.#standing);
    if (isSame && this.#registryFault === undefined) return;
    this.#standing = standing;
    this.#registryFault = undefined;
    this.#onChange();
  }

  /**
   * A listing that failed is a failure; a refusal of ours, and a start that failed, have been noted where they
   * happened.
   */
  #note(error: unknown): void {
    if (!isToolError(error) && (this.#state === 'running' || this.#state === 'starting')) this.#failed(error);
  }
}

function words(error: unknown): string {
  return messageOf(error).split('\n')[0]?.slice(0, 300) ?? '';
}

function knownProtocol(stored: unknown): { kind: 'legacy' } | undefined {
  return stored === 'legacy' ? { kind: 'legacy' } : undefined;
}
