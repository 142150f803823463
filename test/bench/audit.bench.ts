import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { AuditEvent } from '../../src/core/audit/event';
import { createRedactor } from '../../src/core/audit/redact';
import { toRecord } from '../../src/core/audit/makeRecord';
import { AuditStore } from '../../src/node/audit/auditStore';
import { chainSeal } from '../../src/node/audit/hash';
import { listSegments } from '../../src/node/audit/layout';
import { AuditQuery } from '../../src/node/audit/queryFolder';
import { fullRedactor } from '../../src/node/audit/fullRedactor';
import { verifyFolder } from '../../src/node/audit/verifyFolder';
import { finished, violation } from '../support/auditEvents';
import { median, type Row } from './rows';

const start = Date.UTC(2026, 10, 1);
const tools = [
  'read_file',
  'write_file',
  'grep_files',
  'list_directory',
  'web_fetch',
  'current_time',
  'write_todos',
  'calculate',
];

/** One in a thousand deletes, one in fifty denied; a path repeats after 500 records, as in a session. */
function event(at: number): AuditEvent {
  const toolName = at % 1000 === 7 ? 'delete_file' : (tools[at % tools.length] ?? '');
  const facts = {
    time: start + at * 250,
    toolName,
    toolId: `cap:file_system:${toolName}`,
    invocationId: `${at}-4f1c-9d1f`,
  };
  const accesses = [{ effect: 'fs.read', resource: `src/folder${at % 20}/file${at % 500}.ts` }];
  return at % 50 === 3 ? violation({ ...facts, accesses }) : finished({ ...facts, accesses, steps: [] });
}

/** Runs both by turns, so that a neighbour's load meets both alike. */
async function byTurns(
  turns: number,
  ours: () => number | Promise<number>,
  peer: () => number | Promise<number>,
): Promise<[number, number]> {
  const a: number[] = [];
  const b: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    b.push(await peer());
    a.push(await ours());
  }
  return [median(a), median(b)];
}

const perTurn = 20;
const records = 20_000;

/**
 * Microseconds per record: in `record` alone (what the gate waits for in its own turn), and with the write that
 * follows.
 */
async function writing(dir: string): Promise<Row[]> {
  const redactor = createRedactor();
  const lines = Array.from(
    { length: records },
    (_, at) => `${JSON.stringify(toRecord(event(at), { content: 'shape', redactor }))}${'h'.repeat(74)}\n`,
  );
  let run = 0;
  const plain = async (stringify: boolean): Promise<number> => {
    const fd = fs.openSync(path.join(dir, `plain${run++}`), 'a');
    let buffered = '';
    let spent = 0;
    for (let at = 0; at < records;) {
      const from = performance.now();
      for (let one = 0; one < perTurn; one++, at++) {
        buffered += stringify
          ? `${JSON.stringify(toRecord(event(at), { content: 'shape', redactor }))}${'h'.repeat(74)}\n`
          : (lines[at] ?? '');
        if (buffered.length > 65_536) {
          fs.writeSync(fd, buffered);
          buffered = '';
        }
      }
      spent += performance.now() - from;
      await new Promise(setImmediate);
    }
    fs.closeSync(fd);
    return (spent / records) * 1000;
  };
  const ours = async (whole: boolean): Promise<number> => {
    const store = new AuditStore({ dir: path.join(dir, `ours${run++}`) });
    let spent = 0;
    for (let at = 0; at < records; at += perTurn) {
      // The gate makes the event just before it records it; one that was made long ago is far away in memory.
      const events = Array.from({ length: perTurn }, (_, one) => event(at + one));
      const from = performance.now();
      for (const one of events) store.record(one);
      if (whole) store.flush();
      spent += performance.now() - from;
      await new Promise(setImmediate);
    }
    store.dispose();
    return (spent / records) * 1000;
  };
  const [call, bytes] = await byTurns(
    5,
    () => ours(false),
    () => plain(false),
  );
  const [whole, made] = await byTurns(
    5,
    () => ours(true),
    () => plain(true),
  );
  return [
    {
      name: 'record on the calling side; peer: buffered append of the same bytes, ready made',
      ours: call,
      peer: bytes,
      ratio: call / bytes,
      unit: 'µs',
      target: '<= 1.5',
    },
    {
      name: 'record made, chained, written and its head kept; peer: record made, buffered append',
      ours: whole,
      peer: made,
      ratio: whole / made,
      unit: 'µs',
      target: 'for information',
    },
  ];
}

function ripgrep(): string | undefined {
  for (const name of [process.env['RG'] ?? 'rg', 'rg']) {
    try {
      execFileSync(name, ['--version'], { stdio: 'ignore' });
      return name;
    } catch {
      // Not this one.
    }
  }
  return undefined;
}

async function querying(dir: string): Promise<Row[]> {
  const million = 1_000_000;
  const store = new AuditStore({ dir });
  for (let at = 0; at < million; at++) {
    store.record(event(at));
    if (at % 500 === 0) store.flush();
  }
  store.dispose();
  const rg = ripgrep();
  const rows: Row[] = [];
  const files = listSegments(dir).map((name) => path.join(dir, name));
  const queries = [
    ['one tool (1 in 1,000)', { tool: ['delete_file'] }, '"gen_ai.tool.name":"delete_file"'],
    [
      'denials of one tool',
      { tool: ['write_file'], outcome: ['denied'] },
      '"gen_ai.tool.name":"write_file".*"outcome":"denied"',
    ],
    ['no match at all', { rule: ['no-such-rule'] }, 'no-such-rule'],
  ] as const;
  for (const [name, filter, pattern] of queries) {
    const query = async (): Promise<number> => {
      const from = performance.now();
      await new AuditQuery(dir, chainSeal()).page(filter, { limit: 100 });
      return performance.now() - from;
    };
    const scan = (): number => {
      const from = performance.now();
      if (rg)
        try {
          execFileSync(rg, ['-c', '--no-config', pattern, ...files], { stdio: 'ignore' });
        } catch {
          // It found nothing.
        }
      return performance.now() - from;
    };
    const [ours, peer] = await byTurns(5, query, scan);
    rows.push({
      name: `first page of 1,000,000 records, ${name}; peer: rg`,
      ours,
      ...(rg ? { peer, ratio: ours / peer } : {}),
      unit: 'ms',
      target: rg ? 'rg + 100 ms' : 'for information, without ripgrep here',
      ...(rg ? { met: ours <= peer + 100 } : {}),
    });
  }
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let count = 0;
  for await (const _ of new AuditQuery(dir, chainSeal()).all({})) count++;
  const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
  rows.push({
    name: `memory that an export of ${count.toLocaleString('en')} records adds`,
    ours: grown,
    unit: 'MB',
    target: 'under 200 MB',
    met: grown < 200,
  });
  const from = performance.now();
  const result = await verifyFolder(dir, chainSeal());
  rows.push({
    name: `verify ${result.records.toLocaleString('en')} records (${Math.round(files.reduce((sum, file) => sum + fs.statSync(file).size, 0) / 1e6)} MB)`,
    ours: performance.now() - from,
    unit: 'ms',
    target: 'for information',
    met: result.ok,
  });
  return rows;
}

async function redacting(): Promise<Row[]> {
  const redactor = fullRedactor();
  const text = 'The quick brown fox reads src/app.ts and finds nothing to hide there.\n'.repeat(900);
  const from = performance.now();
  const rounds = 20;
  for (let at = 0; at < rounds; at++) redactor.text(`${at} ${text}`);
  return [
    {
      name: 'redact a text of 63 KB by all rules',
      ours: (performance.now() - from) / rounds,
      unit: 'ms',
      target: 'for information',
    },
  ];
}

export async function bench(): Promise<Row[]> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'audit-bench-'));
  try {
    return [...(await writing(dir)), ...(await querying(path.join(dir, 'million'))), ...(await redacting())];
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}
