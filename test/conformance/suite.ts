import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { installOnce } from '../support/editor/cache';
import { prepareEditor } from '../support/editor/install';
import { npmInstall } from '../support/editor/npm';
import { newNode } from '../support/node24';

/** A change here gives the cache folder a new name. The suite's `latest` knows the older protocol only. */
const suiteVersion = '0.2.0-alpha.12';
const versions = ['2025-11-25', '2026-07-28'] as const;
type Leg = 'server' | 'client';

/**
 * The scenarios that do not pass, each with its reason; the suite's own list must agree in both directions: what fails
 * and is not here fails the run, and so does what is here and passes. `notRun` are scenarios that the suite lists and
 * runs for neither version.
 */
interface Exceptions {
  readonly server: Readonly<Record<string, string>>;
  readonly client: Readonly<Record<string, string>>;
  readonly notRun: Readonly<Record<string, string>>;
}

interface Outcome {
  readonly name: string;
  readonly passed: boolean;
  readonly checks: number;
}

const out = path.resolve('.build/conformance');

async function main(): Promise<boolean> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { scenario: { type: 'string' }, verbose: { type: 'boolean' } },
  });
  const exceptions = JSON.parse(readFileSync('test/conformance/exceptions.json', 'utf8')) as Exceptions;
  const node = newNode() ?? (await prepareEditor(console.log)).node;
  const folder = await installOnce(`conformance-${suiteVersion}`, console.log, (partial) =>
    npmInstall(partial, path.dirname(node), ['--save-exact', `@modelcontextprotocol/conformance@${suiteVersion}`]),
  );
  const bin = path.join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  await buildPrograms();
  const legs: readonly Leg[] =
    positionals[0] === 'server' || positionals[0] === 'client' ? [positionals[0]] : ['server', 'client'];
  const complaints: string[] = [];
  const seen = new Set<string>();
  for (const leg of legs)
    for (const version of versions) {
      const text = await runLeg(node, bin, leg, version, values.scenario);
      writeFileSync(path.join(out, `${leg}-${version}.txt`), text);
      if (values.verbose) console.log(text);
      const outcomes = readOutcomes(text, values.scenario);
      if (outcomes.length === 0)
        complaints.push(`${leg} ${version}: the suite answered nothing:\n${text.slice(-3000)}`);
      // The suite itself goes by what a client did, and not by how it ended.
      const ended = /^Client (?:exited with code|timed out)/m.exec(text);
      if (ended) complaints.push(`${leg} ${version}: ${text.slice(ended.index, ended.index + 3000)}`);
      for (const { name, passed, checks } of outcomes) {
        seen.add(`${leg} ${name}`);
        if (!passed && !(name in exceptions[leg]))
          complaints.push(`${leg} ${version}: ${name} fails and is not in exceptions.json`);
        if (
          passed &&
          checks > 0 &&
          name in exceptions[leg] &&
          !outcomes.some((one) => one.name === name && !one.passed)
        )
          complaints.push(`${leg} ${version}: ${name} passes; take it out of exceptions.json`);
      }
      const good = outcomes.filter((one) => one.passed && one.checks > 0);
      const idle = outcomes.filter((one) => one.passed && one.checks === 0).map((one) => one.name);
      const open = outcomes.filter((one) => !one.passed).map((one) => one.name);
      console.log(
        `${leg} ${version}: ${good.length} of ${outcomes.length} scenarios pass with ${good.reduce((sum, one) => sum + one.checks, 0)} checks` +
          `${idle.length > 0 ? `; nothing to check in ${idle.join(', ')}` : ''}; not: ${open.join(', ') || 'none'}`,
      );
    }
  if (values.scenario === undefined && legs.length === 2)
    complaints.push(...unlisted(await capture(node, [bin, 'list'], 60_000), seen, exceptions));
  for (const complaint of complaints) console.error(complaint);
  return complaints.length === 0;
}

/** What exceptions.json must say more or less of the scenarios that the suite lists. */
function unlisted(listing: string, seen: ReadonlySet<string>, exceptions: Exceptions): readonly string[] {
  const complaints: string[] = [];
  const listed = new Set<string>();
  let leg: Leg | undefined;
  for (const line of listing.split('\n')) {
    if (line.startsWith('Server scenarios')) leg = 'server';
    else if (line.startsWith('Client scenarios')) leg = 'client';
    // An authorization server is no part of the product.
    else if (line.startsWith('Authorization server')) leg = undefined;
    const name = /^ {2}- (\S+)/.exec(line)?.[1];
    if (name === undefined || leg === undefined) continue;
    listed.add(`${leg} ${name}`);
    if (!seen.has(`${leg} ${name}`) && !(name in exceptions.notRun))
      complaints.push(`${leg}: ${name} was not run and has no reason`);
    if (seen.has(`${leg} ${name}`) && name in exceptions.notRun)
      complaints.push(`${leg}: ${name} was run; take it out of notRun`);
  }
  for (const one of ['server', 'client'] as const)
    for (const name of Object.keys(exceptions[one]))
      if (!listed.has(`${one} ${name}`))
        complaints.push(`${one}: exceptions.json names ${name}, which the suite does not know`);
  return complaints;
}

function readOutcomes(text: string, scenario: string | undefined): readonly Outcome[] {
  if (scenario !== undefined) {
    const [, passed, failed] = /^Passed: (\d+)\/\d+, (\d+) failed/m.exec(text) ?? [];
    const good = failed === '0' && !text.includes('OVERALL: FAILED');
    return passed === undefined ? [] : [{ name: scenario, passed: good, checks: Number(passed) }];
  }
  return [...text.matchAll(/^([✓✗]) ([\w/-]+): (\d+) passed, (\d+) failed/gm)].map(([, mark, name = '', passed]) => ({
    name,
    passed: mark === '✓',
    checks: Number(passed),
  }));
}

async function runLeg(
  node: string,
  bin: string,
  leg: Leg,
  version: string,
  scenario: string | undefined,
): Promise<string> {
  const which =
    scenario === undefined ? ['--requirements', version] : ['--scenario', scenario, '--spec-version', version];
  const args = ['--enable-source-maps', path.join(out, `${leg}.cjs`), version];
  const program = spawn(leg === 'client' ? node : process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  program.stderr.on('data', (data) => (said += String(data)));
  try {
    const port = await portOf(program, () => said);
    // The scenarios of the client wait for one another.
    const how =
      leg === 'server'
        ? ['--url', `http://127.0.0.1:${port}/mcp`, '--timeout', '30000']
        : ['--command', `${node} ${path.join(out, 'ask.cjs')} ${port}`, '--timeout', '500000', '--force', '--verbose'];
    return `${await capture(node, [bin, leg, ...how, ...which], 600_000)}\n${said}`;
  } finally {
    program.kill();
  }
}

function portOf(program: ChildProcess, said: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    program.stdout?.on('data', (data) => {
      const port = /listening on (\d+)/.exec(String(data))?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    program.once('close', (code) =>
      reject(new Error(`our program for the conformance suite ended with ${code}: ${said()}`)),
    );
  });
}

function capture(command: string, args: readonly string[], timeout: number): Promise<string> {
  return new Promise((resolve, reject) => {
    // The suite saves its results beside where it runs.
    // Its code is compiled once for all its starts.
    const env = { ...process.env, NODE_COMPILE_CACHE: path.resolve('.build/compiled') };
    const child = spawn(command, [...args], { cwd: out, env, stdio: ['ignore', 'pipe', 'pipe'], timeout });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += String(data)));
    child.once('error', reject);
    child.once('close', () => resolve(text));
  });
}

/**
 * Bundles our server and our client as the suite's programs; the plugin with the built-in validators is the build's
 * own.
 */
async function buildPrograms(): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const { shared, validators } = (await import(path.resolve('esbuild.mjs'))) as { shared: object; validators: never };
  await build({
    ...shared,
    entryPoints: ['test/conformance/server.ts', 'test/conformance/client.ts', 'test/conformance/ask.ts'],
    outdir: out,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    sourcemap: 'linked',
    packages: 'external',
    plugins: [validators],
    define: { 'import.meta.url': 'undefined' },
  });
}

main().then(
  (good) => process.exit(good ? 0 : 1),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
