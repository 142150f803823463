import { type Event, Emitter } from '../../core/base/event';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import { type McpServerSpec, parseServers, secretNames } from '../../core/mcp/serverSpec';
import type { Problem } from '../../core/problem';
import type { McpParts, ServerStatus } from './parts';
import { McpServer } from './server';
import type { SignedOut } from './signOut';

const acceptedKey = 'mcp.accepted';

/**
 * Every configured MCP server (`agentCapabilities.mcp.servers`): managed over user over workspace, by name. A workspace entry acts once the
 * user approved its content. One server's failure leaves the others as they are.
 */
export class McpServers implements Disposable {
  readonly #parts: McpParts;
  readonly #changed = new Emitter<void>();
  readonly #logged = new Emitter<string>();
  readonly #store = new DisposableStore();
  readonly #stop = new AbortController();
  readonly #servers = new Map<string, McpServer>();
  #unapproved: readonly McpServerSpec[] = [];
  #problems: readonly Problem[] = [];
  readonly #asking = new Set<string>();

  constructor(parts: McpParts) {
    this.#parts = parts;
    this.#store.add(this.#changed);
    this.#store.add(this.#logged);
    this.#store.add({
      dispose: () => {
        for (const server of this.#servers.values()) server.dispose();
        this.#servers.clear();
      },
    });
    this.refresh();
  }

  /** Fires with a server's name when it wrote or said something. */
  get onDidLog(): Event<string> {
    return this.#logged.event;
  }

  /** Fires when a server came, went or changed its state. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** Reads the settings again: what is new comes, what is gone ends, what changed is replaced. */
  refresh(): void {
    const { layers } = this.#parts.settings();
    const managed = parseServers(layers.managed['mcp.servers'], 'managed');
    const user = parseServers(layers.user['mcp.servers'], 'user');
    const workspace = parseServers(layers.workspace['mcp.servers'], 'workspace');
    this.#problems = [...managed.problems, ...user.problems, ...workspace.problems];
    const wanted = new Map<string, McpServerSpec>();
    const ids = new Set<string>();
    const take = (spec: McpServerSpec): void => {
      const same = wanted.get(spec.name);
      if (same) ids.delete(same.capabilityId);
      if (ids.has(spec.capabilityId)) {
        this.#problems = [
          ...this.#problems,
          {
            severity: 'error',
            code: 'invalid_mcp_server',
            message: `the MCP server \`${spec.name}\`: another one has the id \`${spec.capabilityId}\``,
            subject: spec.name,
          },
        ];
        return;
      }
      ids.add(spec.capabilityId);
      wanted.set(spec.name, spec);
    };
    for (const spec of user.servers) take(spec);
    const accepted = new Set(this.#accepted());
    const reserved = new Set(managed.servers.map((spec) => spec.name));
    this.#unapproved = workspace.servers.filter((spec) => !reserved.has(spec.name) && !accepted.has(this.#hash(spec)));
    for (const spec of workspace.servers) if (!this.#unapproved.includes(spec)) take(spec);
    for (const spec of managed.servers) take(spec);
    for (const [name, server] of this.#servers) {
      const spec = wanted.get(name);
      if (spec && spec.content === server.spec.content && spec.origin === server.spec.origin) continue;
      if (spec && server.adopt(spec)) continue;
      server.dispose();
      this.#servers.delete(name);
    }
    for (const [name, spec] of wanted)
      if (!this.#servers.has(name))
        this.#servers.set(
          name,
          new McpServer(this.#parts, spec, { onChange: () => this.#changed.fire(), onLog: () => this.#logged.fire(name) }),
        );
    this.#changed.fire();
  }

  list(): readonly ServerStatus[] {
    return [
      ...[...this.#servers.values()].map((server) => server.status),
      ...this.#unapproved.map((spec): ServerStatus => ({
        name: spec.name,
        capabilityId: spec.capabilityId,
        origin: spec.origin,
        state: 'unapproved',
        tools: 0,
        faults: [],
      })),
    ];
  }

  /** What a server wrote and said, oldest first. */
  log(name: string): readonly string[] {
    return this.#servers.get(name)?.log ?? [];
  }

  /**
   * Starts the servers whose tools are not known yet, all at once, and waits until each has answered, failed or waits for the user.
   * Servers with approved tools stay asleep until they are called.
   */
  async discover(): Promise<void> {
    await this.approveEntries();
    await Promise.all([...this.#servers.values()].filter((server) => server.needsDiscovery).map((server) => server.discover()));
  }

  /** Resolves once no server is being started or learnt about for the first time, or after so many milliseconds. */
  settled(timeoutMs: number): Promise<void> {
    const isSettled = (): boolean =>
      [...this.#servers.values()].every((server) => !server.needsDiscovery && server.status.state !== 'starting' && !server.isLearning);
    if (isSettled()) return Promise.resolve();
    return new Promise((resolve) => {
      const store = new DisposableStore();
      const end = (): void => {
        store.dispose();
        resolve();
      };
      store.add(this.#parts.clock.schedule(end, timeoutMs));
      store.add(
        this.#changed.event(() => {
          if (isSettled()) end();
        }),
      );
      this.#stop.signal.addEventListener('abort', end, { once: true });
    });
  }

  /** Asks about workspace entries that nobody approved yet, one after the other. */
  async approveEntries(): Promise<void> {
    for (const spec of this.#unapproved) {
      const hash = this.#hash(spec);
      if (this.#asking.has(hash)) continue;
      this.#asking.add(hash);
      let yes = false;
      try {
        yes = await this.#parts.user.approveServer(
          { server: spec.name, what: describe(spec), secrets: secretNames(spec.transport) },
          this.#stop.signal,
        );
      } catch (error) {
        this.#parts.log.warn(`asking about the MCP server ${spec.name} failed: ${String(error)}`);
      }
      if (!yes) continue;
      this.#asking.delete(hash);
      await this.#parts.storage.set(acceptedKey, [...new Set([...this.#accepted(), hash])].slice(-500));
      this.refresh();
    }
  }

  /** Starts a server by hand, asking again what was refused or blocked. */
  async start(name: string): Promise<void> {
    for (const spec of this.#unapproved) if (spec.name === name) this.#asking.delete(this.#hash(spec));
    if (!this.#servers.has(name)) await this.approveEntries();
    await this.#servers.get(name)?.review();
  }

  /** Shows a server's tools to the user once more: new, changed or approved ones. */
  async reconsider(name: string): Promise<void> {
    if (this.#servers.has(name)) await this.#servers.get(name)?.reconsider();
    else await this.start(name);
  }

  /** Ends a server whose entry is about to be removed, signs out of it and forgets what was approved of it. */
  async forget(name: string): Promise<void> {
    const server = this.#servers.get(name);
    await server?.stop();
    // Tokens belong to an address: another entry for the same one still needs them.
    const address = server && addressOf(server.spec);
    const isShared = [...this.#servers.values()].some((other) => other !== server && addressOf(other.spec) === address);
    if (address !== undefined && !isShared) await this.signOut(name);
    await server?.forget();
  }

  /** Ends a server and takes its tokens away, here and, where it takes such requests, at the authorization server that gave them. */
  async signOut(name: string): Promise<SignedOut> {
    return (await this.#servers.get(name)?.signOut()) ?? 'none';
  }

  async stop(name: string): Promise<void> {
    await this.#servers.get(name)?.stop();
  }

  /** Tells the running servers that the folders of the workspace are others now. */
  foldersChanged(): void {
    for (const server of this.#servers.values()) server.foldersChanged();
  }

  async restart(name: string): Promise<void> {
    await this.stop(name);
    await this.start(name);
  }

  problems(): readonly Problem[] {
    const out: Problem[] = [...this.#problems];
    for (const { name, capabilityId, state, signedOut, detail, diff, faults } of this.list()) {
      const say = (severity: Problem['severity'], code: string, message: string): void => {
        // The capability's row carries it where there is one.
        out.push({ severity, code, message: `the MCP server \`${name}\` ${message}`, subject: capabilityId });
      };
      if (state === 'failed') say('error', 'mcp_failed', `failed: ${detail ?? 'for an unknown reason'}`);
      if (state === 'blocked')
        say(
          'error',
          'mcp_changed',
          `changed its tools since you approved them, so they are blocked: ${(diff ?? []).slice(0, 5).join(' | ')}`,
        );
      if (signedOut) say('warning', 'mcp_signed_out', 'does nothing until you start it and sign in');
      else if (state === 'asking' || state === 'refused')
        say('warning', 'mcp_not_approved', 'has tools that you have not approved, so none is offered');
      if (state === 'unapproved') say('warning', 'mcp_not_approved', 'comes from the workspace and acts once you approve it');
      for (const fault of faults) say('warning', 'mcp_tool', `offers what cannot be taken: ${fault}`);
    }
    return out;
  }

  /** Ends every server at once, with all that they started. */
  dispose(): void {
    this.#stop.abort();
    this.#store.dispose();
  }

  #accepted(): readonly string[] {
    const value = this.#parts.storage.get(acceptedKey);
    return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
  }

  #hash(spec: McpServerSpec): string {
    return this.#parts.crypto.sha256(`${spec.name}\0${spec.content}`);
  }
}

/** Where a person signs in to a server, as its entry says. */
function addressOf({ transport }: McpServerSpec): string | undefined {
  return transport.type === 'http' && transport.oauth ? `${transport.url}\0${transport.oauth.clientId ?? ''}` : undefined;
}

function describe(spec: McpServerSpec): string {
  const { transport } = spec;
  const lines = [transport.type === 'http' ? transport.url : [transport.command, ...transport.args].join(' ')];
  // What the workspace says about the tools counts with the approval, so it is shown before.
  if (Object.keys(spec.tools).length > 0) lines.push(`it says of its tools: ${JSON.stringify(spec.tools)}`);
  if (Object.keys(spec.accessMapping).length > 0) lines.push(`it says of their arguments: ${JSON.stringify(spec.accessMapping)}`);
  return lines.join('\n');
}
