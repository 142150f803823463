import { defined, isObject, parsedJson } from '../base/json';
import { say, type Sentence } from '../base/sentence';
import type { ChainHash } from './chain';

/** How the chain of a folder is hashed. */
export interface ChainSeal {
  readonly hash: ChainHash;
  readonly alg: 'sha256' | 'hmac-sha256';
  /** Tells one key from another without giving it away; undefined without a key. */
  readonly key?: string;
}

const headStates = ['open', 'closed', 'retired', 'cleared'] as const;

/** What a head says; `sealHead` makes a head of it. */
interface HeadFacts {
  readonly segment: string;
  readonly seq: number;
  readonly hash: string;
  /** The size of the segment in bytes up to and with this record's line feed; 0 promises no record. */
  readonly bytes: number;
  /** `retired` and `cleared`: the segment was removed with a record of it, and its head stays. */
  readonly state: (typeof headStates)[number];
  /** Who writes it, so that only what a dead process left is repaired. */
  readonly pid: number;
  readonly host: string;
  /** The segment of a later window that took this head into its own chain. */
  readonly seen?: string;
}

/**
 * The place that a segment has reached; kept apart from the segment, so that a cut end shows.
 * It carries a hash of itself by the chain's own function, so that with a key nobody else can make one.
 */
export interface Head extends HeadFacts {
  readonly alg: ChainSeal['alg'];
  readonly key?: string;
  readonly check: string;
}

/** Keeps heads where somebody who edits the folder of the log does not come by, such as in the editor's own storage. */
export interface HeadKeeper {
  heads(): readonly Head[];
  keep(head: Head): void;
  /** Called with the segments that were retired or cleared. */
  forget(segments: readonly string[]): void;
}

type Unchecked = Omit<Head, 'check'>;

/** The keys in one order, so that a head has one text. */
function headText({ segment, seq, hash, bytes, state, alg, key, pid, host, seen }: Unchecked): string {
  return JSON.stringify({ segment, seq, hash, bytes, state, alg, key, pid, host, seen });
}

const checkOf = (head: Unchecked, hash: ChainHash): string => hash(`head ${headText(head)}`);

export function sealHead(facts: HeadFacts, { hash, alg, key }: ChainSeal): Head {
  const { segment, seq, bytes, state, pid, host, seen } = facts;
  const head: Unchecked = defined({ segment, seq, hash: facts.hash, bytes, state, alg, key, pid, host, seen });
  return { ...head, check: checkOf(head, hash) };
}

/** Says of a segment why its head is none of this chain; undefined where it is one. */
export function headProblem(head: Head, { hash, alg, key }: ChainSeal): Sentence | undefined {
  if (head.alg !== alg) return say(head.alg === 'hmac-sha256' ? 'chain_needs_key' : 'chain_needs_no_key');
  const none = say('chain_key_none');
  if (head.key !== key) return say('chain_other_key', head.key ?? none, key ?? none);
  return head.check === checkOf(head, hash) ? undefined : say('chain_head_changed');
}

/** One head has one text, so that an edit which leaves its meaning alone shows too. */
export function headLine(head: Head): string {
  return `${headText(head).slice(0, -1)},"check":"${head.check}"}`;
}

const hex = /^[0-9a-f]{64}$/;
const isOptionalText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

/** Reads a head; undefined where the text is none of this segment. */
export function parseHead(text: string, segment: string): Head | undefined {
  const value = parsedJson(text);
  if (!isObject(value) || value['segment'] !== segment) return undefined;
  const { seq, hash, bytes, alg, key, pid, host, seen, check } = value;
  const state = headStates.find((one) => one === value['state']);
  if (typeof seq !== 'number' || typeof bytes !== 'number' || typeof pid !== 'number' || state === undefined)
    return undefined;
  if (typeof hash !== 'string' || !hex.test(hash) || typeof check !== 'string' || !hex.test(check)) return undefined;
  if (typeof host !== 'string' || !isOptionalText(key) || !isOptionalText(seen)) return undefined;
  if (alg !== 'sha256' && alg !== 'hmac-sha256') return undefined;
  return defined({ segment, seq, hash, bytes, state, alg, key, pid, host, seen, check });
}
