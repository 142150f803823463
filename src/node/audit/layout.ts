import fs from 'node:fs';
import path from 'node:path';
import { isObject } from '../../core/base/json';
import type { Head } from '../../core/audit/chain';

/** A segment's name says when its window opened the log, which window, and which of its segments: `20261121T013857123Z-k3f9a2-0001.jsonl`. */
const namePattern = /^(\d{8}T\d{9}Z-[a-z0-9]+)-(\d{4,})\.jsonl$/;

export function segmentName(window: string, number: number): string {
  return `${window}-${String(number).padStart(4, '0')}.jsonl`;
}

/** A window's id sorts by the time of its start and is unlike all others. */
export function windowId(now: number, random: string): string {
  return `${new Date(now).toISOString().replace(/[-:.]/g, '')}-${random.replace(/[^a-z0-9]/g, '').slice(0, 10)}`;
}

export function parseSegmentName(name: string): { readonly window: string; readonly number: number } | undefined {
  const match = namePattern.exec(name);
  return match ? { window: match[1] ?? '', number: Number(match[2]) } : undefined;
}

export const headPath = (dir: string, segment: string): string => path.join(dir, 'heads', `${segment.replace(/\.jsonl$/, '')}.json`);
export const indexPath = (dir: string, segment: string): string => path.join(dir, 'index', `${segment.replace(/\.jsonl$/, '')}.json`);
export const segmentPath = (dir: string, segment: string): string => path.join(dir, segment);

/** All segments of a folder in the order of their names; empty where the folder does not exist. */
export function listSegments(dir: string): readonly string[] {
  try {
    return fs
      .readdirSync(dir)
      .filter((name) => namePattern.test(name))
      .sort();
  } catch {
    return [];
  }
}

/** Reads all heads; one that cannot be read is answered as undefined under its segment's name, so that verify reports it. */
export function readHeads(dir: string): ReadonlyMap<string, Head | undefined> {
  const heads = new Map<string, Head | undefined>();
  let names: readonly string[];
  try {
    names = fs.readdirSync(path.join(dir, 'heads'));
  } catch {
    return heads;
  }
  for (const name of names) {
    const segment = name.replace(/\.json$/, '.jsonl');
    if (name.endsWith('.json') && namePattern.test(segment)) heads.set(segment, readHead(dir, segment));
  }
  return heads;
}

export function readHead(dir: string, segment: string): Head | undefined {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(headPath(dir, segment), 'utf8'));
    return parseHead(value, segment);
  } catch {
    return undefined;
  }
}

const states = ['open', 'closed', 'retired', 'cleared'] as const;

function parseHead(value: unknown, segment: string): Head | undefined {
  if (!isObject(value) || value['segment'] !== segment) return undefined;
  const { seq, hash, bytes, pid, host, alg } = value;
  const state = states.find((one) => one === value['state']);
  if (typeof seq !== 'number' || typeof bytes !== 'number' || typeof pid !== 'number') return undefined;
  if (typeof hash !== 'string' || typeof host !== 'string' || state === undefined) return undefined;
  if (alg !== 'sha256' && alg !== 'hmac-sha256') return undefined;
  return { segment, seq, hash, bytes, state, alg, pid, host };
}

/** A head has a fixed size, so that writing over it is one write to one page and never leaves half of two. */
export function headBytes(head: Head): Buffer {
  return Buffer.from(`${JSON.stringify(head).padEnd(511)}\n`);
}
