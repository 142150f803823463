import { plainWords } from '../../../src/core/base/translate';
// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { ApprovalRequest } from '../../../src/core/call/gateCall';
import type { HttpRequest } from '../../../src/core/ports/http';
import type { Disposable } from '../../../src/core/base/lifecycle';
import type { WorkerPool } from '../../../src/core/ports/platform';
import type { Stake } from '../../../src/core/vocabulary/stake';
import { describeApproval } from '../../../src/core/present/approvalText';
import { createDatabaseClient } from '../../../src/node/databases/databaseClient';
import { changeFolder } from '../../../src/node/changes/changeFolder';
import { gitVersions } from '../../../src/node/versions/gitVersions';
import { runs } from '../../support/counts';
import { newNode, newNodePool } from '../../support/node24';
import { skipBecause } from '../../support/skip';
import { openSystem } from '../../support/system';

type System = Awaited<ReturnType<typeof openSystem>>;

/** Drawn numbers, the same in each run. */
function drawing(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return Math.floor((state / 4294967296) * below);
  };
}

/** The contents that git holds, by their hashes. */
function blobs(git: ReturnType<typeof gitIn>, hashes: readonly string[]): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  if (hashes.length === 0) return found;
  const printed = git('cat-file', '--batch', { input: `${hashes.join('\n')}\n` });
  for (let at = 0; at < printed.length;) {
    const end = printed.indexOf('\n', at);
    const [hash = '', , size] = printed.toString('utf8', at, end).split(' ');
    found.set(hash, printed.subarray(end + 1, end + 1 + Number(size)));
    at = end + 2 + Number(size);
  }
  return found;
}

/** What a command of git prints; the user's own configuration does not count. */
const gitIn =
  (folder: string) =>
  (...given: readonly (string | { readonly input: string })[]): Buffer => {
    const args = given.filter((one) => typeof one === 'string');
    const input = given.find((one) => typeof one === 'object')?.input;
    return execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', '-c', 'gc.auto=0', ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
      input: input ?? '',
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  };

/** Every file and folder below a folder, with its content. */
function tree(folder: string, below = ''): Map<string, Buffer | 'folder'> {
  const found = new Map<string, Buffer | 'folder'>();
  for (const entry of readdirSync(path.join(folder, below), { withFileTypes: true })) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (name === '.git' || name === 'data.db') continue;
    const at = path.join(folder, name);
    if (entry.isDirectory()) {
      found.set(name, 'folder');
      for (const [inner, content] of tree(folder, name)) found.set(inner, content);
    } else found.set(name, entry.isSymbolicLink() ? Buffer.from(readlinkSync(at)) : readFileSync(at));
  }
  return found;
}

describe('what a question says is at stake', () => {
  let system: System;
  let asked: ApprovalRequest | undefined;
  const sent: HttpRequest[] = [];
  let pool: (WorkerPool & Disposable) | undefined;

  before(async function () {
    this.timeout(60_000);
    const node = newNode();
    pool = node === undefined ? undefined : await newNodePool(node);
  });
  after(() => pool?.dispose());

  beforeEach(async () => {
    system = await openSystem({
      user: {
        activeProfile: 'all',
        profiles: {
          all: {
            name: 'All',
            mode: 'execute',
            scopes: [
              'file:read',
              'file:write',
              'file:delete',
              'http:read',
              'http:write',
              'database:read',
              'database:write',
            ],
            capabilities: ['file_system', 'http', 'database'],
          },
        },
        policy: {
          preset: 'open',
          boundaries: [
            { id: 'rows', match: { accessAny: ['database.write'] }, decision: 'ask', reason: 'rows' },
            { id: 'kept', match: { accessAny: ['fs.delete'], path: '**/keep/**' }, decision: 'deny', reason: 'kept' },
          ],
        },
        fileSystem: { deleteToTrash: false },
        limits: { perTool: '100000 per 1m', all: '100000 per 1m', repetition: 0, circuit: { failures: 0 } },
        database: { connections: { default: { type: 'sqlite', path: 'data.db' } } },
      },
      platform: {
        versions: async () => gitVersions,
        changes: async (settings) =>
          changeFolder({ storage: undefined, folders: ['x'], settings, onDropped: () => undefined }),
        http: () => ({
          send: async (request) => {
            sent.push(request);
            return { url: request.url, status: 200, headers: {}, body: new Uint8Array() };
          },
        }),
        ...(pool ? { extras: { databases: createDatabaseClient(pool) } } : {}),
        approvals: {
          type: 'person',
          confirmer: {
            confirm: async (request) => {
              asked = request;
              return { outcome: 'allow-once' };
            },
          },
        },
      },
    });
    gitIn(system.folder)('init', '-q');
  });
  afterEach(() => system.dispose());

  const put = (name: string, content: string): void => {
    mkdirSync(path.dirname(path.join(system.folder, name)), { recursive: true });
    writeFileSync(path.join(system.folder, name), content);
  };

  /** Makes a call that asks, and answers what the question told. */
  async function stakeOf(tool: string, input: object): Promise<{ readonly stake: Stake; readonly success: boolean }> {
    asked = undefined;
    const result = await system.call(tool, input);
    if (!asked) assert.equal(result.success, false, `${tool} asked nobody and went through`);
    return { stake: asked ? ((asked as ApprovalRequest).preview.stake ?? {}) : {}, success: result.success };
  }

  it('D.modal: is what then happens, in random calls on files in every state of git', async function () {
    this.timeout(240_000);
    const draw = drawing(23);
    const git = gitIn(system.folder);
    const one = <T>(of: readonly T[]): T => of[draw(of.length)]!;
    const dirs = ['', 'src/', 'src/deep/', 'docs/', 'out/'];
    put('.gitignore', 'out/\n*.log\n');
    let compared = 0;
    for (let call = 0; call < runs(24, 300); call++) {
      // Somebody works on the files, and git follows now and then.
      for (let edits = draw(6); edits > 0; edits--) {
        const name = `${one(dirs)}f${draw(8)}.${one(['ts', 'md', 'log'])}`;
        const at = path.join(system.folder, name);
        if (existsSync(at) && lstatSync(at).isDirectory()) continue;
        put(name, Array.from({ length: 1 + draw(6) }, () => `line ${draw(5)}\n`).join(''));
      }
      if (draw(6) === 0) {
        const link = path.join(system.folder, one(dirs), `l${draw(3)}`);
        rmSync(link, { force: true });
        mkdirSync(path.dirname(link), { recursive: true });
        symlinkSync(`f${draw(8)}.ts`, link);
      }
      if (draw(3) === 0) git('add', '-A');
      if (draw(5) === 0) git('add', '-A', '--', one(['src', 'docs', '.']).replace(/^(?:src|docs)$/, '.'));
      if (draw(4) === 0) git('commit', '-q', '--allow-empty', '-m', 'x');
      if (draw(12) === 0) git('rm', '-q', '-f', '--cached', '--ignore-unmatch', '-r', '.');

      const before = tree(system.folder);
      const files = [...before].filter(([, content]) => content !== 'folder').map(([name]) => name);
      const folders = [...before].filter(([, content]) => content === 'folder').map(([name]) => name);
      const plain = files.filter((name) => lstatSync(path.join(system.folder, name)).isFile() && name.includes('f'));
      const [tool, input] = one<() => readonly [string, Record<string, unknown>]>([
        () => ['write_file', { path: one([...plain, `new${call}.ts`]), content: `line 1\nnew ${call}\nline 3\n` }],
        () => ['edit_file', { path: one(plain), edits: [{ old_text: 'line', new_text: 'row', replace_all: true }] }],
        () => ['delete_file', { path: one(files) }],
        () => ['delete_file', { path: one([...folders, ...files]), recursive: true }],
        () => ['move_file', { source: one(plain), destination: one([...plain, `m${call}.ts`]), overwrite: true }],
      ])();
      if (Object.values(input).includes(undefined)) continue;
      const held = new Map(
        git('ls-files', '-z', '--stage')
          .toString()
          .split('\0')
          .filter(Boolean)
          .map((row) => [row.slice(row.indexOf('\t') + 1), row.split(' ')[1]!] as const),
      );
      const { stake, success } = await stakeOf(tool, input);
      if (!success) continue;
      compared++;
      const after = tree(system.folder);
      const isGone = ([name]: readonly [string, unknown]): boolean =>
        !after.has(name) && !(tool === 'move_file' && name === input['source']);
      const gone = [...before].filter(isGone);
      const goneFiles = gone.filter(([, content]) => content !== 'folder');
      const where = `${call}: ${tool} ${JSON.stringify(input)}`;
      if (tool === 'delete_file') {
        const sizes = goneFiles.map(([name, content]) => (isLink(name) ? 0 : content.length));
        const told = {
          files: goneFiles.length,
          folders: gone.length - goneFiles.length,
          bytes: sizes.reduce((sum, size) => sum + size, 0),
        };
        assert.deepEqual(stake.removes, told, where);
      }
      function isLink(name: string): boolean {
        return name.split('/').pop()!.startsWith('l') && !/\.(?:ts|md|log)$/.test(name);
      }
      const changed = [...before].filter(
        ([name, content]) =>
          content !== 'folder' &&
          (tool === 'delete_file' ? !after.has(name) : name === (input['destination'] ?? input['path'])),
      );
      const states = { held: 0, differs: 0, untracked: 0 };
      const contents = blobs(
        git,
        changed.flatMap(([name]) => held.get(name) ?? []),
      );
      for (const [name, content] of changed) {
        const hash = held.get(name);
        if (hash === undefined) states.untracked++;
        else states[contents.get(hash)?.equals(content as Buffer) === true ? 'held' : 'differs']++;
      }
      assert.deepEqual(stake.versions, changed.length === 0 ? undefined : states, where);
      if (stake.lines) {
        const name = String(input['path']);
        const count = (content: Buffer | 'folder' | undefined): number =>
          content === undefined ? 0 : content.toString().split('\n').length - 1;
        assert.equal(stake.lines.added - stake.lines.removed, count(after.get(name)) - count(before.get(name)), where);
      }
    }
    assert.ok(compared > runs(12, 180), `only ${compared} calls went through`);
  });

  it('D.modal: names the host, the size and the headers of a request as they are sent', async () => {
    const draw = drawing(7);
    const names = ['authorization', 'x-api-key', 'X-Trace', 'accept'];
    for (let call = 0; call < runs(20, 100); call++) {
      const headers = Object.fromEntries(names.filter(() => draw(2) === 0).map((name) => [name, `v${draw(100)}`]));
      const body = 'ä'.repeat(draw(40));
      const url = `https://api${draw(9)}.example.com:${8000 + draw(3)}/v1?q=${call}`;
      const { stake, success } = await stakeOf('http_request', { url, method: 'POST', headers, body });
      assert.ok(success);
      const request = sent.at(-1)!;
      const given = new Set(Object.keys(headers));
      assert.equal(stake.sends?.to, new URL(request.url).host);
      assert.equal(stake.sends?.method, request.method);
      assert.equal(stake.sends?.bytes, Buffer.byteLength(String(request.body ?? '')));
      assert.deepEqual(
        stake.sends?.headers,
        Object.keys(request.headers ?? {}).filter((name) => given.has(name)),
      );
    }
  });

  it('D.modal: counts the rows of a statement without changing any before the yes', async function () {
    this.timeout(240_000);
    if (!pool) skipBecause(this, 'no Node with SQLite is here');
    const draw = drawing(5);
    await stakeOf('db_query', { query: 'CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, s TEXT)' });
    let counted = 0;
    for (let call = 0; call < runs(20, 100); call++) {
      const query = [
        `INSERT INTO t (n, s) VALUES ${Array.from({ length: 1 + draw(9) }, () => `(${draw(5)}, 'x')`).join(', ')}`,
        `UPDATE t SET s = 'y' WHERE n = ${draw(5)}`,
        `DELETE FROM t WHERE id % 7 = ${draw(7)}`,
        `WITH old AS (SELECT id FROM t WHERE n > ${draw(5)}) UPDATE t SET n = n + 1 WHERE id IN (SELECT id FROM old)`,
      ][draw(4)]!;
      asked = undefined;
      const result = await system.call('db_query', { query });
      assert.ok(result.success, JSON.stringify(result));
      const told = system.events
        .filter((event) => event.type === 'approval.asked')
        .flatMap((event) => ('stake' in event && event.stake?.rows !== undefined ? [event.stake.rows] : []));
      assert.equal(told.at(-1), (result.payload as { changes: number }).changes, query);
      counted++;
    }
    assert.ok(counted > 0);
  });

  it('D.modal: counts what rules protect below a folder as what stays', async () => {
    put('lost/a.txt', 'one\n');
    put('lost/keep/b.txt', 'two\n');
    const { stake } = await stakeOf('delete_file', { path: 'lost', recursive: true });
    assert.deepEqual(stake.removes, { files: 1, folders: 0, bytes: 4, kept: 1 });
    assert.deepEqual([...tree(system.folder).keys()].sort(), ['lost', 'lost/keep', 'lost/keep/b.txt']);
  });

  it('D.modal: stands in the question and in the record', async () => {
    put('lost/a.txt', 'one\n');
    put('lost/b.txt', 'two\n');
    const { stake } = await stakeOf('delete_file', { path: 'lost', recursive: true });
    const text = describeApproval(asked!, plainWords);
    assert.match(
      text.detail,
      /At stake: 2 files, 1 folder, 8 bytes would go; git holds 0 of 2 files as they are; nothing of 2/,
    );
    const record = system.events.filter((event) => event.type === 'approval.asked').at(-1);
    assert.deepEqual(record && 'stake' in record ? record.stake : undefined, stake);
  });
});
