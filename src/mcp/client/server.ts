import { firstLine } from '../../core/base/errorText';
import type { Json } from '../../core/base/json';
import type { Disposable } from '../../core/base/lifecycle';
import { saidBy, type Sentence, withTexts } from '../../core/base/sentence';
import type { ListedTool } from '../../core/foreign/foreignList';
import type { Pin } from '../../core/foreign/pins';
import type { McpServerSpec } from '../../core/foreign/serverSpec';
import type { ServerState, ServerStatus } from '../../core/foreign/serverStatus';
import { isToolError } from '../../core/vocabulary/errors';
import type { CallTarget } from './callTool';
import type { McpClientPorts } from './clientPorts';
import type { McpConnection } from './connection';
import { inSession, SessionOver } from './connectionLost';
import { type KeptList, KeptLists } from './keptLists';
import type { Launch } from './launch';
import { OpenQuestions } from './openQuestions';
import { PublishedTools } from './publishedTools';
import { ServerLog } from './serverLog';
import { ServerRun } from './serverRun';
import type { SignedOut } from './signOut';
import { refusalOf, type Standing } from './standing';
import { ToolApproval } from './toolApproval';

interface ServerListeners {
  /** Called when its state, its tools or what is wrong with them changed. */
  readonly onChange: () => void;
  /** Called for each line of its log. */
  readonly onLog: () => void;
  /** See `ServerRun`; for a workspace's entry. */
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
  readonly #ports: McpClientPorts;
  readonly #lists: KeptLists;
  readonly #onChange: () => void;
  readonly #log: ServerLog;
  readonly #published: PublishedTools;
  readonly #run: ServerRun;
  readonly #approval: ToolApproval;
  #standing: Standing;
  /** Why the registry did not take its tools. */
  #registryFault: Sentence | undefined;

  constructor(ports: McpClientPorts, spec: McpServerSpec, { onChange, onLog, launch }: ServerListeners) {
    this.#ports = { ...ports, user: this.questions.of(ports.user) };
    this.#spec = spec;
    this.#lists = new KeptLists(ports.storage, ports.crypto);
    this.#onChange = onChange;
    this.#log = new ServerLog(ports, spec.name, onLog);
    this.#published = new PublishedTools(this.#ports, this);
    const setStanding = (standing: Standing): void => this.#set(standing);
    const onToolsChanged = (): void => {
      this.#approval.announced();
      // Looked at at once, so that views and models follow.
      void this.#approval.settled().then(() => this.#run.connection && this.discover());
    };
    this.#run = new ServerRun(this.#ports, this.#log, { onStanding: setStanding, onToolsChanged }, launch);
    this.#approval = new ToolApproval(this.#ports, this.#lists, this.#log, {
      spec: () => this.#spec,
      standing: () => this.#standing,
      setStanding,
      publish: (pin, listed) => this.#publish(pin, listed),
      changed: onChange,
      isRunning: () => this.#run.connection !== undefined,
      signal: this.#run.signal,
    });
    this.#standing = { state: spec.enabled ? 'stopped' : 'disabled' };
    this.#publish(spec.enabled ? this.#approval.pin : undefined, undefined);
  }

  get spec(): McpServerSpec {
    return this.#spec;
  }

  /**
   * Takes what the user says about its tools from a changed entry. False where more has changed, so that it must be
   * replaced.
   */
  adopt(spec: McpServerSpec): boolean {
    const started = ({ transport, enabled, timeoutMs, protocol, roots, origin, pinned }: McpServerSpec): string =>
      JSON.stringify([transport, enabled, timeoutMs, protocol, roots, origin, pinned]);
    if (started(spec) !== started(this.#spec)) return false;
    this.#spec = spec;
    const pin = spec.enabled ? this.#approval.pin : undefined;
    // What the server lists by now may be another version, which nobody approved.
    if (pin && this.#published.isRegistered) this.#publish(pin, this.#published.approved);
    return true;
  }

  get status(): ServerStatus {
    const { name, capabilityId, origin, transport } = this.#spec;
    const detail = this.#registryFault ?? (this.#standing.state === 'failed' ? this.#standing.detail : undefined);
    const { connection } = this.#run;
    return {
      name,
      capabilityId,
      origin,
      state: this.#state,
      tools: this.#published.count,
      faults: [...this.#approval.faults, ...this.#published.faults],
      ...(transport.type === 'http' && transport.oauth ? { signsIn: true } : {}),
      ...(this.#standing.state === 'refused' && this.#standing.why === 'signedOut' ? { signedOut: true } : {}),
      ...(this.#standing.state === 'refused' && this.#standing.why === 'pinned' ? { pinned: true } : {}),
      ...(connection ? { protocol: connection.protocol } : {}),
      ...(detail === undefined ? {} : { detail }),
      ...(this.#standing.state === 'blocked' ? { diff: this.#standing.diff } : {}),
    };
  }

  /** The hash of its tools as they were approved; undefined where none are. */
  get approvedHash(): string | undefined {
    return this.#approval.pin?.hash;
  }

  /** What it did and said, oldest first. */
  get log(): readonly string[] {
    return this.#log.lines;
  }

  /** True where nothing is known of its tools yet, so that it has to be started to learn them. */
  get needsDiscovery(): boolean {
    return this.#state === 'stopped' && this.#approval.pin?.tools === undefined;
  }

  /** True while it runs and its tools are not listed yet. */
  get isLearning(): boolean {
    return this.#state === 'running' && !this.#approval.isKnown;
  }

  /** Starts it, lists its tools and holds them against what was approved. Failures end up in the status, not here. */
  async discover(): Promise<void> {
    try {
      await inSession(() => this.connection());
    } catch (error) {
      // A listing that failed is a failure; a refusal of ours, and a start that failed, were noted where they happened.
      const isUp = this.#state === 'running' || this.#state === 'starting' || error instanceof SessionOver;
      if (isUp && !isToolError(error)) this.#run.failed(error);
    }
  }

  /** Asks again about tools that were refused or changed. */
  async review(): Promise<void> {
    this.#approval.outdate();
    this.#run.endPause();
    if (this.spec.enabled) this.#set({ state: 'stopped' });
    await this.discover();
    await this.#approval.answered;
  }

  /** Shows the approved tools once more; asks about them where none are approved. */
  async reconsider(): Promise<void> {
    const { pin } = this.#approval;
    const tools = pin?.tools ?? this.#published.approved;
    const isOpen = this.#state === 'blocked' || this.#state === 'refused' || this.#state === 'asking';
    return pin && tools && !isOpen ? this.#approval.reconsider(pin, tools) : this.review();
  }

  /** Forgets what was approved, where the server's entry is taken away. */
  async forget(): Promise<void> {
    await this.#approval.forget();
    await this.#lists.forget(this.#spec);
  }

  /**
   * Ends it and takes its tokens away, here and at the server that gave them. It asks for a sign-in once it is started
   * by hand.
   */
  async signOut(): Promise<SignedOut> {
    await this.stop();
    const { signOut } = await import('./signOut');
    const done = await signOut(this.#ports, this.#spec, (line) => this.#log.add(line));
    if (this.spec.enabled && this.#state !== 'blocked') this.#set({ state: 'refused', why: 'signedOut' });
    return done;
  }

  async stop(): Promise<void> {
    this.#approval.outdate();
    await this.#run.close();
    if (this.spec.enabled && this.#state !== 'blocked' && this.#state !== 'refused') this.#set({ state: 'stopped' });
  }

  /** Ends it without waiting. */
  dispose(): void {
    this.#run.kill();
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
    this.check();
    const connection = await this.#run.open(this.#spec);
    await this.#approval.verify(connection);
    this.check();
    return connection;
  }

  /** Tells a running server that the folders of the workspace are others now. */
  foldersChanged(): void {
    this.#run.connection?.rootsChanged();
  }

  /** Showing what a server offers does not start it, where that is known. */
  keptList(which: KeptList): Json | undefined {
    return this.#run.connection ? undefined : this.#lists.get(this.#spec, which);
  }

  keepList(which: KeptList, list: Json): void {
    this.#lists
      .keep(this.#spec, which, list)
      .catch((error: unknown) => this.#log.add(`its ${which} could not be kept: ${firstLine(error)}`));
  }

  succeeded(): void {
    this.#run.succeeded();
  }

  #publish(pin: Pin | undefined, listed: readonly ListedTool[] | undefined): void {
    try {
      if (!this.#published.publish(this.#spec, pin, listed, this.#run.connection?.offers)) return;
    } catch (error) {
      this.#registryFault = withTexts(saidBy(error), firstLine);
    }
    this.#onChange();
  }

  get #state(): ServerState {
    return this.#standing.state;
  }

  #set(standing: Standing): void {
    // A server that may not act stays so, whatever becomes of its process.
    const isHeld = this.#state === 'blocked' || this.#state === 'refused';
    if (standing.state === 'failed' && isHeld) return;
    if (JSON.stringify(standing) === JSON.stringify(this.#standing) && this.#registryFault === undefined) return;
    this.#standing = standing;
    this.#registryFault = undefined;
    this.#onChange();
  }
}
