import { isObject } from '../base/json';
import type { ChainHash } from './chain';
import type { AuditBody } from './record';

/** Records per block are those whose lines begin within this many bytes. */
const blockBytes = 65_536;

/**
 * A short cut for queries over one segment: which blocks hold a value. It is derived, never trusted for what it finds
 * (every record is read and matched again), and built anew where the segment has another size than it says. What it
 * leaves out is not found: a kept one is sealed as heads are, and what is counted or handed on is read without.
 */
export interface BlockIndex {
  readonly v: 1;
  readonly segment: string;
  readonly bytes: number;
  readonly records: number;
  /** Where each block begins, and the least and the greatest time in it. */
  readonly blocks: readonly { readonly at: number; readonly min: string; readonly max: string }[];
  /**
   * For `t:read_file`, `a:agent`, `o:denied`, `r:rule`, `k:high`, `e:event`: the blocks that hold it, as runs of first
   * and last.
   */
  readonly terms: Readonly<Record<string, readonly number[]>>;
}

export interface IndexBuilder {
  add(body: AuditBody, offset: number): void;
  build(bytes: number): BlockIndex;
}

/** Calls back with the kind and the value of each term under which a record is found. */
function eachTerm(record: AuditBody, found: (kind: string, value: string, block: number) => void, block: number): void {
  found('e', record.event, block);
  if (record.tool !== undefined) found('t', record.tool, block);
  const name = record['gen_ai.tool.name'];
  if (name !== undefined) found('t', name, block);
  if (record.actor !== undefined) found('a', record.actor, block);
  const id = record['gen_ai.agent.id'] ?? record['user.id'];
  if (id !== undefined) found('a', id, block);
  if (record.outcome !== undefined) found('o', record.outcome, block);
  const code = record['error.type'];
  if (code !== undefined) found('o', code, block);
  if (record.risk !== undefined) found('k', record.risk, block);
  if (record.profile !== undefined) found('p', record.profile, block);
  if (record.rules) for (const rule of record.rules) found('r', rule, block);
}

/** The terms under which a record is found. */
export function termsOf(record: AuditBody): readonly string[] {
  const terms: string[] = [];
  eachTerm(record, (kind, value) => void terms.push(`${kind}:${value}`), 0);
  return terms;
}

/** Values that are new in every record would make the index as large as the log. */
const maxTerms = 20_000;

export function createIndexBuilder(segment: string): IndexBuilder {
  const blocks: { at: number; min: string; max: string }[] = [];
  // A table for each kind of term: to join a prefix and a value for every record costs more than all the rest of it.
  const tables = new Map<string, Map<string, number[]>>();
  let beyond: number[] | undefined;
  let count = 0;
  let records = 0;
  const mark = (kind: string, value: string, block: number): void => {
    let table = tables.get(kind);
    if (!table) tables.set(kind, (table = new Map()));
    const runs = table.get(value);
    if (runs) extend(runs, block);
    else if (count < maxTerms) {
      table.set(value, [block, block]);
      count++;
    }
    // Beyond the limit every block counts as holding it: `*` stands for all that is not listed.
    else if (beyond) extend(beyond, block);
    else beyond = [block, block];
  };
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
      eachTerm(body, mark, blocks.length - 1);
    },
    build: (bytes) => ({
      v: 1,
      segment,
      bytes,
      records,
      blocks: blocks.map((block) => ({ ...block })),
      terms: Object.fromEntries([
        ...[...tables].flatMap(([kind, table]) =>
          [...table].map(([value, runs]) => [`${kind}:${value}`, [...runs]] as const),
        ),
        ...(beyond ? [['*', [...beyond]] as const] : []),
      ]),
    }),
  };
}

function extend(runs: number[], block: number): void {
  const last = runs[runs.length - 1] ?? -2;
  if (block === last) return;
  if (block === last + 1) runs[runs.length - 1] = block;
  else runs.push(block, block);
}

const checkOf = (index: unknown, hash: ChainHash): string => hash(`index ${JSON.stringify(index)}`);

/** The text of an index that is kept, with a hash of it by the chain's own function. */
export const indexLine = (index: BlockIndex, hash: ChainHash): string =>
  JSON.stringify({ ...index, check: checkOf(index, hash) });

/** Reads an index that was kept; undefined where it is not one for this segment at this size, or was changed. */
export function parseBlockIndex(
  value: unknown,
  segment: string,
  bytes: number,
  hash: ChainHash,
): BlockIndex | undefined {
  if (!isObject(value) || value['v'] !== 1 || value['segment'] !== segment || value['bytes'] !== bytes)
    return undefined;
  const { check, ...index } = value;
  if (check !== checkOf(index, hash)) return undefined;
  if (!Array.isArray(index['blocks']) || !isObject(index['terms']) || typeof index['records'] !== 'number')
    return undefined;
  return index as unknown as BlockIndex; // reason: it only says where to look; what is found there is parsed and matched again
}
