import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { installOnce } from '../support/editor/cache';
import { npmInstall } from '../support/editor/npm';
import { openSystem } from '../support/system';
import { compared, type Row } from './rows';

const referenceVersion = '2026.8.31';
const rounds = 120;
const files = 40;

/** The reference MCP filesystem server, in the folder that git ignores. */
async function reference(): Promise<string> {
  const name = `server-filesystem-${referenceVersion}`;
  const folder = await installOnce(name, console.error, (into) =>
    npmInstall(into, undefined, ['--save-exact', `@modelcontextprotocol/server-filesystem@${referenceVersion}`]),
  );
  return path.join(folder, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const lines = (count: number): string =>
  Array.from({ length: count }, (_, line) => `export const value${line} = ${line}; // a line of source code\n`).join(
    '',
  );

/** A small project: `files` source files of 20 KB in ten folders, as many small ones to change, and a picture. */
function fill(root: string): void {
  for (let index = 0; index < files; index++) {
    for (const [name, content] of [
      [`src/d${index % 10}/f${index}.ts`, lines(400)],
      [`write/w${index}.txt`, lines(20)],
      [`edit/e${index}.txt`, `mark 0\n${lines(20)}`],
      [`move/m${index}.0.txt`, 'moved'],
      [`gone/g${index}.txt`, 'x'],
      [`pictures/p${index}.png`, png],
    ] as const) {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), content);
    }
  }
}

type Call = readonly [tool: string, input: Record<string, unknown>];

interface Pair {
  readonly name: string;
  /** `round` counts calls of this row by this caller, so that no call repeats the one before it. */
  ours(round: number): Call;
  peer(round: number, root: string): Call;
  /** What else the peer's caller has to call for the same result. */
  peerThen?(round: number, root: string): Call;
}

const source = (round: number): string => `src/d${(round % files) % 10}/f${round % files}.ts`;
/** The peer moves files there and back; so do we. */
const moved = (round: number): readonly [string, string] => {
  const index = round % files;
  const turn = Math.floor(round / files);
  return [`move/m${index}.${turn}.txt`, `move/m${index}.${turn + 1}.txt`];
};

const pairs: readonly Pair[] = [
  {
    name: 'read_file, whole, 20 KB (read_text_file)',
    ours: (round) => ['read_file', { path: source(round), max_bytes: 100_000 }],
    peer: (round, root) => ['read_text_file', { path: path.join(root, source(round)) }],
  },
  {
    name: 'read_file, head (read_text_file)',
    ours: (round) => ['read_file', { path: source(round), head: 10 }],
    peer: (round, root) => ['read_text_file', { path: path.join(root, source(round)), head: 10 }],
  },
  {
    name: 'read_file, tail (read_text_file)',
    ours: (round) => ['read_file', { path: source(round), tail: 10 }],
    peer: (round, root) => ['read_text_file', { path: path.join(root, source(round)), tail: 10 }],
  },
  {
    name: 'read_file, picture (read_media_file)',
    ours: (round) => ['read_file', { path: `pictures/p${round % files}.png` }],
    peer: (round, root) => ['read_media_file', { path: path.join(root, `pictures/p${round % files}.png`) }],
  },
  {
    name: 'read_files, 10 files (read_multiple_files)',
    ours: (round) => [
      'read_files',
      { paths: Array.from({ length: 10 }, (_, at) => source(round + at)), max_bytes: 1_000_000 },
    ],
    peer: (round, root) => [
      'read_multiple_files',
      { paths: Array.from({ length: 10 }, (_, at) => path.join(root, source(round + at))) },
    ],
  },
  {
    name: 'stat_file (get_file_info)',
    ours: (round) => ['stat_file', { path: source(round) }],
    peer: (round, root) => ['get_file_info', { path: path.join(root, source(round)) }],
  },
  {
    name: 'list_directory (list_directory)',
    ours: (round) => ['list_directory', { path: `src/d${round % 10}` }],
    peer: (round, root) => ['list_directory', { path: path.join(root, `src/d${round % 10}`) }],
  },
  {
    name: 'list_directory, with_sizes (list_directory_with_sizes)',
    ours: (round) => ['list_directory', { path: `src/d${round % 10}`, with_sizes: true }],
    peer: (round, root) => ['list_directory_with_sizes', { path: path.join(root, `src/d${round % 10}`) }],
  },
  {
    name: 'list_directory, tree of 50 entries (directory_tree)',
    ours: (round) => ['list_directory', { path: '/src', depth: 5, format: 'tree', limit: 1000 + round }],
    peer: (_round, root) => ['directory_tree', { path: path.join(root, 'src') }],
  },
  {
    name: 'find_files (search_files)',
    ours: (round) => ['find_files', { pattern: `**/f${round % files}.ts`, path: '/' }],
    peer: (round, root) => ['search_files', { path: root, pattern: `**/f${round % files}.ts` }],
  },
  {
    name: 'grep_files (search_files, which looks at names only)',
    ours: (round) => ['grep_files', { pattern: `value${round % 400} `, path: `/src/d${round % 10}` }],
    peer: (round, root) => ['search_files', { path: root, pattern: `**/f${round % files}.ts` }],
  },
  {
    name: 'edit_file, dry run (edit_file, dryRun)',
    ours: (round) => [
      'edit_file',
      { path: source(round), edits: [{ old_text: 'value7 =', new_text: 'other7 =' }], dry_run: true },
    ],
    peer: (round, root) => [
      'edit_file',
      { path: path.join(root, source(round)), edits: [{ oldText: 'value7 =', newText: 'other7 =' }], dryRun: true },
    ],
  },
  {
    name: 'edit_file (edit_file)',
    ours: (round) => [
      'edit_file',
      {
        path: `edit/e${round % files}.txt`,
        edits: [{ old_text: `mark ${Math.floor(round / files)}`, new_text: `mark ${Math.floor(round / files) + 1}` }],
      },
    ],
    peer: (round, root) => [
      'edit_file',
      {
        path: path.join(root, `edit/e${round % files}.txt`),
        edits: [{ oldText: `mark ${Math.floor(round / files)}`, newText: `mark ${Math.floor(round / files) + 1}` }],
      },
    ],
  },
  {
    name: 'write_file, overwrite (write_file)',
    ours: (round) => ['write_file', { path: `write/w${round % files}.txt`, content: `${round}\n${lines(20)}` }],
    peer: (round, root) => [
      'write_file',
      { path: path.join(root, `write/w${round % files}.txt`), content: `${round}\n${lines(20)}` },
    ],
  },
  {
    name: 'write_file, new (write_file)',
    ours: (round) => ['write_file', { path: `write/new${round}.txt`, content: lines(20) }],
    peer: (round, root) => ['write_file', { path: path.join(root, `write/new${round}.txt`), content: lines(20) }],
  },
  {
    name: 'write_file in a new folder (create_directory, then write_file: two calls)',
    ours: (round) => ['write_file', { path: `filled/d${round}/a.txt`, content: lines(20) }],
    peer: (round, root) => ['create_directory', { path: path.join(root, `filled/d${round}`) }],
    peerThen: (round, root) => ['write_file', { path: path.join(root, `filled/d${round}/a.txt`), content: lines(20) }],
  },
  {
    name: 'write_file, an empty folder (create_directory)',
    ours: (round) => ['write_file', { path: `made/d${round}/`, content: '' }],
    peer: (round, root) => ['create_directory', { path: path.join(root, `made/d${round}`) }],
  },
  {
    name: 'move_file (move_file)',
    ours: (round) => ['move_file', { source: moved(round)[0], destination: moved(round)[1] }],
    peer: (round, root) => [
      'move_file',
      { source: path.join(root, moved(round)[0]), destination: path.join(root, moved(round)[1]) },
    ],
  },
  {
    name: 'delete_file, for good (move_file, as it has no delete)',
    ours: (round) => ['delete_file', { path: `write/new${round}.txt`, to_trash: false }],
    peer: (round, root) => [
      'move_file',
      { source: path.join(root, `write/new${round}.txt`), destination: path.join(root, `write/old${round}.txt`) },
    ],
  },
];

const limits = {
  perTool: { requests: 1_000_000, windowMs: 1000 },
  perCapability: { requests: 1_000_000, windowMs: 1000 },
  perSource: { requests: 1_000_000, windowMs: 1000 },
  all: { requests: 1_000_000, windowMs: 1000 },
  budget: { calls: 10_000_000 },
};

/** As somebody has it who lets the agent work: no confirmation, as the peer knows none. */
const boundaries = [
  { id: 'bench.allow', match: { accessAny: ['fs.*'], path: '**' }, decision: 'allow', reason: 'the bench works here' },
];

async function connect(script: string, args: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [script, ...args], stderr: 'ignore' }),
  );
  return client;
}

interface Caller {
  readonly root: string;
  call(round: number, pair: Pair): Promise<void>;
}

const overStdio = (root: string, client: Client, of: (pair: Pair, round: number) => readonly Call[]): Caller => ({
  root,
  async call(round, pair) {
    for (const [name, input] of of(pair, round)) {
      const result = await client.callTool({ name, arguments: input });
      if (result.isError === true) throw new Error(`${pair.name}: ${JSON.stringify(result.content).slice(0, 300)}`);
    }
  },
});

/**
 * Every file tool through our gate, in process and over `serve` on stdio, against the nearest tool of the reference MCP
 * filesystem server on stdio. All three work in turns on folders of the same content; medians of the calls.
 */
export async function bench(): Promise<Row[]> {
  const program = await reference();
  const served = path.resolve('dist/cli.js');
  if (!existsSync(served)) execFileSync(process.execPath, ['esbuild.mjs'], { stdio: 'inherit' });
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-capabilities-bench-')));
  const roots = ['serve', 'reference'].map((name) => path.join(base, name));
  const system = await openSystem({ user: { limits, policy: { boundaries } } });
  for (const root of [...roots, system.folder]) fill(root);
  const [serveRoot = '', referenceRoot = ''] = roots;
  const set = ['--set', `limits=${JSON.stringify(limits)}`, '--set', `policy.boundaries=${JSON.stringify(boundaries)}`];
  const ours = await connect(served, ['serve', '--workspace', serveRoot, ...set]);
  const peer = await connect(program, [referenceRoot]);
  const callers: readonly Caller[] = [
    {
      root: system.folder,
      async call(round, pair) {
        const result = await system.call(...pair.ours(round));
        if (!result.success) throw new Error(`${pair.name}: ${result.error.message}`);
      },
    },
    overStdio(serveRoot, ours, (pair, round) => [pair.ours(round)]),
    overStdio(referenceRoot, peer, (pair, round) => {
      const then = pair.peerThen?.(round, referenceRoot);
      return [pair.peer(round, referenceRoot), ...(then ? [then] : [])];
    }),
  ];
  const rows: Row[] = [];
  try {
    for (const pair of pairs) {
      const [inProcess, stdio, theirs] = await measure(pair, callers);
      rows.push(
        row(`${pair.name}, both over stdio`, stdio, theirs, '<= 1'),
        row(`${pair.name}, ours in process`, inProcess, theirs, '<= 1'),
      );
    }
  } finally {
    await ours.close();
    await peer.close();
    system.dispose();
    rmSync(base, { recursive: true, force: true });
  }
  return rows;
}

async function measure(pair: Pair, callers: readonly Caller[]): Promise<[number, number, number]> {
  const times: number[][] = callers.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, caller] of callers.entries()) {
      const since = performance.now();
      await caller.call(round, pair);
      // The first calls load code and compile.
      if (round >= rounds / 4) times[at]?.push(performance.now() - since);
    }
  }
  const [a, b, c] = times.map((values) => values.sort((x, y) => x - y)[values.length >> 1] ?? Number.NaN);
  return [a ?? 0, b ?? 0, c ?? 0];
}

const row = (name: string, ours: number, peer: number, target: string): Row => compared(name, ours, peer, 'ms', target);
