import { type Event, Emitter } from '../../core/base/event';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import { refusal } from '../../core/vocabulary/errors';
import { EntryApprovals } from '../../core/foreign/entryApprovals';
import { type McpServerSpec, type ParsedServers, parseServers } from '../../core/foreign/serverSpec';
import type { EntryView } from '../../core/foreign/serverUser';
import { type Problem, problem } from '../../core/base/problem';
import { say, type Sentence } from '../../core/base/sentence';
import { pinnedHashes } from '../../core/settings/bundleLayer';
import { entriesInForce } from '../../core/settings/entriesInForce';
import { unreadable } from '../../core/settings/settingValues';
import type { McpClientPorts } from './clientPorts';
import type { ServerStatus } from '../../core/foreign/serverStatus';
import { McpServer } from './server';
import { workspaceFolder } from './serverFolder';
import type { SignedOut } from './signOut';

/**
 * Every configured MCP server (`agentCapabilities.mcp.servers`): those of the managed file alone where it has the
 * setting, else the user's over the workspace's, by name. A workspace entry acts once the user approved all of it, with
 * the bytes of the workspace's files that it runs. One server's failure leaves the others as they are.
 */
export class McpServers implements Disposable {
  readonly #ports: McpClientPorts;
  readonly #changed = new Emitter<void>();
  readonly #logged = new Emitter<string>();
  readonly #store = new DisposableStore();
  readonly #stop = new AbortController();
  readonly #servers = new Map<string, McpServer>();
  #unapproved: readonly McpServerSpec[] = [];
  #problems: readonly Problem[] = [];
  readonly #asking = new Set<string>();
  readonly #approvals: EntryApprovals;
  /** Entries that were approved with other files than they would run now. */
  readonly #stale = new Set<string>();
  #wasTrusted = false;

  constructor(ports: McpClientPorts) {
    this.#ports = ports;
    this.#approvals = new EntryApprovals(ports.storage, ports.crypto, () => workspaceFolder(ports.files) ?? '');
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
    const wanted = this.#wanted();
    for (const [name, server] of this.#servers) {
      const spec = wanted.get(name);
      const isPinnedAlike = spec?.pinned?.join() === server.spec.pinned?.join();
      if (spec && spec.content === server.spec.content && spec.origin === server.spec.origin && isPinnedAlike) continue;
      if (spec && server.adopt(spec)) continue;
      server.dispose();
      this.#servers.delete(name);
    }
    for (const [name, spec] of wanted) if (!this.#servers.has(name)) this.#servers.set(name, this.#made(spec));
    this.#changed.fire();
  }

  #made(spec: McpServerSpec): McpServer {
    return new McpServer(this.#ports, spec, {
      onChange: () => this.#changed.fire(),
      onLog: () => this.#logged.fire(spec.name),
      ...(spec.origin === 'workspace' ? { launch: () => this.#launch(spec) } : {}),
    });
  }

  /** The entries that act, by name; those that nobody approved and what is wrong are kept for who asks. */
  #wanted(): ReadonlyMap<string, McpServerSpec> {
    const settings = this.#ports.settings();
    const { layers } = settings;
    const problems: Problem[] = [];
    const entries = entriesInForce(settings, 'mcp.servers', problems);
    const managed = parsed(entries.managed, 'managed');
    const user = parsed(entries.user, 'user');
    this.#wasTrusted = this.#ports.trusted();
    // Nothing of an untrusted workspace acts, and nobody is asked about it.
    const workspace = parsed(this.#wasTrusted ? entries.workspace : undefined, 'workspace');
    problems.push(...managed.problems, ...user.problems, ...workspace.problems);
    const wanted = new Map<string, McpServerSpec>();
    const ids = new Set<string>();
    const take = (entry: McpServerSpec): void => {
      const pinned = pinnedHashes(layers.bundles, 'servers', entry.name);
      const spec = pinned.length > 0 ? { ...entry, pinned } : entry;
      const same = wanted.get(spec.name);
      if (same) ids.delete(same.capabilityId);
      if (ids.has(spec.capabilityId)) {
        const said = say('server_fault', spec.name, say('server_same_id', spec.capabilityId));
        problems.push(problem({ severity: 'error', code: 'invalid_mcp_server', said, subject: spec.name }));
        return;
      }
      ids.add(spec.capabilityId);
      wanted.set(spec.name, spec);
    };
    for (const spec of user.servers) take(spec);
    const reserved = new Set([...managed.servers, ...user.servers].map((spec) => spec.name));
    // A repository cannot put its server in the place of the person's own.
    const shadowed = workspace.servers.filter(({ name }) => reserved.has(name));
    for (const { name } of shadowed)
      problems.push(problem({ severity: 'warning', said: say('mcp_shadowed', name), subject: name }));
    this.#unapproved = workspace.servers.filter(
      (spec) => !reserved.has(spec.name) && (this.#stale.has(entryKey(spec)) || !this.#approvals.knows(spec)),
    );
    for (const spec of workspace.servers) if (!reserved.has(spec.name) && !this.#unapproved.includes(spec)) take(spec);
    for (const spec of managed.servers) take(spec);
    this.#problems = problems;
    return wanted;
  }

  /** The hashes of the tools that were approved, by the server's name. */
  approvedHashes(): readonly (readonly [name: string, hash: string])[] {
    return [...this.#servers.values()].flatMap(({ spec, approvedHash }) =>
      approvedHash === undefined ? [] : [[spec.name, approvedHash] as const],
    );
  }

  list(): readonly ServerStatus[] {
    return [
      ...[...this.#servers.values()].map((server) => server.status),
      ...this.#unapproved.map(({ name, capabilityId, origin }): ServerStatus => {
        return { name, capabilityId, origin, state: 'unapproved', tools: 0, faults: [] };
      }),
    ];
  }

  /** What a server wrote and said, oldest first. */
  log(name: string): readonly string[] {
    return this.#servers.get(name)?.log ?? [];
  }

  /**
   * Starts the servers whose tools are not known yet, all at once, and waits until each has answered, failed or waits
   * for the user. Servers with approved tools stay asleep until they are called.
   */
  async discover(): Promise<void> {
    if (this.#wasTrusted !== this.#ports.trusted()) this.refresh();
    await this.approveEntries();
    await Promise.all(
      [...this.#servers.values()].filter((server) => server.needsDiscovery).map((server) => server.discover()),
    );
  }

  /** Resolves once no server is being started or learnt about for the first time, or after so many milliseconds. */
  settled(timeoutMs: number): Promise<void> {
    const isSettled = (): boolean =>
      [...this.#servers.values()].every(
        (server) => !server.needsDiscovery && server.status.state !== 'starting' && !server.isLearning,
      );
    if (isSettled()) return Promise.resolve();
    return new Promise((resolve) => {
      const store = new DisposableStore();
      const end = (): void => {
        store.dispose();
        resolve();
      };
      store.add(this.#ports.clock.schedule(end, timeoutMs));
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
      try {
        await this.#approveEntry(spec);
      } catch (error) {
        this.#ports.log.warn(`asking about the MCP server ${spec.name} failed: ${String(error)}`);
      }
    }
  }

  async #approveEntry(spec: McpServerSpec): Promise<void> {
    const entry = await this.#view(spec);
    const { files } = entry;
    const key = `${entryKey(spec)}\0${this.#approvals.hash(spec.name, spec.content, files)}`;
    // It may have been asked about meanwhile, or taken away. The answer about another read all entries anew.
    const isOpen = this.#unapproved.some((one) => entryKey(one) === entryKey(spec));
    if (this.#asking.has(key) || !isOpen) return;
    this.#asking.add(key);
    if (!this.#approvals.find(spec, files)) {
      const before = this.#approvals.before(spec.name);
      const request = { server: spec.name, entry, ...(before ? { before } : {}) };
      if (!(await this.#ports.user.approveServer(request, this.#stop.signal))) return;
      // The answer holds for what was shown; files that changed meanwhile are found before the start.
      await this.#approvals.approve(spec, files);
    }
    this.#asking.delete(key);
    this.#stale.delete(entryKey(spec));
    this.refresh();
  }

  async #view(spec: McpServerSpec): Promise<EntryView> {
    const { launchOf } = await import('./launch');
    return { spec, ...(await launchOf(this.#ports, spec)) };
  }

  /**
   * What an approved entry of the workspace starts, looked at right before: other bytes than those that were approved
   * do not start.
   */
  async #launch(spec: McpServerSpec): Promise<EntryView> {
    const entry = await this.#view(spec);
    if (this.#approvals.find(spec, entry.files)) return entry;
    this.#stale.add(entryKey(spec));
    this.refresh();
    // Whoever called must not wait for a person; the answer is taken when it comes.
    this.discover().catch((error: unknown) =>
      this.#ports.log.warn(`asking about the MCP server ${spec.name} failed: ${String(error)}`),
    );
    throw refusal('not_available', say('mcp_files_changed', spec.name), { details: { server: spec.name } });
  }

  /** Starts a server by hand, asking again what was refused or blocked. */
  async start(name: string): Promise<void> {
    for (const key of this.#asking) if (key.startsWith(`${name}\0`)) this.#asking.delete(key);
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

  /**
   * Ends a server and takes its tokens away, here and, where it takes such requests, at the authorization server that
   * gave them.
   */
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
    for (const { name, capabilityId, state, signedOut, pinned, detail, faults } of this.list()) {
      const report = (severity: Problem['severity'], code: string, fault: Sentence): void => {
        // The capability's row carries it where there is one.
        out.push(problem({ severity, code, said: say('server_fault', name, fault), subject: capabilityId }));
      };
      if (state === 'failed') report('error', 'mcp_failed', say('server_failed', detail ?? say('unknown_reason')));
      if (state === 'blocked') report('error', 'mcp_changed', say('server_changed'));
      if (pinned) report('error', 'mcp_pinned', say('server_pinned'));
      else if (signedOut) report('warning', 'mcp_signed_out', say('server_signed_out'));
      else if (state === 'asking' || state === 'refused')
        report('warning', 'mcp_not_approved', say('server_tools_unapproved'));
      if (state === 'unapproved') report('warning', 'mcp_not_approved', say('server_of_workspace'));
      for (const fault of faults) report('warning', 'mcp_tool', say('server_offers', fault));
    }
    return out;
  }

  /** Ends every server at once, with all that they started. */
  dispose(): void {
    this.#stop.abort();
    this.#store.dispose();
  }
}

/** Most have no servers, and what reads their entries is loaded with the first. */
function parsed(raw: unknown, origin: McpServerSpec['origin']): ParsedServers {
  return raw === undefined || raw === unreadable ? { servers: [], problems: [] } : parseServers(raw, origin);
}

/** One text for an entry of one name. */
function entryKey({ name, content }: McpServerSpec): string {
  return `${name}\0${content}`;
}

/** Where a person signs in to a server, as its entry says. */
function addressOf({ transport }: McpServerSpec): string | undefined {
  return transport.type === 'http' && transport.oauth
    ? `${transport.url}\0${transport.oauth.clientId ?? ''}`
    : undefined;
}
