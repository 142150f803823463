import { fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installOnce } from '../support/editor/cache';
import { prepareEditor } from '../support/editor/install';
import { npmInstall } from '../support/editor/npm';
import { referenceCalls, referenceServers } from '../support/mcp/referenceCalls';

/** A change here gives the cache folder a new name. It needs Node 22.19 or newer. */
const inspectorVersion = '2.12.0';

interface Answer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
type Inspect = (...args: string[]) => Promise<Answer>;

const textOf = ({ stdout, stderr }: Answer): string => `${stdout}${stderr}`;
const namesIn = ({ stdout }: Answer): string[] =>
  [...stdout.matchAll(/"name": "([^"]+)"/g)].map(([, name = '']) => name);
const call = (inspect: Inspect, tool: string, input: object): Promise<Answer> =>
  inspect('--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(input));

/** Every tool of the four reference servers, called by the Inspector through `serve`; answers what went wrong. */
async function main(): Promise<readonly string[]> {
  const cli = path.resolve('dist/cli.js');
  if (!existsSync(cli)) throw new Error('dist/cli.js is missing: run `npm run build` first');
  const { node } = await prepareEditor(console.log);
  const folder = await installOnce(`inspector-${inspectorVersion}`, console.log, (partial) =>
    npmInstall(partial, path.dirname(node), ['--save-exact', `@modelcontextprotocol/inspector@${inspectorVersion}`]),
  );
  const clients = path.join(folder, 'node_modules/@modelcontextprotocol/inspector/clients');
  const workspace = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-inspector-'));
  const state = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-state-'));
  const own = ['--workspace', workspace, '--yes', '--state-dir', state];
  const serve = [cli, 'serve', ...own, '--set', `mcp.servers=${JSON.stringify(referenceServers)}`];
  try {
    for (const [name, content] of Object.entries({ 'a.txt': 'hello', '.env': 'SECRET=1', 'p.png': '\x89PNG' }))
      writeFileSync(path.join(workspace, name), content);
    const launcher = path.join(clients, 'launcher/build/index.js');
    const byStdio: Inspect = (...args) =>
      run(node, [launcher, '--cli', '--connect-timeout', '120000', ...args, '--', node, ...serve]);
    return await checkAll(byStdio, (use) => withHttp(node, clients, serve, use), workspace);
  } finally {
    for (const one of [workspace, state]) rmSync(one, { recursive: true, force: true });
  }
}

/**
 * The list and the first call go through `serve` on stdio, by the Inspector as its users start it; the others through
 * one `serve` on HTTP and by one process of the Inspector, since four programs start for each call otherwise.
 */
async function checkAll(
  byStdio: Inspect,
  withHttp: (use: (byHttp: Inspect) => Promise<void>) => Promise<void>,
  workspace: string,
): Promise<readonly string[]> {
  const faults: string[] = [];
  // The first list starts every server and has its tools approved; from then on a server sleeps until one of its tools
  // is called.
  const listed = await byStdio('--method', 'tools/list');
  const names = namesIn(listed);
  const isForeign = (name: string): boolean =>
    Object.keys(referenceServers).some((server) => name.startsWith(`${server}_`));
  const known = new Set(referenceCalls.map(([tool]) => tool));
  const resources = /_(?:list_resources|read_resource)$/;
  const unknown = names.filter((name) => isForeign(name) && !known.has(name) && !resources.test(name));
  if (unknown.length > 0) faults.push(`these tools are listed and not called: ${unknown.join(', ')}`);
  if (!names.includes('read_file')) faults.push(`the built-in tools are not listed: ${textOf(listed).slice(0, 1000)}`);
  let called = 0;
  const callOne = async (inspect: Inspect, [tool, input, expected]: (typeof referenceCalls)[number]): Promise<void> => {
    if (!names.includes(tool)) {
      faults.push(`${tool} is not listed`);
      return;
    }
    const filled = JSON.parse(JSON.stringify(input).replaceAll('ROOT', workspace)) as object;
    const answer = await call(inspect, tool, filled);
    const text = textOf(answer);
    const mayFail = expected.source === '.*';
    const pattern = new RegExp(expected.source.replaceAll('ROOT', path.basename(workspace)), expected.flags);
    const isRefused = /denied by|not allowed|has not approved/.test(text);
    if (isRefused || (!mayFail && (answer.code !== 0 || !pattern.test(answer.stdout))))
      faults.push(`${tool}: ${text.slice(0, 400)}`);
    else called++;
  };
  const [first, ...others] = referenceCalls;
  if (first) await callOne(byStdio, first);
  await withHttp(async (byHttp) => {
    const again = namesIn(await byHttp('--method', 'tools/list'));
    if (String(again) !== String(names)) faults.push(`other tools are listed on HTTP: ${again.join(', ')}`);
    for (const one of others) await callOne(byHttp, one);
    for (const input of [{ path: '.env' }, { path: `${workspace}/.env` }]) {
      const denied = textOf(await call(byHttp, 'fs_read_text_file', input));
      if (!denied.includes('preset.secrets') || denied.includes('SECRET=1'))
        faults.push(`a protected path is not denied: ${denied.slice(0, 400)}`);
    }
    const listing = await call(byHttp, 'everything_list_resources', {});
    const uri = /[\w-]+:\/\/[\w/.-]+/.exec(listing.stdout)?.[0] ?? '';
    const read = await call(byHttp, 'everything_read_resource', { uri });
    if (listing.code !== 0 || read.code !== 0)
      faults.push(`resources cannot be read: ${textOf(listing).slice(0, 200)} ${textOf(read).slice(0, 200)}`);
  });
  console.log(
    `the Inspector listed ${names.length} tools and called ${called} of the four reference servers through serve`,
  );
  return faults;
}

/** Runs `serve` on HTTP and one process of the Inspector beside it. */
async function withHttp(
  node: string,
  clients: string,
  serve: readonly string[],
  use: (byHttp: Inspect) => Promise<void>,
): Promise<void> {
  const token = randomBytes(32).toString('hex');
  const folder = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-token-'));
  const file = path.join(folder, 'token');
  writeFileSync(file, token);
  const timeout = 300_000;
  const serving = spawn(node, [...serve, '--http', '0', '--token-file', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout,
  });
  const options = { execPath: node, execArgv: [], env, timeout };
  const inspector = fork('test/conformance/inspect.mjs', [path.join(clients, 'cli/build/index.js')], options);
  let said = '';
  const listening = new Promise<string>((resolve) => {
    serving.stderr.on('data', (data) => {
      said += String(data);
      const url = /^listening on (\S+)/m.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const ends = [serving, inspector].map((child) => once(child, 'close'));
  const tooSoon = Promise.race(ends).then(([code, signal]) => {
    throw new Error(`serve or the Inspector ended with ${code ?? signal}: ${said}`);
  });
  const work = async (): Promise<void> => {
    const target = ['--server-url', await listening, '--header', `Authorization: Bearer ${token}`];
    await use(async (...args) => {
      const answered = once(inspector, 'message');
      inspector.send(['node', 'inspector', ...target, ...args]);
      const [answer] = await answered;
      return answer as Answer;
    });
  };
  try {
    await Promise.race([work(), tooSoon]);
  } finally {
    for (const child of [serving, inspector]) child.kill();
    await Promise.allSettled([...ends, tooSoon]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is started more than once is compiled once. */
const env = { ...process.env, NODE_COMPILE_CACHE: path.resolve('.build/compiled') };

function run(command: string, args: readonly string[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 180_000 });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => (stdout += String(data)));
    child.stderr.on('data', (data) => (stderr += String(data)));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

main().then(
  (faults) => {
    for (const fault of faults) console.error(fault);
    process.exit(faults.length === 0 ? 0 : 1);
  },
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
