import { isObject } from '../base/json';
import type { AuditBody } from './record';

/** Records per block are those whose lines begin within this many bytes. */
export const blockBytes = 65_536;

/**
 * A short cut for queries over one segment: which blocks hold a value. It is derived, never trusted for what it finds
 * (every record is read and matched again), and built anew where the segment has another size than it says.
 */
export interface BlockIndex {
  readonly v: 1;
  readonly segment: string;
  readonly bytes: number;
  readonly records: number;
  /** Where each block begins, and the least and the greatest time in it. */
  readonly blocks: readonly { readonly at: number; readonly min: string; readonly max: string }[];
  /** For `t:read_file`, `a:agent`, `o:denied`, `r:rule`, `k:high`, `e:event`: the blocks that hold it, as runs of first and last. */
  readonly terms: Readonly<Record<string, readonly number[]>>;
}

export interface IndexBuilder {
  add(body: AuditBody, offset: number): void;
  build(bytes: number): BlockIndex;
}

/** The terms under which a record is found. */
export function termsOf(record: AuditBody): readonly string[] {
  const terms = [`e:${record.event}`];
  if (record.tool !== undefined) terms.push(`t:${record.tool}`);
  if (record['gen_ai.tool.name'] !== undefined) terms.push(`t:${record['gen_ai.tool.name']}`);
  if (record.actor !== undefined) terms.push(`a:${record.actor}`);
  const id = record['gen_ai.agent.id'] ?? record['user.id'];
  if (id !== undefined) terms.push(`a:${id}`);
  if (record.outcome !== undefined) terms.push(`o:${record.outcome}`);
  if (record['error.type'] !== undefined) terms.push(`o:${record['error.type']}`);
  if (record.risk !== undefined) terms.push(`k:${record.risk}`);
  if (record.profile !== undefined) terms.push(`p:${record.profile}`);
  for (const rule of record.rules ?? []) terms.push(`r:${rule}`);
  return terms;
}

/** Values that are new in every record would make the index as large as the log. */
const maxTerms = 20_000;

export function createIndexBuilder(segment: string): IndexBuilder {
  const blocks: { at: number; min: string; max: string }[] = [];
  const terms = new Map<string, number[]>();
  let records = 0;
  return {
    add(body, offset) {
      records++;
      const { time } = body;
      let block = blocks[blocks.length - 1];
      if (!block || offset >= block.at + blockBytes) {
        block = { at: offset, min: time, max: time };
        blocks.push(block);
      } else {
        if (time < block.min) block.min = time;
        if (time > block.max) block.max = time;
      }
      const number = blocks.length - 1;
      for (const term of termsOf(body)) {
        const runs = terms.get(term);
        if (!runs) {
          // Beyond the limit every block counts as holding it: `*` stands for all that is not listed.
          if (terms.size < maxTerms) terms.set(term, [number, number]);
          else addRun(terms, '*', number);
        } else extend(runs, number);
      }
    },
    build: (bytes) => ({
      v: 1,
      segment,
      bytes,
      records,
      blocks: blocks.map((block) => ({ ...block })),
      terms: Object.fromEntries([...terms].map(([term, runs]) => [term, [...runs]])),
    }),
  };
}

function addRun(terms: Map<string, number[]>, term: string, block: number): void {
  const runs = terms.get(term);
  if (runs) extend(runs, block);
  else terms.set(term, [block, block]);
}

function extend(runs: number[], block: number): void {
  const last = runs[runs.length - 1] ?? -2;
  if (block === last) return;
  if (block === last + 1) runs[runs.length - 1] = block;
  else runs.push(block, block);
}

/** Reads an index that was kept; undefined where it is not one for this segment at this size. */
export function parseBlockIndex(value: unknown, segment: string, bytes: number): BlockIndex | undefined {
  if (!isObject(value) || value['v'] !== 1 || value['segment'] !== segment || value['bytes'] !== bytes) return undefined;
  if (!Array.isArray(value['blocks']) || !isObject(value['terms']) || typeof value['records'] !== 'number') return undefined;
  return value as unknown as BlockIndex; // reason: it only says where to look; what is found there is parsed and matched again
}
