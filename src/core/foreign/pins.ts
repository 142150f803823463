import { canonicalJson, isObject, type Json, type JsonObject, plainJson } from '../base/json';
import { visibleText } from '../base/visible';
import type { Crypto, KeyValueStore } from '../ports/platform';
import { type ListedTool, type ReadTools, readTools } from './foreignList';
import { hintWords, toolDetailLines } from './listingWords';

/** The version of a server's tools that the user approved. */
export interface Pin {
  /** SHA-256 over the whole sorted list, so that a renamed or added tool is a change too. */
  readonly hash: string;
  /** True where the user also confirmed what the server says about reading only. */
  readonly hintsConfirmed: boolean;
  /** The approved listing; left out where it is too large to keep, then a change can be told but not shown. */
  readonly tools?: readonly ListedTool[];
}

/**
 * How a server's tools stand to what was approved; what changed is unknown where the approved list was too large to
 * keep.
 */
type PinState =
  | { readonly state: 'approved'; readonly pin: Pin }
  | { readonly state: 'new' }
  | { readonly state: 'changed'; readonly pin: Pin; readonly diff: readonly string[] | undefined };

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
    if (pin.hash === listingHash(read, this.#crypto)) return { state: 'approved', pin };
    return { state: 'changed', pin, diff: pin.tools ? listingDiff(pin.tools, read.tools) : undefined };
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

/**
 * Says in lines what changed between two listings, for the person who decides: `+`, `-` and space as in a diff.
 * Invisible characters are shown.
 */
export function listingDiff(before: readonly ListedTool[], after: readonly ListedTool[]): readonly string[] {
  const old = new Map(before.map((tool) => [tool.name, tool]));
  const fresh = new Map(after.map((tool) => [tool.name, tool]));
  const lines: string[] = [];
  const say = (line: string): void => {
    lines.push(visibleText(line).text);
  };
  const body = (tool: ListedTool): string => canonicalJson({ ...tool, name: '' });
  const removed = [...old.values()].filter(({ name }) => !fresh.has(name));
  const added = [...fresh.values()].filter(({ name }) => !old.has(name));
  const renamed = new Set<ListedTool>();
  for (const from of removed) {
    const to = added.find((one) => !renamed.has(one) && body(one) === body(from));
    if (!to) continue;
    renamed.add(to).add(from);
    say(`tool renamed: ${from.name} → ${to.name}`);
  }
  for (const tool of removed) if (!renamed.has(tool)) say(`- tool ${tool.name}`);
  for (const tool of added) {
    if (renamed.has(tool)) continue;
    for (const line of wholeDescription(tool)) say(`+ ${line}`);
    for (const line of toolDetailLines(tool)) say(`+ ${line}`);
  }
  for (const [name, tool] of fresh) {
    const was = old.get(name);
    if (!was) continue;
    for (const field of ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const) {
      const [a, b] = [canonicalJson(was[field] ?? null), canonicalJson(tool[field] ?? null)];
      if (a === b) continue;
      const areHints = field === 'annotations';
      say(`  tool ${name}, ${areHints ? 'what it says of itself' : field}:`);
      const [left, right] = areHints ? [hintWords(was[field]), hintWords(tool[field])] : changedPart(a, b);
      say(`- ${left}`);
      say(`+ ${right}`);
    }
  }
  return lines;
}

function wholeDescription({ name, description }: ListedTool): readonly string[] {
  const [head = '', ...more] = (description ?? '').split('\n');
  return [`tool ${name}: ${head}`, ...more.map((line) => `  ${line}`)];
}

/** The part in which two long texts differ, with a little around it. */
function changedPart(a: string, b: string): readonly [string, string] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const from = Math.max(0, start - 40);
  const cut = (text: string): string => {
    const to = Math.min(text.length, text.length - end + 40);
    return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
  };
  return [cut(a), cut(b)];
}
