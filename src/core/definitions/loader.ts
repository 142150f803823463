import type { SettledDefinition } from '../audit/changes';
import { Debounce } from '../base/debounce';
import { messageOf } from '../base/errorText';
import { Emitter, type Event } from '../base/event';
import { canonicalJson } from '../base/json';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import { type Problem, problem } from '../base/problem';
import { say, type Sentence } from '../base/sentence';
import type { FileSystem } from '../ports/files';
import type { Clock } from '../ports/platform';
import { nameConflicts } from '../registry/conflicts';
import type { CapabilityRegistry } from '../registry/registry';
import type { DefinitionApproval } from './approval';
import { type ApprovalOptions, DefinitionApprovals } from './approvals';
import { filesOf, readBoundFiles } from './boundFiles';
import { buildCapabilities } from './build';
import type { PolledTool } from './channelPoller';
import type { ChannelFetcher } from './channels';
import { DefinitionFiles, startOf } from './definitionFiles';
import type { DefinitionWatcher } from './files';
import { orderByDependencies } from './order';
import { DefinitionRegistrations } from './registrations';
import type { BoundDefinition, DefinitionSpec, HeldDefinition } from './spec';

interface DefinitionLoaderOptions extends ApprovalOptions {
  readonly registry: CapabilityRegistry;
  readonly files: FileSystem;
  readonly watcher: DefinitionWatcher;
  readonly clock: Clock;
  /** False in an untrusted workspace: nothing of it is loaded. */
  readonly trusted: () => boolean;
  /** The setting `definitions.enabled`. */
  readonly enabled: () => boolean;
  /** The hashes that signed bundles demand of a definition file, by its name without folder; all of them count. */
  readonly pinned?: (file: string) => readonly string[];
  /** Channels that settings name by URL. */
  readonly channels: ChannelFetcher;
}

/** What one reading came to. */
interface Reading {
  readonly problems: readonly Problem[];
  readonly pending: readonly DefinitionApproval[];
  readonly settled: readonly SettledDefinition[];
  readonly polling: readonly PolledTool[];
}

const nothing: Reading = { problems: [], pending: [], settled: [], polling: [] };

/** Changes that come together are read once; in milliseconds. */
const debounceMs = 150;

/**
 * Keeps the registry in step with the definitions of the workspace: `.vscode/capabilities/*.capability.json`,
 * `*.actions.json`, `*.channel.json` and the channels of the settings. A file with a mistake leaves its last good
 * version in force; a definition acts once the user approved its handlers, accesses and scopes. Everything that keeps
 * something from working is among the problems.
 */
export class DefinitionLoader implements Disposable {
  readonly #options: DefinitionLoaderOptions;
  readonly #store = new DisposableStore();
  readonly #changed = new Emitter<void>();
  readonly #debounce: Debounce;
  readonly #files: DefinitionFiles;
  readonly #approvals: DefinitionApprovals;
  readonly #registrations: DefinitionRegistrations;
  #reading = nothing;
  /** What the listeners know. */
  #told = '';
  #running: Promise<void> = Promise.resolve();

  constructor(options: DefinitionLoaderOptions) {
    this.#options = options;
    const { channels, clock, files, registry, storage, watcher } = options;
    this.#files = new DefinitionFiles(files, channels, storage);
    this.#approvals = new DefinitionApprovals(options);
    this.#registrations = new DefinitionRegistrations(registry);
    const schedule: Clock['schedule'] = (work, ms) => clock.schedule(work, ms);
    this.#debounce = this.#store.add(new Debounce(() => void this.reload(), debounceMs, schedule));
    this.#store.add(watcher.watch(() => this.#debounce.restart()));
    // A tool that a composition calls may come or go with an MCP server or an extension.
    this.#store.add(
      registry.onDidChange(() => {
        if (!this.#registrations.isChanging) this.#debounce.restart();
      }),
    );
  }

  /** Fires after the first reading, and after each that found something else. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  problems(): readonly Problem[] {
    return [...this.#reading.problems, ...nameConflicts(this.#options.registry)];
  }

  /** Definitions that wait for the user's approval. */
  pending(): readonly DefinitionApproval[] {
    return this.#reading.pending;
  }

  /** Every definition and what became of it. */
  definitions(): readonly SettledDefinition[] {
    return this.#reading.settled;
  }

  /** What channels recommend for refreshing. */
  polling(): Reading['polling'] {
    return this.#reading.polling;
  }

  /** Reads everything now and waits until the registry holds it. Calls that overlap run one after another. */
  reload(): Promise<void> {
    this.#debounce.cancel();
    this.#running = this.#running
      .then(() => this.#load())
      .catch((error: unknown) => this.#options.log.error(`reading the definitions failed: ${messageOf(error)}`));
    return this.#running;
  }

  /** Approves a pending definition by its hash, as the user said. */
  async approve(hash: string): Promise<void> {
    if (await this.#approvals.allow(hash)) await this.reload();
  }

  async #load(): Promise<void> {
    if (this.#store.isDisposed) return;
    const { trusted, enabled } = this.#options;
    if (!trusted() || !enabled()) return this.#close(trusted() ? say('definitions_off') : say('definitions_untrusted'));
    const pending: DefinitionApproval[] = [];
    const problems = await this.#files.read((setting) => {
      const question = this.#approvals.addressQuestion(setting);
      if (question) pending.push(question);
      return question === undefined;
    });
    const specs = this.#distinct(problems).filter((spec) => this.#isPinned(spec, problems));
    const allowed = await this.#allowed(await this.#bound(specs, problems), pending, problems);
    for (const { capabilityId, file } of pending) {
      const said = say('definition_pending', capabilityId);
      problems.push(problem({ severity: 'warning', said, subject: capabilityId, ...startOf(file) }));
    }
    if (this.#store.isDisposed) return;
    this.#register(allowed, problems);
    this.#tell({
      problems,
      pending,
      settled: specs.map((spec) => this.#settled(spec, pending)),
      polling: this.#files.polling().filter(({ channel }) => this.#registrations.has(channel)),
    });
    this.#approvals.ask(
      pending,
      (hash) => this.#reading.pending.some((one) => one.hash === hash),
      async (hash) => {
        if (!this.#store.isDisposed) await this.approve(hash);
      },
    );
  }

  /** What differs from what a signed bundle pins is held back, whoever approved it. */
  #isPinned({ file, origin, text, capability: { id } }: HeldDefinition, problems: Problem[]): boolean {
    const isFile = origin.by === 'workspace' && origin.url === undefined;
    const demanded = isFile ? (this.#options.pinned?.(file.split('/').at(-1) ?? file) ?? []) : [];
    if (demanded.length === 0) return true;
    const hash = this.#options.crypto.sha256(text);
    if (demanded.every((one) => one === hash)) return true;
    problems.push(
      problem({ severity: 'error', said: say('definition_pinned', id, file), subject: id, ...startOf(file) }),
    );
    return false;
  }

  /** A capability's id is unique: the first file keeps it. */
  #distinct(problems: Problem[]): readonly HeldDefinition[] {
    const kept = new Map<string, HeldDefinition>();
    for (const spec of this.#files.specs()) {
      const { file, capability } = spec;
      const { id } = capability;
      const foreign = this.#registrations.foreignCapability(id);
      const other = kept.get(id)?.file ?? (foreign && say('another_source'));
      if (other === undefined) kept.set(id, spec);
      else {
        const taken = { code: 'duplicate_capability', said: say('id_taken', id, other) };
        const fault = problem({ severity: 'error', ...taken, subject: id, file, pointer: '/id' });
        problems.push(...this.#files.placed([fault]));
      }
    }
    return [...kept.values()];
  }

  async #bound(specs: readonly HeldDefinition[], problems: Problem[]): Promise<readonly BoundDefinition[]> {
    const bound: BoundDefinition[] = [];
    for (const spec of specs) {
      const { files, faults } = await readBoundFiles(spec, this.#options.files, this.#options.crypto);
      bound.push({ ...spec, files });
      const subject = spec.capability.id;
      const told = faults.map(({ tool, file, why }) => {
        const said = say('missing_module', file, why);
        return problem({ severity: 'error', said, subject, file: spec.file, pointer: `${tool.pointer}/handler` });
      });
      problems.push(...this.#files.placed(told));
    }
    return bound;
  }

  /** What may act, each after what it depends on; what has to be asked about first goes to `pending`. */
  async #allowed(
    specs: readonly BoundDefinition[],
    pending: DefinitionApproval[],
    problems: Problem[],
  ): Promise<readonly BoundDefinition[]> {
    const order = orderByDependencies(
      specs,
      (id) => this.#registrations.foreignCapability(id),
      () => this.#options.registry.capabilityIds(),
    );
    problems.push(...this.#files.placed(order.problems));
    const allowed: BoundDefinition[] = [];
    for (const spec of order.ordered) {
      const { origin, file, document, files } = spec;
      const judged = await this.#approvals.judge({ origin, file, document, spec, files });
      if ('hash' in judged) pending.push(judged);
      else allowed.push(judged.spec);
    }
    return allowed;
  }

  #register(specs: readonly BoundDefinition[], problems: Problem[]): void {
    const { registry, files, crypto } = this.#options;
    // Most have none, and what builds them is loaded with the first.
    if (specs.length === 0) return void problems.push(...this.#registrations.sync([]));
    const built = buildCapabilities(specs, {
      lookUp: (reference) => this.#registrations.foreignTool(reference),
      toolNames: () => registry.toolNames(),
      filesNow: (handler, root = files) => filesOf(handler, root, crypto),
      changed: () => this.#debounce.restart(),
    });
    problems.push(...this.#files.placed(built.problems));
    problems.push(...this.#registrations.sync(built.capabilities));
  }

  #settled({ capability: { id }, file }: DefinitionSpec, pending: readonly DefinitionApproval[]): SettledDefinition {
    const signature = this.#registrations.signature(id);
    if (signature !== undefined) return { capabilityId: id, file, state: 'active', signature };
    return { capabilityId: id, file, state: pending.some((one) => one.capabilityId === id) ? 'pending' : 'failed' };
  }

  #tell(reading: Reading): void {
    this.#reading = reading;
    const now = canonicalJson(reading);
    if (now === this.#told) return;
    this.#told = now;
    this.#changed.fire();
  }

  #close(why: Sentence): void {
    this.#registrations.dispose();
    this.#files.forget();
    const closed = problem({ severity: 'information', code: 'definitions_off', said: why });
    this.#tell({ ...nothing, problems: [closed] });
  }

  dispose(): void {
    this.#store.dispose();
    this.#registrations.dispose();
    this.#changed.dispose();
  }
}
