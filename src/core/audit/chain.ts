import { canonicalJson } from '../base/json';
import { say, type Sentence } from '../base/sentence';
import type { AuditBody } from './record';

/** What stands before the first record of a window. */
export const chainStart = '0'.repeat(64);

/** Hashes a text: SHA-256, or HMAC-SHA-256 where a key is set; 64 hexadecimal digits. */
export type ChainHash = (text: string) => string;

// Content can hold keys that look like integers, which `JSON.stringify` puts first; only then is the slower way needed.
/**
 * Puts a record in its place and writes it as one line: its canonical JSON, and the hash of exactly these bytes at the
 * end. Because the line is its own canonical form, verifying needs no parsing, and a change of a single space shows.
 */
export function chainLine(
  body: AuditBody,
  seq: number,
  prev: string,
  hash: ChainHash,
): { readonly line: string; readonly hash: string } {
  // Setting keys that are there already keeps their sorted order.
  body.prev = prev;
  body.seq = seq;
  const hasContent = body['gen_ai.tool.call.arguments'] !== undefined || body['gen_ai.tool.call.result'] !== undefined;
  const text = hasContent ? canonicalJson(body) : JSON.stringify(body);
  const digest = hash(text);
  return { line: `${text.slice(0, -1)},"hash":"${digest}"}`, hash: digest };
}

const hashSuffix = ',"hash":"';
const suffixLength = hashSuffix.length + 64 + 2;
const hex64 = /^[0-9a-f]{64}$/;

interface ChainFault {
  /** 1-based. */
  readonly line: number;
  /** Said of the line. */
  readonly said: Sentence;
}

/** Follows a chain line by line. It reports the first fault only: what comes after a broken link proves nothing. */
export class ChainVerifier {
  readonly #hash: ChainHash;
  #prev: string | undefined;
  #seq: number | undefined;
  #line = 0;
  #fault: ChainFault | undefined;

  /** `start` is what the first line has to follow; left out, any start is taken. */
  constructor(hash: ChainHash, start?: { readonly hash: string; readonly seq: number }) {
    this.#hash = hash;
    this.#prev = start?.hash;
    this.#seq = start?.seq;
  }

  get fault(): ChainFault | undefined {
    return this.#fault;
  }
  get lines(): number {
    return this.#line;
  }
  get seq(): number {
    return this.#seq ?? 0;
  }
  get lastHash(): string | undefined {
    return this.#prev;
  }

  /** Takes the next line without its line feed. */
  next(line: string): void {
    if (this.#fault) return;
    this.#line++;
    const cutAt = line.length - suffixLength;
    const stated = line.slice(cutAt + hashSuffix.length, -2);
    if (cutAt < 1 || !line.startsWith(hashSuffix, cutAt) || !line.endsWith('"}') || !hex64.test(stated))
      return this.#break(say('chain_no_record'));
    const body = line.slice(0, cutAt);
    if (this.#hash(`${body}}`) !== stated) return this.#break(say('chain_changed'));
    // Nothing after these two keys is free content, and a quote inside a string is escaped, so the last ones are the
    // record's own.
    const prevAt = body.lastIndexOf('"prev":"') + 8;
    const seqAt = body.lastIndexOf('"seq":') + 6;
    const prev = body.slice(prevAt, prevAt + 64);
    const seq = Number.parseInt(body.slice(seqAt, seqAt + 16), 10);
    if (prevAt < 8 || seqAt < 6 || !hex64.test(prev) || !(seq > 0)) return this.#break(say('chain_no_place'));
    if (prev !== (this.#prev ?? prev)) return this.#break(say('chain_order'));
    if (seq !== (this.#seq ?? seq - 1) + 1) return this.#break(say('chain_number', seq, (this.#seq ?? 0) + 1));
    this.#prev = stated;
    this.#seq = seq;
  }

  #break(said: Sentence): void {
    this.#fault = { line: this.#line, said };
  }
}
