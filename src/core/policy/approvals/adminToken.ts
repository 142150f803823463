import type { Clock, KeyValueStore, SecretStore } from '../../ports/platform';

/** Slow hashes for tokens that people type; scrypt on Node. */
export interface TokenHasher {
  /** Makes a text that holds the salt and everything else that `verify` needs. */
  hash(token: string): Promise<string>;
  /** Compares in constant time; false for a stored text that cannot be read. */
  verify(token: string, stored: string): Promise<boolean>;
}

export type AdminAnswer =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'not-set' }
  | { readonly outcome: 'wrong' }
  | { readonly outcome: 'locked'; readonly retryAfterMs: number };

/** What becomes of a new token; `shortest` is how many characters it needs. */
export type AdminChange = AdminAnswer | { readonly outcome: 'too-short'; readonly shortest: number };

/** Where the hash is kept among the secrets. */
const adminHashName = 'agentCapabilities.adminTokenHash';
const freeAttempts = 3;
const longestLockMs = 15 * 60_000;
const shortestToken = 8;

interface AdminTokenOptions {
  readonly secrets: SecretStore;
  readonly hasher: TokenHasher;
  readonly clock: Clock;
}

/**
 * Checks the admin token. Only its hash is kept, in the editor's secret storage. A right token unlocks admin approvals
 * for as long as the person says; wrong ones lock for a time that doubles with each.
 */
export class AdminToken {
  readonly #options: AdminTokenOptions;
  #unlockedUntil = 0;
  #failures = 0;
  #lockedUntil = 0;
  /** The check that runs now: the next one waits, so that many at once are counted as many one after the other. */
  #checking: Promise<unknown> = Promise.resolve();

  constructor(options: AdminTokenOptions) {
    this.#options = options;
  }

  async isSet(): Promise<boolean> {
    return (await this.#options.secrets.get(adminHashName)) !== undefined;
  }

  get isUnlocked(): boolean {
    return this.#options.clock.monotonic() < this.#unlockedUntil;
  }

  /** Ends the unlocked time at once. */
  lock(): void {
    this.#unlockedUntil = 0;
  }

  /** Sets or (with undefined) removes the token. Where one is set, the old one is needed. */
  async set(token: string | undefined, current?: string): Promise<AdminChange> {
    if (await this.isSet()) {
      const answer = await this.unlock(current ?? '', 0);
      if (answer.outcome !== 'accepted') return answer;
    }
    if (token !== undefined && token.length < shortestToken) return { outcome: 'too-short', shortest: shortestToken };
    await this.#options.secrets.set(
      adminHashName,
      token === undefined ? undefined : await this.#options.hasher.hash(token),
    );
    this.lock();
    return { outcome: 'accepted' };
  }

  /** Checks a token; where it is right, admin approvals need no further token for `lifetimeMs`. */
  unlock(token: string, lifetimeMs: number): Promise<AdminAnswer> {
    const answer = this.#checking.then(() => this.#check(token, lifetimeMs));
    this.#checking = answer.catch(() => undefined);
    return answer;
  }

  async #check(token: string, lifetimeMs: number): Promise<AdminAnswer> {
    const now = this.#options.clock.monotonic();
    if (now < this.#lockedUntil) return { outcome: 'locked', retryAfterMs: this.#lockedUntil - now };
    const stored = await this.#options.secrets.get(adminHashName);
    if (stored === undefined) return { outcome: 'not-set' };
    if (await this.#options.hasher.verify(token, stored)) {
      this.#failures = 0;
      this.#unlockedUntil = this.#options.clock.monotonic() + Math.max(0, lifetimeMs);
      return { outcome: 'accepted' };
    }
    this.#failures++;
    if (this.#failures >= freeAttempts)
      this.#lockedUntil =
        this.#options.clock.monotonic() + Math.min(longestLockMs, 1000 * 2 ** (this.#failures - freeAttempts));
    return { outcome: 'wrong' };
  }
}

/** Secrets that keep the admin token's hash in a store, for who has no secret storage that lasts. */
export function withAdminHash(secrets: SecretStore, kept: KeyValueStore): SecretStore {
  return {
    async get(name) {
      if (name !== adminHashName) return secrets.get(name);
      const hash = kept.get(name);
      return typeof hash === 'string' ? hash : undefined;
    },
    set: async (name, value) => (name === adminHashName ? kept.set(name, value) : secrets.set(name, value)),
    names: () => secrets.names(),
  };
}
