import { readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Head, headLine, parseHead } from '../../core/audit/head';
import { SaidError, say } from '../../core/base/sentence';
import { codeOf, errnoOf } from '../errors/errno';
import { textIn } from '../folders/quietly';
import { type AuditFs, writeAll } from './auditFs';

/**
 * A segment's name says when its window opened the log, which window, and which of its segments:
 * `20261121T013857123Z-k3f9a2-0001.jsonl`.
 */
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

export const headPath = (dir: string, segment: string): string =>
  path.join(dir, 'heads', `${segment.replace(/\.jsonl$/, '')}.json`);
export const indexPath = (dir: string, segment: string): string =>
  path.join(dir, 'index', `${segment.replace(/\.jsonl$/, '')}.json`);
export const segmentPath = (dir: string, segment: string): string => path.join(dir, segment);

/** A folder of the log, or a segment, that is there and cannot be read: nothing can be said of what it holds. */
export class UnreadableLog extends SaidError {
  readonly place: string;
  readonly code: string;

  constructor(place: string, cause: unknown) {
    const code = codeOf(cause);
    super(say('audit_unreadable', place, code), { cause });
    this.place = place;
    this.code = code;
  }
}

/** The names in a folder of the log, in no order; none where there is no folder. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw new UnreadableLog(folder, error);
  }
}

/**
 * All segments of a folder in the order of their names; empty where the folder does not exist. Throws where it cannot
 * be read, for no answer would look like an empty log.
 */
export function listSegments(dir: string): readonly string[] {
  return namesIn(dir)
    .filter((name) => namePattern.test(name))
    .sort();
}

/** True where a folder holds no log at all: no segment, and no head of one that was removed. */
export const holdsNoLog = (dir: string): boolean => listSegments(dir).length === 0 && readHeads(dir).size === 0;

/**
 * Reads all heads; one that cannot be read is answered as undefined under its segment's name, so that verify reports
 * it.
 */
export function readHeads(dir: string): ReadonlyMap<string, Head | undefined> {
  const heads = new Map<string, Head | undefined>();
  for (const name of namesIn(path.join(dir, 'heads'))) {
    const segment = name.replace(/\.json$/, '.jsonl');
    if (name.endsWith('.json') && namePattern.test(segment)) heads.set(segment, readHead(dir, segment));
  }
  return heads;
}

/** Reads the file of a head to the byte: what is not exactly the text of one is none. */
export function readHead(dir: string, segment: string): Head | undefined {
  const text = textIn(headPath(dir, segment));
  const head = text === undefined ? undefined : parseHead(text, segment);
  return head && headBytes(head).toString() === text ? head : undefined;
}

/** A head has a fixed size, so that writing over it is one write to one page and never leaves half of two. */
export function headBytes(head: Head): Buffer {
  return Buffer.from(`${headLine(head).padEnd(511)}\n`);
}

/** Long names of machines would make heads longer than their fixed size. */
export const hostName = (): string => os.hostname().slice(0, 60);

/** Puts a head in place whole or not at all: a process that is killed meanwhile leaves the one before. */
export function replaceHead(files: AuditFs, dir: string, head: Head): void {
  const file = headPath(dir, head.segment);
  const temporary = `${file}.${process.pid}.tmp`;
  files.remove(temporary);
  try {
    const fd = files.create(temporary);
    try {
      writeAll(files, fd, headBytes(head), 0);
    } finally {
      files.close(fd);
    }
    files.rename(temporary, file);
  } catch (error) {
    files.remove(temporary);
    throw error;
  }
}
