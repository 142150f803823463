import type { Sentence } from '../../core/base/sentence';
import { type Disposable, MutableDisposable } from '../../core/base/lifecycle';
import type { Json } from '../../core/base/json';
import type { Capability } from '../../core/capability/capability';
import { isToolError, toolError } from '../../core/vocabulary/errors';
import { readTools, type ListedTool, type ReadTools } from '../../core/foreign/foreignList';
import { type Pin, Pins } from '../../core/foreign/pins';
import { mcpError } from '../../core/foreign/mcpError';
import { type McpServerSpec } from '../../core/foreign/serverSpec';
import { visibleText } from '../../core/base/visible';
import type { ToolsAnswer, ToolsApproval } from '../../core/foreign/serverUser';
import type { McpConnection } from './connection';
import type { Opened } from './openConnection';
import { type KeptList, KeptLists } from './keptLists';
import type { Launch } from './launch';
import { OpenQuestions } from './openQuestions';
import type { SignedOut } from './signOut';
import type { McpParts, ServerState, ServerStatus } from './clientPorts';
import { nothing, readOffers } from './serverContents';
import type { CallTarget } from './callTool';
import { pinName, provenanceOf } from './provenance';
import { approvalLines, capabilityOf, listingLines } from './serverTools';
import { messageOf } from '../../core/base/errorText';

/** Tools that were listed less than so many milliseconds ago are not listed again before a call. */
const discoveryLifeMs = 60_000;
const startTimeoutMs = 30_000;
const longestPauseMs = 60_000;
const keptLines = 500;
const noSignIn = 'nobody signed in';
const tooLarge = 'the approved list was too large to keep, so what changed in it is unknown; this is all of it now:';

export interface ServerListeners {
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
  readonly #onLog: () => void;
  readonly #launch: (() => Promise<Launch>) | undefined;
  readonly #registration = new MutableDisposable<Disposable>();
  readonly #lines: string[] = [];
  readonly #stop = new AbortController();
  #state: ServerState;
  #detail: string | undefined;
  #diff: readonly string[] | undefined;
  /** Of the tools that were published: those that the registry cannot hold. */
  #unusable: readonly Sentence[] = [];
  #tools = 0;
  #opened: Opened | undefined;
  #opening: Promise<Opened> | undefined;
  #verifying: Promise<void> | undefined;
  #asked: Promise<void> | undefined;
  #listedAt = Number.NEGATIVE_INFINITY;
  #read: ReadTools | undefined;
  /** How often it said that its tools changed: what was listed before that says nothing any more. */
  #changes = 0;
  /** The tools that were approved, where they are known: nothing else is ever offered. */
  #approved: readonly ListedTool[] | undefined;
  /** True once its tools were approved or a person is being asked about them. */
  #isKnown = false;
  #published = '';
  #failures = 0;
  #retryAt = 0;
  #isEnding = false;

  constructor(parts: McpParts, spec: McpServerSpec, { onChange, onLog, launch }: ServerListeners) {
    this.#parts = { ...parts, user: this.questions.of(parts.user) };
    this.#spec = spec;
    this.#pins = new Pins(parts.storage, parts.crypto);
    this.#lists = new KeptLists(parts.storage, parts.crypto);
    this.#onChange = onChange;
    this.#onLog = onLog;
    this.#launch = launch;
    this.#state = spec.enabled ? 'stopped' : 'disabled';
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
    if (pin && this.#registration.value) this.#publish(pin, this.#approved);
    return true;
  }

  get status(): ServerStatus {
    return {
      name: this.spec.name,
      capabilityId: this.spec.capabilityId,
      origin: this.spec.origin,
      state: this.#state,
      tools: this.#tools,
      faults: [...(this.#read?.faults ?? []), ...this.#unusable],
      ...(this.#spec.transport.type === 'http' && this.#spec.transport.oauth ? { signsIn: true } : {}),
      ...(this.#state === 'refused' && this.#detail === noSignIn ? { signedOut: true } : {}),
      ...(this.#opened ? { protocol: this.#opened.connection.protocol } : {}),
      ...(this.#detail === undefined ? {} : { detail: this.#detail }),
      ...(this.#diff === undefined ? {} : { diff: this.#diff }),
    };
  }

  /**
   * Its starts and ends, what it wrote to its error output and said in log messages; each line with its time, oldest
   * first.
   */
  get log(): readonly string[] {
    return this.#lines;
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
    this.#retryAt = 0;
    if (this.spec.enabled) this.#set('stopped');
    await this.discover();
    await this.#asked;
  }

  /** Shows the approved tools once more: what is believed of them may change, and the approval may be taken back. */
  async reconsider(): Promise<void> {
    const name = pinName(this.spec);
    const pin = this.#pins.get(name);
    const tools = pin?.tools ?? this.#approved;
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
      this.#pinAudit('withdrawn');
      this.#publish(undefined, undefined);
      this.#set('refused', 'its approval was taken back');
      return;
    }
    const next = await this.#pins.confirmHints(name, answer === 'approve-with-hints');
    this.#pinAudit(answer === 'approve-with-hints' ? 'hints confirmed' : 'hints not confirmed');
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
    const done = await signOut(this.#parts, this.#spec, (line) => this.#line(line));
    if (this.spec.enabled && this.#state !== 'blocked') this.#set('refused', noSignIn);
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
    if (opened) this.#audit('stopped', 'by the user');
    if (this.spec.enabled && this.#state !== 'blocked' && this.#state !== 'refused') this.#set('stopped');
  }

  /** Ends it without waiting. */
  dispose(): void {
    this.#isEnding = true;
    this.#stop.abort();
    const opened = this.#opened;
    this.#opened = undefined;
    opened?.kill();
    if (opened) this.#audit('stopped', 'with its settings or the window');
    this.#registration.dispose();
  }

  /**
   * Refuses while the approved tools and the server's tools differ. Called for every call and preview; starts nothing.
   */
  check(): void {
    const { name } = this.spec;
    if (this.#state === 'blocked')
      throw toolError(
        'not_available',
        `the tools of the MCP server \`${name}\` changed since the user approved them, so its calls are blocked; ask the user to review the change`,
        { details: { server: name, diff: this.#diff ?? [] } },
      );
    if (this.#state === 'refused' && this.#detail === noSignIn)
      throw toolError(
        'not_available',
        `nobody signed in to the MCP server \`${name}\`; ask the user to start it and sign in`,
        {
          details: { server: name },
        },
      );
    if (this.#state === 'refused' || this.#state === 'asking')
      throw toolError('not_available', `the user has not approved the tools of the MCP server \`${name}\``, {
        details: { server: name },
      });
    if (this.#state === 'disabled') throw toolError('not_available', `the MCP server \`${name}\` is switched off`);
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
      .catch((error: unknown) => this.#line(`its ${which} could not be kept: ${words(error)}`));
  }

  /** Counts a call that worked, which ends the pauses after failures. */
  succeeded(): void {
    this.#failures = 0;
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
    const wait = this.#retryAt - this.#parts.clock.monotonic();
    if (wait > 0)
      throw toolError(
        'mcp_error',
        `the MCP server \`${name}\` failed and rests; try again in ${Math.ceil(wait / 1000)} s`,
        {
          retryable: true,
          retryAfterMs: Math.ceil(wait),
        },
      );
    this.#set('starting');
    let opened: Opened | undefined;
    try {
      const { openConnection } = await import('./openConnection');
      const launch = await this.#launch?.();
      const made = await openConnection(this.#parts, this.spec, {
        ...(launch ? { launch } : {}),
        known: knownProtocol(this.#parts.storage.get(`mcp.protocol.${name}`)),
        startTimeoutMs,
        signal: this.#stop.signal,
        onSignIn: () => this.#set('starting', 'waits for you to sign in'),
        onToolsChanged: () => this.#changed(),
        onClose: () => this.#closed(opened),
        onError: (error) => this.#line(`error: ${error.message}`),
        onLog: (line) => this.#line(line),
      });
      opened = made;
    } catch (error) {
      // Whoever would not sign in is not asked again until they start the server by hand.
      if (isToolError(error) && error.data.code === 'declined') this.#set('refused', noSignIn);
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
    this.#audit('started', opened.connection.protocol);
    this.#set('running');
    return opened;
  }

  #closed(opened: Opened | undefined): void {
    if (opened === undefined || this.#opened !== opened) return;
    this.#opened = undefined;
    this.#listedAt = Number.NEGATIVE_INFINITY;
    if (!this.#isEnding) this.#failed(new Error('it ended by itself'));
  }

  #failed(error: unknown): void {
    this.#failures++;
    this.#retryAt = this.#parts.clock.monotonic() + Math.min(longestPauseMs, 500 * 2 ** (this.#failures - 1));
    this.#audit('failed', words(error));
    if (this.#state === 'blocked' || this.#state === 'refused') return;
    this.#set('failed', words(error));
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
      this.#diff = undefined;
      this.#isKnown = true;
      this.#publish(judged.pin, read.tools);
      if (this.#state === 'running') this.#onChange();
      else this.#set('running');
      return;
    }
    if (judged.state === 'changed') {
      this.#isKnown = true;
      this.#diff = judged.diff ?? [tooLarge];
      this.#set('blocked');
      this.#pinAudit('changed');
      // The call that found the change must not wait for a person; the answer is taken when it comes.
      this.#asked = this.#ask(read, judged.diff ?? [tooLarge, '', ...listingLines(this.spec, read.tools)]);
    } else {
      // An answer that comes at once (`--yes`) leaves nothing to show; only a person who thinks makes the state
      // visible.
      const showing = this.#parts.clock.schedule(() => {
        this.#isKnown = true;
        this.#set('asking');
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
      this.#line(`asking the user failed: ${words(error)}`);
    }
    // Meanwhile the server may have changed once more, or have been stopped: an answer holds for what was shown.
    if (this.#stop.signal.aborted || this.#read !== read) return;
    if (answer === 'refuse' || answer === 'withdraw') {
      if (!diff) this.#set('refused', 'its tools were not approved');
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
    this.#pinAudit(`approved ${pin.hash.slice(0, 12)}`);
    this.#diff = undefined;
    this.#listedAt = this.#parts.clock.monotonic();
    this.#publish(pin, read.tools);
    this.#set(this.#opened ? 'running' : 'stopped');
  }

  #question(tools: readonly ListedTool[]): ToolsApproval {
    return {
      server: this.spec.name,
      tools: approvalLines(this.spec, tools),
      lines: listingLines(this.spec, tools),
      readOnly: tools.filter((tool) => tool.annotations?.readOnlyHint === true).map((tool) => tool.name),
    };
  }

  /** Puts the approved tools into the registry. */
  #publish(pin: Pin | undefined, read: readonly ListedTool[] | undefined): void {
    const tools = read ?? pin?.tools ?? [];
    this.#approved = pin ? tools : undefined;
    const kept = `mcp.offers.${this.spec.name}`;
    const offers = this.#opened?.connection.offers ?? readOffers(this.#parts.storage.get(kept));
    if (this.#opened) void this.#parts.storage.set(kept, { ...offers });
    const made = capabilityOf(this.spec, tools, {
      hintsConfirmed: pin?.hintsConfirmed === true,
      provenance: provenanceOf(this.spec, pin, this.#parts.crypto),
      offers: tools.length > 0 ? offers : nothing,
      target: this,
      parts: this.#parts,
    });
    this.#unusable = made.faults;
    const text = JSON.stringify([made.capability.provenance, made.capability.tools.map((tool) => tool.definition)]);
    if (text === this.#published && this.#registration.value) return;
    this.#published = text;
    this.#tools = made.capability.tools.length;
    this.#register(made.capability);
  }

  #register(capability: Capability): void {
    this.#registration.value = undefined;
    try {
      this.#registration.value = this.#parts.registry.register(capability);
    } catch (error) {
      this.#detail = words(error);
      this.#tools = 0;
    }
    this.#onChange();
  }

  #set(state: ServerState, detail?: string): void {
    if (this.#state === state && this.#detail === detail) return;
    this.#state = state;
    this.#detail = detail;
    this.#onChange();
  }

  /**
   * A listing that failed is a failure; a refusal of ours, and a start that failed, have been noted where they
   * happened.
   */
  #note(error: unknown): void {
    if (!isToolError(error) && (this.#state === 'running' || this.#state === 'starting')) this.#failed(error);
  }

  #line(text: string): void {
    this.#lines.push(`${new Date(this.#parts.clock.now()).toISOString()} ${visibleText(text).text}`);
    if (this.#lines.length > keptLines) this.#lines.splice(0, this.#lines.length - keptLines);
    this.#onLog();
  }

  #audit(state: 'started' | 'stopped' | 'failed', detail: string): void {
    this.#line(`${state}: ${detail}`);
    this.#parts.audit.record({
      type: 'server',
      time: this.#parts.clock.now(),
      server: this.spec.name,
      state,
      detail: detail.slice(0, 300),
    });
  }

  #pinAudit(detail: string): void {
    this.#parts.audit.record({
      type: 'changed',
      time: this.#parts.clock.now(),
      what: 'pin',
      id: `mcp:${this.spec.name}`,
      detail,
      actor: { type: 'user', id: 'editor' },
    });
  }
}

function words(error: unknown): string {
  return messageOf(error).split('\n')[0]?.slice(0, 300) ?? '';
}

function knownProtocol(stored: unknown): { kind: 'legacy' } | undefined {
  return stored === 'legacy' ? { kind: 'legacy' } : undefined;
}
