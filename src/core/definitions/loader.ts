import type { SettledDefinition } from '../audit/changes';
import { Emitter, type Event } from '../base/event';
import { canonicalJson } from '../base/json';
import { Debounce } from '../base/debounce';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import type { Capability } from '../capability/capability';
import type { Clock, Crypto, KeyValueStore, Log } from '../ports/platform';
import type { FileSystem } from '../ports/files';
import { type Problem, problem } from '../base/problem';
import { say, type Sentence } from '../base/sentence';
import type { CapabilityRegistry } from '../registry/registry';
import {
  type DefinitionApproval,
  type DefinitionApprover,
  type DefinitionOrigin,
  hashOf,
  identityOf,
} from './approval';
import { ApprovedDefinitions } from './approvedDefinitions';
import { filesOf, hashesOf, readBoundFiles } from './boundFiles';
import { buildCapabilities } from './build';
import { type ChannelFetcher, type ChannelSetting, manifestFile } from './channels';
import { nameConflicts } from '../registry/conflicts';
import { type DefinitionWatcher, readDefinitionFiles } from './files';
import { type JsonDocument, readJsonDocument } from '../base/jsonDocument';
import { LastGood } from './lastGood';
import { orderByDependencies } from './order';
import type { ParsedFile } from './parse';
import type { ChannelPolling } from './parseChannel';
import type { DefinitionSpec, SecurityBlock } from './spec';
import type { BoundFiles } from './handlers/handlerSpec';
import { messageOf } from '../base/errorText';

interface DefinitionLoaderParts {
  readonly registry: CapabilityRegistry;
  readonly files: FileSystem;
  readonly watcher: DefinitionWatcher;
  readonly storage: KeyValueStore;
  /**
   * Kept for this user in every workspace: what the channels of the user's own settings said. The workspace's where it
   * is left out.
   */
  readonly userStorage?: KeyValueStore;
  readonly crypto: Crypto;
  readonly clock: Clock;
  readonly log: Log;
  readonly approver: DefinitionApprover;
  /** False in an untrusted workspace: nothing of it is loaded. */
  readonly trusted: () => boolean;
  /** The setting `definitions.enabled`. */
  readonly enabled: () => boolean;
  /** Channels that settings name by URL. */
  readonly channels?: ChannelFetcher;
}

/** One file as the loader knows it. */
interface FileState {
  readonly text: string;
  readonly origin: DefinitionOrigin;
  /** What the file says now, mistakes and all. */
  readonly parsed: ParsedFile;
  /** The last version without a mistake; it is what holds. */
  readonly good: ParsedFile | undefined;
  readonly document: () => JsonDocument;
}

interface Registered {
  readonly signature: string;
  readonly registration: Disposable;
}

/** Changes that come together are read once; in milliseconds. */
const debounceMs = 150;

/**
 * Keeps the registry in step with the definitions of the workspace: `.vscode/capabilities/*.capability.json`,
 * `*.actions.json`, `*.channel.json` and the channels of the settings. A file with a mistake leaves its last good
 * version in force; a definition acts once the user approved its handlers, accesses and scopes. Everything that keeps
 * something from working is among the problems.
 */
export class DefinitionLoader implements Disposable {
  readonly #parts: DefinitionLoaderParts;
  readonly #store = new DisposableStore();
  readonly #changed = new Emitter<void>();
  readonly #reading: Debounce;
  readonly #states = new Map<string, FileState>();
  readonly #registered = new Map<string, Registered>();
  readonly #approved: ApprovedDefinitions;
  readonly #ownChannels: ApprovedDefinitions;
  readonly #lastGood: LastGood;
  /** What was asked since the start, by hash: a yes is for exactly this. */
  readonly #asked = new Map<string, DefinitionApproval>();
  #problems: readonly Problem[] = [];
  #pending: readonly DefinitionApproval[] = [];
  #settled: readonly SettledDefinition[] = [];
  #pendingChannels: DefinitionApproval[] = [];
  #security: SecurityBlock = { requireAuth: false, defaultPermissions: [] };
  #polling: readonly (ChannelPolling & { readonly channel: string })[] = [];
  /** What the listeners know. */
  #told = '';
  #running: Promise<void> = Promise.resolve();
  #syncing = false;

  constructor(parts: DefinitionLoaderParts) {
    this.#parts = parts;
    this.#approved = new ApprovedDefinitions(parts.storage);
    this.#ownChannels = new ApprovedDefinitions(parts.userStorage ?? parts.storage);
    this.#lastGood = new LastGood(parts.storage);
    this.#reading = this.#store.add(
      new Debounce(
        () => void this.reload(),
        debounceMs,
        (work, ms) => parts.clock.schedule(work, ms),
      ),
    );
    this.#store.add(parts.watcher.watch(() => this.#reading.restart()));
    // A tool that a composition calls may come or go with an MCP server or an extension.
    this.#store.add(
      parts.registry.onDidChange(() => {
        if (!this.#syncing) this.#reading.restart();
      }),
    );
  }

  /** Fires after the first reading, and after each that found something else. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  problems(): readonly Problem[] {
    return [...this.#problems, ...nameConflicts(this.#parts.registry)];
  }

  /** Definitions that wait for the user's approval. */
  pending(): readonly DefinitionApproval[] {
    return this.#pending;
  }

  /** Every definition and what became of it. */
  definitions(): readonly SettledDefinition[] {
    return this.#settled;
  }

  /** The security blocks of all files together; the strictest counts. */
  security(): SecurityBlock {
    return this.#security;
  }

  /** What channels recommend for refreshing. */
  polling(): readonly (ChannelPolling & { readonly channel: string })[] {
    return this.#polling;
  }

  /** Reads everything now and waits until the registry holds it. Calls that overlap run one after another. */
  reload(): Promise<void> {
    this.#reading.cancel();
    const next = this.#running.then(() => this.#load());
    this.#running = next.catch((error: unknown) =>
      this.#parts.log.error(`reading the definitions failed: ${messageOf(error)}`),
    );
    return this.#running;
  }

  /** Approves a pending definition by its hash, as the user said. */
  async approve(hash: string): Promise<void> {
    const approval = this.#asked.get(hash) ?? this.#pending.find((one) => one.hash === hash);
    if (!approval) return;
    await this.#keeper(approval.isOwn).add(approval);
    await this.reload();
  }

  /** Where a yes is kept: one about a channel of the user's own settings holds wherever those do. */
  #keeper(isOwn: boolean): ApprovedDefinitions {
    return isOwn ? this.#ownChannels : this.#approved;
  }

  async #load(): Promise<void> {
    if (this.#store.isDisposed) return;
    const { trusted, enabled } = this.#parts;
    if (!trusted() || !enabled()) {
      this.#clear(trusted() ? say('definitions_off') : say('definitions_untrusted'));
      return;
    }
    this.#pendingChannels = [];
    const problems = await this.#readFiles();
    const specs = this.#distinct(problems);
    const bound = await this.#readBound(specs, problems);
    const { ordered, problems: orderProblems } = orderByDependencies(
      specs,
      (id) => this.#foreign(id),
      () => this.#parts.registry.capabilityIds(),
    );
    problems.push(...this.#placed(orderProblems));
    const pending: DefinitionApproval[] = [...this.#pendingChannels];
    const allowed: DefinitionSpec[] = [];
    for (const spec of ordered) {
      const judged = await this.#judge(spec, bound.get(spec) ?? new Map());
      if ('hash' in judged) pending.push(judged);
      else allowed.push(judged.spec);
      if ('spec' in judged) bound.set(judged.spec, bound.get(spec) ?? new Map());
    }
    for (const one of pending)
      problems.push(
        problem({
          severity: 'warning',
          said: say('definition_pending', one.capabilityId),
          subject: one.capabilityId,
          ...atStart(one.file),
        }),
      );
    if (this.#store.isDisposed) return;
    const built = buildCapabilities(allowed, {
      lookUp: (reference) => this.#foreignTool(reference),
      toolNames: () => this.#parts.registry.toolNames(),
      boundFile: (spec, file) => bound.get(spec)?.get(file),
      filesNow: (handler, root = this.#parts.files) => filesOf(handler, root, this.#parts.crypto),
      changed: () => this.#reading.restart(),
    });
    problems.push(...this.#placed(built.problems));
    this.#sync(built.capabilities, allowed, bound, problems);
    this.#pending = pending;
    this.#settled = specs.map((spec): SettledDefinition => {
      const capabilityId = spec.capability.id;
      const registered = this.#registered.get(capabilityId);
      if (registered) return { capabilityId, file: spec.file, state: 'active', signature: registered.signature };
      return {
        capabilityId,
        file: spec.file,
        state: pending.some((one) => one.capabilityId === capabilityId) ? 'pending' : 'failed',
      };
    });
    this.#problems = problems;
    this.#polling = [...this.#states.values()].flatMap(({ good }) => {
      const id = good?.specs[0]?.capability.id;
      return id === undefined || !this.#registered.has(id)
        ? []
        : (good?.polling ?? []).map((one) => ({ ...one, channel: id }));
    });
    this.#tell();
    this.#askFor(pending);
  }

  #tell(): void {
    const now = canonicalJson([this.#problems, this.#pending, this.#settled, this.#polling, this.#security]);
    if (now === this.#told) return;
    this.#told = now;
    this.#changed.fire();
  }

  /**
   * The definition as it may act, or the question that has to be answered first. Of a channel of the user's own
   * settings the first manifest is taken, because the user named its address; another one later is asked about like any
   * other change.
   */
  async #judge(
    spec: DefinitionSpec,
    files: BoundFiles,
  ): Promise<DefinitionApproval | { readonly spec: DefinitionSpec }> {
    const state = this.#states.get(spec.file);
    const origin: DefinitionOrigin = state?.origin ?? { by: 'workspace' };
    const subject = { origin, file: spec.file, document: state?.good?.document, spec, files };
    const identity = identityOf(origin, spec.file);
    const hash = hashOf(subject, this.#parts.crypto);
    const keeper = this.#keeper(origin.by === 'user');
    if (!keeper.has(identity, hash)) {
      const { approvalOf } = await import('./approvalText');
      const approval = approvalOf(subject, this.#parts.crypto, keeper.lines(identity));
      if (origin.by === 'workspace' || keeper.knows(identity)) return approval;
      await keeper.add(approval);
    }
    return {
      spec: { ...spec, capability: { ...spec.capability, provenance: { by: origin.by, from: identity, hash } } },
    };
  }

  /** A channel that the workspace names is not even contacted before the user approved its address. */
  #mayFetch(setting: ChannelSetting): boolean {
    if (setting.origin === 'user') return true;
    const identity = canonicalJson(['address', setting.name]);
    const approval: DefinitionApproval = {
      hash: this.#parts.crypto.sha256(canonicalJson({ format: 2, channel: setting.name, url: setting.url })),
      identity,
      isOwn: false,
      capabilityId: setting.name,
      name: setting.name,
      file: manifestFile(setting.name),
      tools: [
        {
          name: setting.name,
          does: `reads the manifest at ${setting.url}`,
          riskLevel: 'low',
          agent: 'allowed',
          scopes: [],
          accesses: [`network.http ${setting.url}`],
          secrets: [],
        },
      ],
      outsideSandbox: [],
      lines: [`address: ${JSON.stringify(setting.url)}`],
      changes: (this.#approved.lines(identity) ?? []).flatMap((line) => [
        `-${line}`,
        `+address: ${JSON.stringify(setting.url)}`,
      ]),
    };
    if (this.#approved.has(identity, approval.hash)) return true;
    this.#pendingChannels.push(approval);
    return false;
  }

  /** Asks for each new approval once; the answer comes whenever the person gives it. */
  #askFor(pending: readonly DefinitionApproval[]): void {
    for (const approval of pending) {
      if (this.#asked.has(approval.hash)) continue;
      this.#asked.set(approval.hash, approval);
      void this.#parts.approver
        .ask(approval)
        .then((yes) => (yes && !this.#store.isDisposed ? this.approve(approval.hash) : undefined))
        .catch((error: unknown) =>
          this.#parts.log.error(`asking for \`${approval.capabilityId}\` failed: ${messageOf(error)}`),
        );
    }
  }

  /** Reads what changed; what could not be read keeps what it had. */
  async #readFiles(): Promise<Problem[]> {
    const problems: Problem[] = [];
    const found = await readDefinitionFiles(this.#parts.files);
    const fetched = (await this.#parts.channels?.read(problems, (setting) => this.#mayFetch(setting))) ?? [];
    const present = new Set([...found.map((one) => one.file), ...fetched.map((one) => one.file)]);
    for (const [file, { origin }] of this.#states)
      if (!present.has(file) && !found.some((one) => one.fault !== undefined && file.startsWith(`${one.file}/`))) {
        this.#states.delete(file);
        await this.#lastGood.forget(identityOf(origin, file));
      }
    for (const one of [...found, ...fetched]) {
      if (one.text === undefined) {
        const fault = 'fault' in one && one.fault !== undefined ? one.fault : say('no_reason');
        problems.push(
          problem({ severity: 'error', said: say('unreadable_definition', one.file, fault), ...atStart(one.file) }),
        );
        continue;
      }
      const origin: DefinitionOrigin = 'url' in one ? { by: one.by, url: one.url } : { by: 'workspace' };
      const known = this.#states.get(one.file);
      if (known?.text !== one.text || identityOf(known.origin, one.file) !== identityOf(origin, one.file))
        await this.#parse(one.file, one.text, origin);
    }
    let requireAuth = false;
    const defaults = new Set<string>();
    for (const [file, state] of this.#states) {
      problems.push(...state.parsed.problems);
      if (!state.parsed.usable && state.good)
        problems.push(problem({ severity: 'information', said: say('last_good_in_force', file), ...atStart(file) }));
      const security = [state.parsed.security, state.good?.security].filter((one) => one !== undefined);
      if (security.some((one) => one.requireAuth)) requireAuth = true;
      for (const one of security.flatMap((each) => each.defaultPermissions)) defaults.add(one);
    }
    this.#security = { requireAuth, defaultPermissions: [...defaults] };
    return problems;
  }

  async #parse(file: string, text: string, origin: DefinitionOrigin): Promise<void> {
    // Most workspaces have no definition: what reads them is loaded with the first.
    const { parseDefinition } = await import('./parse');
    const identity = identityOf(origin, file);
    const parsed = parseDefinition(text, file, origin.url);
    const before = this.#states.get(file);
    let good = parsed.usable
      ? parsed
      : before && identityOf(before.origin, file) === identity
        ? before.good
        : undefined;
    if (parsed.usable) await this.#lastGood.keep(identity, text);
    else if (good === undefined) {
      const kept = this.#lastGood.get(identity);
      const again = kept === undefined ? undefined : parseDefinition(kept, file, origin.url);
      if (again?.usable) good = again;
    }
    this.#states.set(file, { text, origin, parsed, good, document: () => readJsonDocument(text, file) });
  }

  /** A capability's id is unique: the first file keeps it. */
  #distinct(problems: Problem[]): readonly DefinitionSpec[] {
    const specs: DefinitionSpec[] = [];
    for (const { good } of this.#states.values())
      for (const spec of good?.specs ?? []) {
        const { id } = spec.capability;
        const other =
          specs.find((one) => one.capability.id === id)?.file ??
          (this.#foreign(id) ? say('another_source') : undefined);
        if (other === undefined) specs.push(spec);
        else
          problems.push(
            ...this.#placed([
              problem({
                severity: 'error',
                code: 'duplicate_capability',
                said: say('id_taken', id, other),
                subject: id,
                file: spec.file,
                pointer: '/id',
              }),
            ]),
          );
      }
    return specs;
  }

  /** A capability that is not one of ours. */
  #foreign(id: string): Capability | undefined {
    if (this.#registered.has(id)) return undefined;
    return this.#parts.registry.capability(id);
  }

  #foreignTool(reference: string) {
    const tool = this.#parts.registry.tool(reference);
    return tool && this.#registered.has(tool.capability.id) ? undefined : tool;
  }

  async #readBound(specs: readonly DefinitionSpec[], problems: Problem[]): Promise<Map<DefinitionSpec, BoundFiles>> {
    const bound = new Map<DefinitionSpec, BoundFiles>();
    for (const spec of specs) {
      const { files, faults } = await readBoundFiles(spec, this.#parts.files, this.#parts.crypto);
      bound.set(spec, files);
      problems.push(
        ...this.#placed(
          faults.map(({ tool, file, message }) =>
            problem({
              severity: 'error',
              said: say('missing_module', file, message),
              subject: spec.capability.id,
              file: spec.file,
              pointer: `${tool.pointer}/handler`,
            }),
          ),
        ),
      );
    }
    return bound;
  }

  /** Registers what is new or changed, lets go of what is gone, and leaves the rest alone. */
  #sync(
    capabilities: readonly Capability[],
    specs: readonly DefinitionSpec[],
    bound: ReadonlyMap<DefinitionSpec, BoundFiles>,
    problems: Problem[],
  ): void {
    this.#syncing = true;
    try {
      const wanted = new Map<string, { capability: Capability; signature: string }>();
      capabilities.forEach((capability, index) => {
        const spec = specs[index];
        const contents = spec ? hashesOf(bound.get(spec) ?? new Map()) : {};
        const signature = canonicalJson({
          capability: { ...capability, tools: capability.tools.map((tool) => tool.definition) },
          handlers: spec?.tools.map((tool) => [tool.handler, tool.accesses]) ?? [],
          contents,
        });
        wanted.set(capability.id, { capability, signature });
      });
      for (const [id, { registration, signature }] of this.#registered)
        if (wanted.get(id)?.signature !== signature) {
          registration.dispose();
          this.#registered.delete(id);
        }
      for (const [id, { capability, signature }] of wanted) {
        if (this.#registered.has(id)) continue;
        try {
          this.#registered.set(id, { signature, registration: this.#parts.registry.register(capability) });
        } catch (error) {
          problems.push(
            problem({
              severity: 'error',
              code: 'invalid_definition',
              said: say('as_it_is', messageOf(error)),
              subject: id,
              ...atStart(specs.find((one) => one.capability.id === id)?.file ?? id),
            }),
          );
        }
      }
    } finally {
      this.#syncing = false;
    }
  }

  /** Fills in where problems with a pointer stand. */
  #placed(problems: readonly Problem[]): readonly Problem[] {
    return problems.map((one) => {
      const state = one.file === undefined ? undefined : this.#states.get(one.file);
      return state ? state.document().place(one) : one;
    });
  }

  #clear(why: Sentence): void {
    this.#syncing = true;
    try {
      for (const { registration } of this.#registered.values()) registration.dispose();
      this.#registered.clear();
    } finally {
      this.#syncing = false;
    }
    this.#states.clear();
    this.#pending = [];
    this.#settled = [];
    this.#polling = [];
    this.#security = { requireAuth: false, defaultPermissions: [] };
    this.#problems = [problem({ severity: 'information', code: 'definitions_off', said: why })];
    this.#tell();
  }

  dispose(): void {
    this.#syncing = true;
    this.#store.dispose();
    for (const { registration } of this.#registered.values()) registration.dispose();
    this.#registered.clear();
    this.#changed.dispose();
  }
}

/** The place of what is about a file as a whole. */
function atStart(file: string): Pick<Problem, 'file' | 'line' | 'column'> {
  return { file, line: 1, column: 1 };
}
