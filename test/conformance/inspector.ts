import { spawn } from 'node:child_process';
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
  readonly out: string;
  readonly text: string;
}

/**
 * Every tool of the four reference servers, called by the Inspector through `serve` on stdio; answers what went wrong.
 */
async function main(): Promise<readonly string[]> {
  const cli = path.resolve('dist/cli.js');
  if (!existsSync(cli)) throw new Error('dist/cli.js is missing: run `npm run build` first');
  const { node } = await prepareEditor(console.log);
  const folder = await installOnce(`inspector-${inspectorVersion}`, console.log, (partial) =>
    npmInstall(partial, path.dirname(node), ['--save-exact', `@modelcontextprotocol/inspector@${inspectorVersion}`]),
  );
  const inspector = path.join(folder, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
  const workspace = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-inspector-'));
  const state = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-state-'));
  try {
    for (const [name, content] of Object.entries({ 'a.txt': 'hello', '.env': 'SECRET=1', 'p.png': '\x89PNG' }))
      writeFileSync(path.join(workspace, name), content);
    const serve = [
      'serve',
      '--workspace',
      workspace,
      '--yes',
      '--state-dir',
      state,
      '--set',
      `mcp.servers=${JSON.stringify(referenceServers)}`,
    ];
    const inspect = (...args: string[]): Promise<Answer> =>
      run(node, [inspector, '--cli', '--connect-timeout', '120000', ...args, '--', node, cli, ...serve]);
    const call = (tool: string, input: object): Promise<Answer> =>
      inspect('--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(input));
    return await checkAll(inspect, call, workspace);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
    rmSync(state, { recursive: true, force: true });
  }
}

async function checkAll(
  inspect: (...args: string[]) => Promise<Answer>,
  call: (tool: string, input: object) => Promise<Answer>,
  workspace: string,
): Promise<readonly string[]> {
  const faults: string[] = [];
  // The first list starts every server and has its tools approved; from then on a server sleeps until one of its tools
  // is called.
  const listed = await inspect('--method', 'tools/list');
  const names = [...listed.out.matchAll(/"name": "([^"]+)"/g)].map(([, name = '']) => name);
  const isForeign = (name: string): boolean =>
    Object.keys(referenceServers).some((server) => name.startsWith(`${server}_`));
  const known = new Set(referenceCalls.map(([tool]) => tool));
  const resources = /_(?:list_resources|read_resource)$/;
  const unknown = names.filter((name) => isForeign(name) && !known.has(name) && !resources.test(name));
  if (unknown.length > 0) faults.push(`these tools are listed and not called: ${unknown.join(', ')}`);
  if (!names.includes('read_file')) faults.push(`the built-in tools are not listed: ${listed.text.slice(0, 1000)}`);
  let called = 0;
  const byServer = Object.keys(referenceServers).map((server) =>
    referenceCalls.filter(([tool]) => tool.startsWith(`${server}_`)),
  );
  // Calls of one server depend on each other; the servers do not.
  const sequences = byServer.map((calls) => async (): Promise<void> => {
    for (const [tool, input, expected] of calls) {
      if (!names.includes(tool)) {
        faults.push(`${tool} is not listed`);
        continue;
      }
      const filled = JSON.parse(JSON.stringify(input).replaceAll('ROOT', workspace)) as object;
      const answer = await call(tool, filled);
      const mayFail = expected.source === '.*';
      const pattern = new RegExp(expected.source.replaceAll('ROOT', path.basename(workspace)), expected.flags);
      const isRefused = /denied by|not allowed|has not approved/.test(answer.text);
      if (isRefused || (!mayFail && (answer.code !== 0 || !pattern.test(answer.out))))
        faults.push(`${tool}: ${answer.text.slice(0, 400)}`);
      else called++;
    }
  });
  sequences.push(async () => {
    for (const input of [{ path: '.env' }, { path: `${workspace}/.env` }]) {
      const denied = await call('fs_read_text_file', input);
      if (!denied.text.includes('preset.secrets') || denied.text.includes('SECRET=1'))
        faults.push(`a protected path is not denied: ${denied.text.slice(0, 400)}`);
    }
    const listing = await call('everything_list_resources', {});
    const uri = /[\w-]+:\/\/[\w/.-]+/.exec(listing.out)?.[0] ?? '';
    const read = await call('everything_read_resource', { uri });
    if (listing.code !== 0 || read.code !== 0)
      faults.push(`resources cannot be read: ${listing.text.slice(0, 200)} ${read.text.slice(0, 200)}`);
  });
  const worker = async (): Promise<void> => {
    for (let next = sequences.shift(); next; next = sequences.shift()) await next();
  };
  await Promise.all([worker(), worker()]);
  console.log(
    `the Inspector listed ${names.length} tools and called ${called} of the four reference servers through serve`,
  );
  return faults;
}

function run(command: string, args: readonly string[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Its code is compiled once for all its starts.
    const env = { ...process.env, NODE_COMPILE_CACHE: path.resolve('.build/compiled') };
    const child = spawn(command, [...args], { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 180_000 });
    let out = '';
    let errors = '';
    child.stdout.on('data', (data) => (out += String(data)));
    child.stderr.on('data', (data) => (errors += String(data)));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, text: `${out}${errors}` }));
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
