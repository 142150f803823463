import type { Access } from '../../vocabulary/access';
import { type Event, Emitter } from '../../base/event';
import { SaidError, say } from '../../base/sentence';
import { canonicalJson, defined, type Json } from '../../base/json';
import type { Disposable } from '../../base/lifecycle';
import { type Clock, type Crypto, type KeyValueStore, updateStored } from '../../ports/platform';
import type { Coverage, GateCall } from '../../call/gateCall';
import type { RegisteredTool } from '../../registry/registry';
import type { Grant, GrantCover, GrantScope } from './grant';
import { areBelow, changesFiles, grantableFolders } from './fileChanges';
import { isFromRepository, toolBindings } from './grantBinding';
import { alike, coverTest, exactly, uncovered } from './grantPattern';
import { type Reason, reasonKey } from '../../vocabulary/decision';
import { resourceKey } from './resourceKey';
import { fromStored, toStored } from './storedGrants';

/** A grant as the scope picker makes it. */
export interface GrantDraft {
  readonly scope: GrantScope;
  readonly cover: 'arguments' | 'resources' | 'pattern' | 'tool' | 'files';
  /** For `pattern`: one glob for all accesses of the call, such as `src/**` or `*.example.com`. */
  readonly pattern?: string;
  /** For `files`, which holds for the session alone: one of `grantableFolders` of the call. */
  readonly folder?: string;
  /** Milliseconds from now. */
  readonly lifetimeMs?: number;
  /** The grant is used up after so many calls. */
  readonly uses?: number;
}

const storeKey = 'grants';
const storedScopes = ['workspace', 'always'] as const;
type StoredScope = (typeof storedScopes)[number];
const isStored = (scope: GrantScope): scope is StoredScope => scope === 'workspace' || scope === 'always';
const mostGrants = 20_000;

/**
 * Whether the time of a grant is over. One from the future (the clock was set back) has ended too: nobody can say how
 * much of its time has passed. A minute is left to clocks that are put right.
 */
const hasEnded = ({ createdAt, expiresAt }: Grant, now: number): boolean =>
  expiresAt !== undefined && (now >= expiresAt || now < createdAt - 60_000);

/**
 * Keeps what people allowed for longer than one call. Session grants live in memory, `workspace` and `always` in the
 * extension's storage, never in the repository. Several windows may share that: what another kept or took back there
 * counts here before a call is covered, and ids of what is gone are kept so that nobody's list brings it back. A grant
 * turns a question into a yes; it never touches a denial (invariant: deny wins).
 */
export class GrantStore implements Disposable {
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;
  readonly #grants = new Map<string, Compiled>();
  readonly #index = new Map<string, ToolIndex>();
  readonly #clock: Clock;
  readonly #crypto: Crypto;
  readonly #bindingOf: (tool: RegisteredTool) => string;
  readonly #stores: Readonly<Record<StoredScope, KeyValueStore>>;
  /** What stood in each store when it was read last. */
  readonly #seen: Partial<Record<StoredScope, Json | undefined>> = {};
  readonly #gone = { workspace: new Map<string, number>(), always: new Map<string, number>() };
  readonly #onError: (error: unknown) => void;

  constructor(options: {
    readonly clock: Clock;
    readonly crypto: Crypto;
    readonly workspace: KeyValueStore;
    readonly user: KeyValueStore;
    readonly onError?: (error: unknown) => void;
  }) {
    this.#clock = options.clock;
    this.#crypto = options.crypto;
    this.#bindingOf = toolBindings(options.crypto);
    this.#stores = { workspace: options.workspace, always: options.user };
    this.#onError = options.onError ?? (() => {});
    this.#look();
  }

  /** All grants that still hold, newest first. */
  list(): readonly Grant[] {
    this.#look();
    this.#purge();
    return [...this.#grants.values()]
      .map((one) => one.grant)
      .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
  }

  /** Finds a grant that covers all accesses and answers all reasons of a call. */
  covering(call: GateCall, accesses: readonly Access[], reasons: readonly Reason[]): Coverage | undefined {
    this.#look();
    const asked = reasons.some((one) => one.advisory) ? reasons.filter((one) => !one.advisory) : reasons;
    const found = this.#find(call, accesses, asked);
    if (!found) return undefined;
    const { id } = found.grant;
    return { id, by: 'grant', use: () => this.#use(id) };
  }

  #find(call: GateCall, accesses: readonly Access[], asked: readonly Reason[]): Compiled | undefined {
    const index = this.#index.get(call.tool.id);
    const now = this.#clock.now();
    const under = (key: string, of = index): Compiled | undefined => {
      for (const compiled of of?.keys.get(key) ?? none)
        if (this.#covers(compiled, call, accesses, asked, now)) return compiled;
      return undefined;
    };
    let found = under('');
    for (let at = 0; !found && at < accesses.length; at++) found = under(exactKey(accesses[at]));
    // The digest is computed only where some grant of the tool is bound to arguments.
    if (!found && index && index.boundToArguments > 0) found = under(`#${argumentsDigest(call, this.#crypto)}`);
    return found ?? (changesFiles(call.tool) ? under('', this.#index.get(anyFileChange.id)) : undefined);
  }

  #covers(
    { grant, matches, reasons }: Compiled,
    call: GateCall,
    accesses: readonly Access[],
    asked: readonly Reason[],
    now: number,
  ): boolean {
    if (grant.binding !== this.#bindingOf(call.tool) || (grant.scope === 'always' && isFromRepository(call.tool)))
      return false;
    if (grant.actor !== call.actor.type || hasEnded(grant, now)) return false;
    if (grant.usesLeft !== undefined && grant.usesLeft <= 0) return false;
    if (!asked.every((one) => reasons.has(reasonKey(one)) && (!one.admin || grant.admin === true))) return false;
    return matches(call, accesses);
  }

  /**
   * Makes a grant from what a person chose for a call. Throws an Error for a pattern that cannot be read, and for every
   * workspace where a repository brings the tool.
   */
  add(
    draft: GrantDraft,
    call: Pick<GateCall, 'tool' | 'actor' | 'input'>,
    accesses: readonly Access[],
    reasons: readonly Reason[],
    more: { readonly admin?: boolean } = {},
  ): Grant {
    if (draft.scope === 'always' && isFromRepository(call.tool))
      throw new SaidError(say('grant_comes_with_workspace', call.tool.modelName));
    if (this.#grants.size >= mostGrants) this.#purge();
    if (this.#grants.size >= mostGrants) throw new SaidError(say('too_many_grants', mostGrants));
    const now = this.#clock.now();
    const grant: Grant = {
      id: `grant-${this.#crypto.randomId()}`,
      ...(draft.cover === 'files'
        ? { toolId: anyFileChange.id, toolName: anyFileChange.name }
        : { toolId: call.tool.id, toolName: call.tool.modelName }),
      binding: this.#bindingOf(call.tool),
      actor: call.actor.type,
      scope: draft.scope,
      cover: coverOf(draft, call, accesses, reasons, this.#crypto),
      reasons: [...new Set(reasons.filter((one) => !one.advisory).map(reasonKey))].sort(),
      createdAt: now,
      ...(draft.lifetimeMs === undefined ? {} : { expiresAt: now + draft.lifetimeMs }),
      ...defined({ usesLeft: draft.scope === 'once' ? 1 : draft.uses, admin: more.admin || undefined }),
    };
    this.#change(grant.scope, () => this.#insert(grant));
    return grant;
  }

  revoke(id: string): boolean {
    this.#look();
    const found = this.#grants.get(id);
    if (!found) return false;
    this.#end([found]);
    return true;
  }

  revokeAll(): void {
    this.#look();
    this.#end([...this.#grants.values()]);
  }

  /** What cannot be stored has ended here at least. */
  #end(ended: readonly Compiled[]): void {
    for (const { grant } of ended) this.#drop(grant);
    for (const scope of new Set(ended.map(({ grant }) => grant.scope))) this.#store(scope);
  }

  #store(scope: GrantScope): void {
    try {
      this.#change(scope, () => undefined);
    } catch (error) {
      this.#onError(error);
    }
  }

  #drop({ id, scope }: Grant): void {
    this.#remove(id);
    if (isStored(scope)) this.#gone[scope].set(id, this.#clock.now());
  }

  /** Takes one use, where it still has one; what cannot be stored is not used. */
  #use(id: string): boolean {
    const known = this.#grants.get(id)?.grant;
    if (known?.usesLeft === undefined) return known !== undefined;
    try {
      return this.#change(known.scope, () => {
        const now = this.#grants.get(id);
        if (now?.grant.usesLeft === undefined) return false;
        const usesLeft = now.grant.usesLeft - 1;
        if (usesLeft <= 0) this.#drop(now.grant);
        else now.grant = { ...now.grant, usesLeft };
        return usesLeft >= 0;
      });
    } catch (error) {
      this.#onError(error);
      return false;
    }
  }

  #purge(): void {
    const now = this.#clock.now();
    for (const { grant } of this.#grants.values()) if (hasEnded(grant, now)) this.#remove(grant.id);
  }

  #insert(grant: Grant): void {
    let matches: Compiled['matches'];
    try {
      matches = compileCover(grant.cover, this.#crypto);
    } catch {
      return;
    }
    const compiled: Compiled = { grant, matches, reasons: new Set(grant.reasons) };
    this.#grants.set(grant.id, compiled);
    let index = this.#index.get(grant.toolId);
    if (!index) this.#index.set(grant.toolId, (index = { keys: new Map(), boundToArguments: 0 }));
    const key = indexKey(grant.cover);
    const under = index.keys.get(key);
    if (under) under.add(compiled);
    else index.keys.set(key, new Set([compiled]));
    if (grant.cover.type === 'arguments') index.boundToArguments++;
  }

  #remove(id: string): void {
    const found = this.#grants.get(id);
    if (!found) return;
    this.#grants.delete(id);
    const index = this.#index.get(found.grant.toolId);
    if (!index) return;
    const key = indexKey(found.grant.cover);
    const under = index.keys.get(key);
    under?.delete(found);
    if (under?.size === 0) index.keys.delete(key);
    if (found.grant.cover.type === 'arguments') index.boundToArguments--;
  }

  /** Takes in what other windows have stored; puts right what one wrote that had not heard of what is gone. */
  #look(): void {
    for (const scope of storedScopes)
      if (this.#take(scope, this.#stores[scope].get(storeKey)) === 'outdated') this.#store(scope);
  }

  #take(scope: StoredScope, stored: Json | undefined): 'outdated' | 'fine' {
    if (Object.hasOwn(this.#seen, scope) && stored === this.#seen[scope]) return 'fine';
    this.#seen[scope] = stored;
    const own = this.#gone[scope];
    const { grants, gone } = fromStored(stored, scope);
    for (const [id, at] of gone) {
      own.set(id, at);
      this.#remove(id);
    }
    const now = this.#clock.now();
    for (const grant of grants) {
      const known = this.#grants.get(grant.id);
      if (own.has(grant.id) || hasEnded(grant, now)) continue;
      if (!known) this.#insert(grant);
      else if ((grant.usesLeft ?? Infinity) < (known.grant.usesLeft ?? Infinity)) known.grant = grant;
    }
    return grants.some(({ id }) => own.has(id)) ? 'outdated' : 'fine';
  }

  /** Does a change on what all windows have stored by now, and stores it before anything else happens. */
  #change<T>(scope: GrantScope, work: () => T): T {
    let answer: T;
    if (isStored(scope)) {
      const change = (stored: Json | undefined): { readonly value: Json | undefined; readonly answer: T } => {
        this.#take(scope, stored);
        const done = work();
        const grants = [...this.#grants.values()].map((one) => one.grant).filter((grant) => grant.scope === scope);
        return { value: toStored(grants, this.#gone[scope], this.#clock.now()), answer: done };
      };
      const made = updateStored(this.#stores[scope], storeKey, change, this.#onError);
      answer = made.answer;
      this.#seen[scope] = made.stored;
    } else answer = work();
    this.#changed.fire();
    return answer;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

const none: readonly Compiled[] = [];

/** Stands in for the tool in a grant of all file changes; no tool has such an id. */
const anyFileChange = { id: '*file changes', name: 'file changes' } as const;

interface Compiled {
  /** Replaced as its uses are counted. */
  grant: Grant;
  readonly reasons: ReadonlySet<string>;
  readonly matches: (call: GateCall, accesses: readonly Access[]) => boolean;
}

/** A digest of exactly these arguments. */
const argumentsDigest = (call: Pick<GateCall, 'input'>, crypto: Crypto): string =>
  crypto.sha256(canonicalJson(call.input));

/** What touches nothing is known by its arguments. */
function coverOf(
  draft: GrantDraft,
  call: Pick<GateCall, 'tool' | 'actor' | 'input'>,
  accesses: readonly Access[],
  reasons: readonly Reason[],
  crypto: Crypto,
): GrantCover {
  if (draft.cover === 'tool') return { type: 'tool' };
  if (draft.cover === 'files') {
    const { folder = '', scope } = draft;
    const folders = grantableFolders({ tool: call.tool, actor: call.actor.type, accesses, reasons });
    if (scope !== 'session' || !folders.includes(folder))
      throw new SaidError(say('pattern_misses', `${folder}/**`, accesses[0]?.resource ?? ''));
    return { type: 'files', folder };
  }
  if (draft.cover === 'pattern') {
    const pattern = draft.pattern ?? '';
    if (accesses.length === 0) throw new SaidError(say('nothing_for_pattern'));
    const missed = uncovered(pattern, accesses);
    if (missed) throw new SaidError(say('pattern_misses', pattern, missed.resource));
    return { type: 'resources', accesses: alike(accesses, pattern) };
  }
  if (draft.cover === 'resources' && accesses.length > 0) return { type: 'resources', accesses: exactly(accesses) };
  const shown = canonicalJson(call.input).slice(0, 200);
  return { type: 'arguments', digest: argumentsDigest(call, crypto), shown };
}

function compileCover(cover: GrantCover, crypto: Crypto): (call: GateCall, accesses: readonly Access[]) => boolean {
  switch (cover.type) {
    case 'tool':
      return () => true;
    case 'arguments':
      return (call) => argumentsDigest(call, crypto) === cover.digest;
    case 'files':
    case 'resources': {
      const covers = cover.type === 'files' ? areBelow(cover.folder) : coverTest(cover.accesses);
      return (_call, accesses) => covers(accesses);
    }
  }
}

function indexKey(cover: GrantCover): string {
  if (cover.type === 'arguments') return `#${cover.digest}`;
  const first = cover.type === 'resources' ? cover.accesses[0] : undefined;
  return first?.pattern.startsWith('=') ? exactKey({ effect: first.effect, resource: first.pattern.slice(1) }) : '';
}

const exactKey = (access: Pick<Access, 'effect' | 'resource'> | undefined): string =>
  access ? `=${resourceKey(access.effect, access.resource)}` : '';

/** The grants of one tool. */
interface ToolIndex {
  /** Grants by the exact resource or arguments; what has no such key stands under the empty one. */
  readonly keys: Map<string, Set<Compiled>>;
  boundToArguments: number;
}
