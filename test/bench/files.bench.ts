import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, writeSync, closeSync } from 'node:fs';
import path from 'node:path';
import { NodeFileSystem } from '../../src/node/nodeFileSystem';
import { BuiltInSearch } from '../../src/node/files/search/builtIn';
import { RipgrepSearch } from '../../src/node/files/search/ripgrep';
import { createWorkerPool } from '../../src/node/workerPool';
import { fileSystem } from '../../src/capabilities/fileSystem/fileSystem';
import type { SearchEngine } from '../../src/node/files/search/engine';
import { PolicyEngine } from '../../src/core/policy/rules/engine';
import { presetBoundaries } from '../../src/core/policy/rules/presets';
import { systemClock } from '../../src/node/system';
import { makeGate } from '../support/gate';
import { callTool, fakePorts } from '../support/toolContext';
import { installedRipgrep } from '../support/ripgrep';
import { median, type Row } from './rows';

const base = path.resolve('.cache/bench-files');
const tree = path.join(base, 'tree');

/** The worker's bundle, as the build makes it. */
async function workerScript(): Promise<string> {
  const { build } = await import('esbuild');
  const outfile = path.join(base, 'worker.cjs');
  await build({
    entryPoints: ['src/worker.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    logLevel: 'error',
    mainFields: ['module', 'main'],
  });
  return outfile;
}

/** At least 50,000 files, from the packages of this project: as many copies of them as that takes. */
function makeTree(): number {
  const one = execFileSync('find', ['node_modules', '-type', 'f'], { encoding: 'utf8', maxBuffer: 1 << 28 })
    .trim()
    .split('\n').length;
  const copies = Math.ceil(50_000 / one);
  for (let copy = 0; copy < copies; copy++) {
    const to = path.join(tree, `copy${copy}`, 'packages');
    if (!existsSync(to)) cpSync('node_modules', to, { recursive: true, verbatimSymlinks: true });
  }
  return copies * one;
}

function makeLargeFile(): string {
  const file = path.join(base, 'large', 'large.txt');
  if (existsSync(file)) return file;
  mkdirSync(path.dirname(file), { recursive: true });
  const handle = openSync(file, 'w');
  let line = 1;
  for (let size = 0; size < 1 << 30;) {
    let text = '';
    for (let index = 0; index < 20_000; index++)
      text += `${String(line++).padStart(9, '0')} ${'some text of a log file '.repeat(3)}\n`;
    size += writeSync(handle, text);
  }
  closeSync(handle);
  return file;
}

const run = (command: string, args: readonly string[], cwd: string): Promise<void> =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.resume();
    child.on('close', () => resolve());
  });

/** Medians of both, measured in turn so that what disturbs the machine disturbs both. */
async function compare(
  ours: () => Promise<unknown>,
  peer: () => Promise<unknown>,
  rounds = 3,
): Promise<{ ours: number; peer: number }> {
  const [a, b]: [number[], number[]] = [[], []];
  await ours();
  await peer();
  for (let round = 0; round < rounds; round++) {
    for (const [work, times] of [
      [ours, a],
      [peer, b],
    ] as const) {
      const start = performance.now();
      await work();
      times.push(performance.now() - start);
    }
  }
  // Progress, for a run that is ended early.
  console.error(JSON.stringify({ ours: a, peer: b }));
  return { ours: median(a), peer: median(b) };
}

/** What the editor leaves out by default. */
const excluded = ['.git', '.svn', '.hg', '.DS_Store', 'Thumbs.db'];
/**
 * What our tool asks of ripgrep too; without them the peer would leave out what the ignore files of folders above name,
 * and do less.
 */
const sameFlags = [
  '--no-config',
  '--hidden',
  '--no-require-git',
  '--no-ignore-global',
  '--no-ignore-exclude',
  '--no-ignore-dot',
];
const sameFolders = [...sameFlags, '--no-ignore-parent', ...excluded.flatMap((name) => ['--glob', `!${name}`])];
const sameFiles = [...sameFolders, '--max-filesize', '50000000', '--max-count', '1001'];

const queries: readonly (readonly [string, object, readonly string[]])[] = [
  ['literal', { pattern: 'createRequire', literal: true }, ['-F', 'createRequire']],
  ['regex with a literal', { pattern: 'export function \\w+Schema' }, ['export function \\w+Schema']],
  ['case-insensitive', { pattern: 'readablestate', ignore_case: true }, ['-i', 'readablestate']],
  ['many matches', { pattern: 'e' }, ['e']],
  ['no match', { pattern: 'zzqqxxyy[0-9]' }, ['zzqqxxyy[0-9]']],
];

type Call = (tool: string, input: object) => Promise<void>;

/** Calls as an agent makes them: through the gate, with the rules that hold where nobody has set any. */
function throughGate(search: () => Promise<SearchEngine>): Call {
  const folders = () => [{ name: 'tree', path: tree, scheme: 'file' }];
  const files = new NodeFileSystem({ folders, search, excludes: () => excluded.map((name) => `**/${name}`) });
  const gate = makeGate({
    capabilities: [fileSystem],
    profile: { capabilities: ['file_system'], scopes: ['file:read'] },
    boundaries: new PolicyEngine(presetBoundaries('balanced')),
    ports: fakePorts({ files, clock: systemClock }),
  });
  return async (tool, input) => {
    const result = await gate.call(tool, input);
    if (!result.success) throw new Error(`${tool}: ${result.error?.message}`);
  };
}

/** Measures the file tools against ripgrep and sed. */
export async function bench(): Promise<Row[]> {
  const rows: Row[] = [];
  const rg = installedRipgrep();
  const count = makeTree();
  const worker = createWorkerPool(await workerScript());
  if (rg === undefined) console.error('no ripgrep 14 or newer, so nothing to compare searches with');
  else {
    const ripgrep = async () => new RipgrepSearch({ binary: rg });
    const builtIn = async () => new BuiltInSearch(worker);
    const engines = [
      ['with ripgrep', throughGate(ripgrep), '<= 1.15'],
      ['own engine', throughGate(builtIn), '<= 2'],
    ] as const;
    const row = async (
      name: string,
      target: string,
      ours: () => Promise<unknown>,
      args: readonly string[],
    ): Promise<void> => {
      const result = await compare(ours, () => run(rg, args, tree), 7);
      rows.push({ name, ...result, ratio: result.ours / result.peer, unit: 'ms', target });
    };
    for (const [engine, call, target] of engines) {
      for (const [name, input, args] of queries) {
        await row(`grep_files, ${name}, ${engine}, ${count} files`, target, () => call('grep_files', input), [
          ...sameFiles,
          ...['--json', '--crlf', ...args, '.'],
        ]);
      }
    }
    const [name, input, args] = queries[0] ?? ['', {}, []];
    // Nothing is remembered of any folder, as at the first search after the editor has started.
    await row(
      `grep_files, ${name}, with ripgrep, first search`,
      'for information',
      () => throughGate(ripgrep)('grep_files', input),
      [...sameFiles, ...['--json', '--crlf', ...args, '.']],
    );
    const listing = [...sameFolders, '--files', '-g', '*.d.ts'];
    await row('find_files *.d.ts', '<= 1.3', () => engines[0][1]('find_files', { pattern: '*.d.ts' }), listing);
    await row(
      'find_files *.d.ts, first',
      'for information',
      () => throughGate(ripgrep)('find_files', { pattern: '*.d.ts' }),
      listing,
    );
  }
  rows.push(...(await largeFile()));
  worker.dispose();
  return rows;
}

async function largeFile(): Promise<Row[]> {
  const file = makeLargeFile();
  const files = new NodeFileSystem({ folders: () => [{ name: 'large', path: path.dirname(file), scheme: 'file' }] });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 2);
  const before = process.memoryUsage().rss;
  const line = 9_000_000;
  const result = await compare(
    () => callTool(fileSystem, 'read_file', { path: 'large.txt', start_line: line, end_line: line + 10 }, { files }),
    () => run('sed', ['-n', `${line},${line + 10}p;${line + 10}q`, file], base),
    5,
  );
  clearInterval(timer);
  return [
    {
      name: `read_file of 11 lines at line ${line} of 1 GB (sed)`,
      ...result,
      ratio: result.ours / (result.peer + 50),
      unit: 'ms',
      target: '<= 1',
    },
    {
      name: 'memory for that, over what was there',
      ours: Math.max(0, peak - before) / 1e6,
      ratio: Math.max(0, peak - before) / 64e6,
      unit: 'MB',
      target: '<= 1',
    },
  ];
}

export function clean(): void {
  if (existsSync(base))
    for (const name of readdirSync(base)) rmSync(path.join(base, name), { recursive: true, force: true });
}
