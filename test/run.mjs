// The one test command. `--fast` runs unit and meta tests with small counts; without it everything runs, the editor
// suites too. `node test/run.mjs --fast [part of a path …] [--grep text]` narrows it down.
import { spawn } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { bundle } from '../esbuild.mjs';

const args = process.argv.slice(2);
const fast = args.includes('--fast');
const grepAt = args.indexOf('--grep');
const grep = grepAt >= 0 ? args[grepAt + 1] : undefined;
const wanted = args.filter((arg, index) => !arg.startsWith('--') && (grepAt < 0 || index !== grepAt + 1));
const started = Date.now();

async function testFiles(folder) {
  const found = [];
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])) {
    if (entry.isFile() && entry.name.endsWith('.test.ts')) found.push(path.join(entry.parentPath, entry.name));
  }
  return found.sort();
}

function run(command, commandArgs, env = {}, output = 'inherit') {
  return new Promise((resolve) => {
    const stdio = output === 'inherit' ? 'inherit' : ['ignore', 'pipe', 'pipe'];
    const child = spawn(command, commandArgs, { stdio, env: { ...process.env, ...env } });
    const said = [];
    child.stdout?.on('data', (chunk) => said.push(chunk));
    child.stderr?.on('data', (chunk) => said.push(chunk));
    child.on('close', (code, signal) => {
      process.stdout.write(Buffer.concat(said));
      resolve(signal ? 1 : (code ?? 1));
    });
    child.on('error', (error) => {
      console.error(String(error));
      resolve(1);
    });
  });
}

/**
 * Memory instead of a disk, where there is enough: a fifth of the fast tier's time would be writing and removing small
 * files.
 */
function temporaryFolder() {
  try {
    const { bsize, bavail } = statfsSync('/dev/shm');
    if (bsize * bavail > 2e9) return '/dev/shm';
  } catch {
    // Another system has none.
  }
  return os.tmpdir();
}

/** Runs test files in one process of mocha, its output as it comes or whole at its end. */
function mocha(built, output) {
  return run(
    process.execPath,
    [
      '--enable-source-maps',
      '--no-warnings',
      'node_modules/mocha/bin/mocha.js',
      '--reporter',
      process.env.CI || wanted.length > 0 ? 'spec' : 'dot',
      '--timeout',
      fast ? '20000' : '300000',
      '--file',
      '.build/tests/support/setup.cjs',
      ...(grep ? ['--grep', grep] : []),
      ...built,
    ],
    { AGENT_CAPABILITIES_TESTS: fast ? 'fast' : 'full', ...(fast ? { TMPDIR: temporaryFolder() } : {}) },
    output,
  );
}

/**
 * Bundles the test files into .build/tests, so that tests run the sources without an editor. They share chunks: one
 * file's modules are the next one's too, as in the extension, and what watches all disposables sees every one.
 */
async function buildTests(files, outdir = '.build/tests') {
  await rm(outdir, { recursive: true, force: true });
  await bundle(files, {
    outdir,
    extension: '.cjs',
    change: { outbase: 'test', sourcemap: 'inline', packages: 'external' },
    finish: { sourcemap: 'inline' },
  });
}

const unitOnly = fast || args.includes('--unit');
const all = [...(await testFiles('test/unit')), ...(await testFiles('test/meta')), ...(await testFiles('test/corpus'))];
const files = wanted.length > 0 ? all.filter((file) => wanted.some((part) => file.includes(part))) : all;
// Without a file mocha would load test/*, and with it this script, again and again.
if (files.length === 0) {
  console.error(`no test file's path contains ${wanted.join(' or ')}`);
  process.exit(1);
}
let failed = false;

async function step(name, work) {
  const at = Date.now();
  const code = await work();
  console.log(`${code === 0 ? 'ok' : 'FAILED'}: ${name} (${((Date.now() - at) / 1000).toFixed(1)} s)`);
  if (code !== 0) failed = true;
}

if (wanted.length === 0) {
  await step('types', () => run('node_modules/.bin/tsc', ['--noEmit', '-p', '.']));
  await step('types of the webviews', () => run('node_modules/.bin/tsc', ['--noEmit', '-p', 'src/webview']));
  await step('lint', () => run('node_modules/.bin/oxlint', ['--deny-warnings', 'src', 'test', 'esbuild.mjs']));
}
if (!unitOnly || wanted.length === 0) {
  await step('build', () => run(process.execPath, ['esbuild.mjs']));
}
// The editor brings the ripgrep and the newer Node that some unit tests compare with; installed once, into the cache.
if (!unitOnly && wanted.length === 0)
  await step('editor for the tests', () => run(process.execPath, ['test/support/editor/cli.mjs', 'install']));
const unit = step('unit, corpus and meta tests', async () => {
  // Programs that tests start as processes of their own are built beside them.
  const processes = (await readdir('test/support/processes').catch(() => [])).map((name) =>
    path.join('test/support/processes', name),
  );
  await buildTests(files.concat('test/support/setup.ts', processes));
  const built = files.map((file) => path.join('.build/tests', path.relative('test', file)).replace(/\.ts$/, '.cjs'));
  // The fast tier keeps every core busy while some of its tests wait. The full one has two processes, whose tests of
  // limits and faults measure time so that a busy machine does not matter: the fastest of several, the median, or what
  // one part of the work costs more than another.
  const shards = wanted.length > 0 ? 1 : fast ? Math.max(os.availableParallelism(), 4) : 2;
  if (shards === 1) return mocha(built, 'inherit');
  const codes = await Promise.all(
    Array.from({ length: shards }, (_, shard) =>
      mocha(
        built.filter((_, index) => index % shards === shard),
        'whole',
      ),
    ),
  );
  return Math.max(...codes);
});
// These two wait more than they work, so they run beside the unit tests, which keep one core.
if (!unitOnly && wanted.length === 0) {
  await step('official MCP conformance suite', () => run(process.execPath, ['test/conformance/run.mjs'], {}, 'whole'));
  await step('reference servers with the MCP Inspector', () =>
    run(process.execPath, ['test/conformance/inspector.mjs'], {}, 'whole'),
  );
}
await unit;
if (!unitOnly && wanted.length === 0) {
  await step('package', () => run(process.execPath, ['test/support/package.mjs']));
  await step('editor, agent and person tests', () =>
    run(process.execPath, ['test/support/editor/cli.mjs', 'test', '--vsix', 'agent-capabilities.vsix'], {
      AGENT_CAPABILITIES_TESTS: 'full',
    }),
  );
}
console.log(`${failed ? 'failed' : 'passed'} in ${((Date.now() - started) / 1000).toFixed(0)} s`);
process.exit(failed ? 1 : 0);
