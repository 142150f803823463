import { canonicalJson, isObject, type Json, type JsonObject, plainJson } from '../base/json';
import type { Crypto, KeyValueStore } from '../ports/platform';
import { type ListedTool, type ReadTools, readTools } from './foreignList';

/** The version of a server's tools that the user approved. */
export interface Pin {
  /** SHA-256 over the whole sorted list, so that a renamed or added tool is a change too. */
  readonly hash: string;
  /** True where the user also confirmed what the server says about reading only. */
  readonly hintsConfirmed: boolean;
  /** The approved listing; left out where it is too large to keep, then a change can be told but not shown. */
  readonly tools?: readonly ListedTool[];
}

/** How a server's tools stand to what was approved. */
type PinState = { readonly state: 'approved' | 'changed'; readonly pin: Pin } | { readonly state: 'new' };

const mostKept = 1_500_000;

/** The hash of a listing: name, texts, schemas and annotations of every tool, sorted by name. */
export function listingHash(read: ReadTools, crypto: Crypto): string {
  const sorted = [...read.identity].sort((a, b) => compare(nameOf(a), nameOf(b)));
  return crypto.sha256(canonicalJson(sorted));
}

function nameOf(value: unknown): string {
  return isObject(value) && typeof value['name'] === 'string' ? value['name'] : '';
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Remembers approved listings by server. A damaged entry counts as none, so that the user is asked again (fails
 * closed).
 */
export class Pins {
  readonly #storage: KeyValueStore;
  readonly #crypto: Crypto;

  constructor(storage: KeyValueStore, crypto: Crypto) {
    this.#storage = storage;
    this.#crypto = crypto;
  }

  get(server: string): Pin | undefined {
    const raw = this.#storage.get(`mcp.pin.${server}`);
    if (!isObject(raw) || typeof raw['hash'] !== 'string' || !/^[0-9a-f]{64}$/.test(raw['hash'])) return undefined;
    const kept = raw['tools'] === undefined ? undefined : readTools(raw['tools']);
    // What is kept must be what was approved: a list that no longer has the hash was changed in the storage.
    const intact = kept !== undefined && listingHash(kept, this.#crypto) === raw['hash'];
    if (kept !== undefined && !intact) return undefined;
    return {
      hash: raw['hash'],
      hintsConfirmed: raw['hintsConfirmed'] === true,
      ...(intact ? { tools: kept.tools } : {}),
    };
  }

  judge(server: string, read: ReadTools): PinState {
    const pin = this.get(server);
    if (!pin) return { state: 'new' };
    return { state: this.#covers(pin, read) ? 'approved' : 'changed', pin };
  }

  /** A list that only lacks tools offers nothing that nobody saw: a server may fill it bit by bit after its start. */
  #covers({ hash, tools }: Pin, read: ReadTools): boolean {
    if (hash === listingHash(read, this.#crypto)) return true;
    if (!tools || read.identity.length >= tools.length) return false;
    const approved = new Set(tools.map(canonicalJson));
    return read.identity.every((one) => approved.has(canonicalJson(one)));
  }

  async approve(server: string, read: ReadTools, hintsConfirmed: boolean, now: number): Promise<Pin> {
    const hash = listingHash(read, this.#crypto);
    const identity = plainJson(read.identity);
    const whole = read.identity.length === read.tools.length;
    const kept = whole && JSON.stringify(identity).length <= mostKept;
    const value: Json = { hash, hintsConfirmed, approvedAt: now, ...(kept ? { tools: identity } : {}) };
    await this.#storage.set(`mcp.pin.${server}`, value);
    return { hash, hintsConfirmed, ...(kept ? { tools: read.tools } : {}) };
  }

  /** Changes what is believed of the approved version, and nothing else. Undefined where none is approved. */
  async confirmHints(server: string, hintsConfirmed: boolean): Promise<Pin | undefined> {
    const raw = this.#storage.get(`mcp.pin.${server}`);
    if (!this.get(server) || !isObject(raw)) return undefined;
    // It came from this storage, which holds JSON.
    await this.#storage.set(`mcp.pin.${server}`, { ...(raw as JsonObject), hintsConfirmed });
    return this.get(server);
  }

  async forget(server: string): Promise<void> {
    await this.#storage.set(`mcp.pin.${server}`, undefined);
  }
}
