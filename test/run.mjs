// The one test command. `--fast` runs unit and meta tests with small counts; without it everything runs, the editor
// suites too. `node test/run.mjs --fast [part of a path …] [--grep text]` narrows it down.
import { fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { bundle, shared, validators } from '../esbuild.mjs';

const args = process.argv.slice(2);
const fast = args.includes('--fast');
const grepAt = args.indexOf('--grep');
const grep = grepAt >= 0 ? args[grepAt + 1] : undefined;
const wanted = args.filter((arg, index) => !arg.startsWith('--') && (grepAt < 0 || index !== grepAt + 1));
const unknown = args.find((arg) => arg.startsWith('--') && !['--fast', '--unit', '--grep'].includes(arg));
if (unknown !== undefined) {
  console.error(`node test/run.mjs [--fast | --unit] [part of a path …] [--grep text]; got \`${unknown}\``);
  process.exit(unknown === '--help' ? 0 : 2);
}
const started = Date.now();
// `explore` runs the unit tests with the largest counts; an environment says it, for it is not for every day.
const tier = fast ? 'fast' : process.env.AGENT_CAPABILITIES_TESTS === 'explore' ? 'explore' : 'full';

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
    if (output === 'behind') standBack(child.pid);
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

/** The process, and what it starts, gets what time others leave. */
function standBack(pid) {
  try {
    os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended, or this user may not.
  }
}

/**
 * Memory instead of a disk, where there is enough: to make and remove a small folder on a disk costs two and a half
 * times the processor time, and waits besides. Exploring keeps the disk, as a file system that is another one.
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

const END_OF_FILE = '\u0004\u0003\u0004';
const TIMES = '.build/times.json';

/** What each file cost when it ran last here, by its path. */
function lastTimes() {
  try {
    return JSON.parse(readFileSync(TIMES, 'utf8'));
  } catch {
    return {};
  }
}

/**
 * Nearly all that the fast tier runs, it runs a few times: it pays to compile less well. Both tiers collect young
 * garbage less often than a process of the editor.
 */
const quickly = ['--interrupt-budget=1000000', '--liftoff-only'];

/**
 * A process that runs test files one after another, each with a mocha of its own. What a file prints comes whole at
 * its end, or at once where no other process prints beside.
 */
function startWorker(atOnce, isBehind) {
  // Of its own, so that what a file of tests leaves in it is that file's.
  const temporary = mkdtempSync(path.join(tier === 'explore' ? os.tmpdir() : temporaryFolder(), 'tests-'));
  const child = fork('.build/tests/support/unitWorker.cjs', [], {
    execArgv: ['--no-warnings', '--max-semi-space-size=64', ...(fast ? quickly : [])],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      AGENT_CAPABILITIES_TESTS: tier,
      ...(isBehind ? { AGENT_CAPABILITIES_PATIENCE: '5' } : {}),
      ...(wanted.length > 0 || grep ? { AGENT_CAPABILITIES_PICTURES: 'true' } : {}),
      TMPDIR: temporary,
      TEMP: temporary,
      TMP: temporary,
      AGENT_CAPABILITIES_TEMPORARY: temporary,
    },
  });
  if (isBehind) standBack(child.pid);
  let said = '';
  let tail = '';
  let ran;
  let tell = () => {};
  const check = () => {
    if (ran === undefined || !tail.endsWith(END_OF_FILE)) return;
    const result = ran;
    if (!atOnce) process.stdout.write(said.replaceAll(END_OF_FILE, ''));
    said = '';
    ran = undefined;
    tail = '';
    tell(result);
  };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    tail = (tail + text).slice(-END_OF_FILE.length);
    if (atOnce) process.stdout.write(text.replaceAll(END_OF_FILE, ''));
    else said += text;
    check();
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    if (atOnce) process.stderr.write(text);
    else said += text;
  });
  child.on('message', (message) => {
    ran = message;
    check();
  });
  const gone = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code ?? 1)));
  void gone.then((code) => {
    rmSync(temporary, { recursive: true, force: true });
    process.stdout.write(said);
    tell({ passed: 0, pending: 0, failed: [`its process ended with ${code}`], wallMs: 0, cpuMs: 0, slowest: [] });
  });
  return {
    alive: () => child.exitCode === null && child.signalCode === null,
    run: (asked) =>
      new Promise((resolve) => {
        tell = resolve;
        child.send({ ...asked, end: END_OF_FILE });
      }),
    /** What a test left running keeps the process alive, and fails the run. */
    async end() {
      if (!child.connected) return true;
      child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
      const code = await gone;
      clearTimeout(timer);
      if (code !== 0)
        console.error(`a process of the tests did not end by itself: something was left running (${code})`);
      return code === 0;
    },
  };
}

/**
 * These start hundreds of processes. To start one copies what its parent knows of its memory: 3 ms out of 50 MB, 61 out
 * of 450. So they come first, and a process that has grown is not used for them.
 */
const startsMany =
  /\/(?:changes\/(?:anyOrder|checkpoint|processKills)|audit\/faults|files\/(?:durability|engines)|system\/stakes|client\/serverChanges)/;
const grownBytes = 200e6;
/** Where nothing is known of earlier runs, as on a clean clone, these are begun early: one at the end holds all up. */
const takesLong =
  /\/(?:corpus|hostile|webview)\/|changes\/histories|definitions\/faults|postgresForesee|\/hostileServers|server\/loopback|system\/(?:naughtyStrings|oneChange|questions)|vscode\/capabilityView|meta\/package/;

/**
 * A file that names a clock, a process or a socket waits for something, or measures it: it has the cores for itself.
 * All others only reckon, and take as long as they are let.
 */
const waits =
  /performance\.|hrtime|cpuUsage|Date\.now|setTimeout|[tT]imers\/|unhurriedClock|\bspawn|\bfork\b|execFile|child_process|createServer|\.listen\(|fastest|median|support\/(?:echoServer|mcp|cli|sandbox|editor|web|ripgrep|browser)/;
const onlyReckons = (file) => !startsMany.test(file) && !waits.test(readFileSync(file, 'utf8'));

/** What looks for parts of the editor that the tests install. */
const looksIntoEditor = ['test/support/ripgrep.ts', 'test/support/node24.ts', 'test/support/editor/chromium.ts'];

/** The test files that come to one of these by their imports. */
function filesThatReach(wanted, files, { inputs }) {
  const reached = new Set(wanted);
  // A set that is gone through gives also what is put into it meanwhile.
  for (const file of reached)
    for (const [by, { imports }] of Object.entries(inputs))
      if (imports.some((one) => one.path === file)) reached.add(by);
  return new Set(files.filter((file) => reached.has(file.split(path.sep).join('/'))));
}

/**
 * Runs the files in so many processes; each takes the next file as soon as it is free, the dearest ones first.
 * @param late files that need what is still made, and the end of that.
 */
async function runFiles(files, processes, { isBehind = false, late } = {}) {
  const atOnce = processes === 1 || files.length === 1;
  const known = lastTimes();
  // A file takes no longer than its own processes: those that start many are begun before all others.
  const cost = (file) =>
    (startsMany.test(file) ? 1e6 : 0) + (known[file]?.cpuMs ?? (takesLong.test(file) ? 10_000 : 1000));
  const queue = files.toSorted((a, b) => cost(b) - cost(a));
  let isMade = late === undefined;
  void late?.made.then(() => (isMade = true));
  const next = async () => {
    const at = isMade ? 0 : queue.findIndex((file) => !late.files.has(file));
    if (at < 0) await late.made;
    return queue.splice(Math.max(0, at), 1)[0];
  };
  const results = new Map();
  let clean = true;
  await Promise.all(
    Array.from({ length: Math.min(processes, files.length) }, async () => {
      let worker = startWorker(atOnce, isBehind);
      let bytes = 0;
      for (let file = await next(); file; file = await next()) {
        if (startsMany.test(file) && bytes > grownBytes && !(await worker.end())) clean = false;
        if (!worker.alive()) worker = startWorker(atOnce, isBehind);
        const built = path.resolve('.build/tests', path.relative('test', file)).replace(/\.ts$/, '.cjs');
        const { rss, ...ran } = await worker.run({
          built,
          timeout: fast ? 60_000 : 300_000,
          spec: Boolean(process.env.CI) || wanted.length > 0,
          ...(grep ? { grep } : {}),
        });
        bytes = rss ?? 0;
        results.set(file, ran);
      }
      if (!(await worker.end())) clean = false;
    }),
  );
  const all = [...results];
  writeFileSync(
    TIMES,
    JSON.stringify(
      { ...lastTimes(), ...Object.fromEntries(all.map(([file, ran]) => [file, { ...ran, at: Date.now() }])) },
      null,
      1,
    ),
  );
  const sum = (value) => all.reduce((total, [, ran]) => total + value(ran), 0);
  const failed = all.flatMap(([file, ran]) => ran.failed.map((title) => `${file}: ${title}`));
  console.log(`${sum((ran) => ran.passed)} passing, ${failed.length} failing, ${sum((ran) => ran.pending)} pending`);
  for (const line of failed) console.log(`  ✖ ${line}`);
  return failed.length === 0 && clean ? 0 : 1;
}

/** Where the time of this run went: by processor time, for a busy machine stretches the rest. */
function printTimes() {
  const all = Object.entries(lastTimes()).filter(([, ran]) => ran.at >= started);
  const seconds = (ms) => (ms / 1000).toFixed(1).padStart(9);
  const sum = (of) => all.reduce((total, [, ran]) => total + ran[of], 0);
  console.log(`\n  processor      wall  in seconds; all files in ${TIMES}`);
  for (const [file, ran] of all.toSorted((a, b) => b[1].cpuMs - a[1].cpuMs).slice(0, 15))
    console.log(`  ${seconds(ran.cpuMs)} ${seconds(ran.wallMs)}  ${file}`);
  console.log(`  ${seconds(sum('cpuMs'))} ${seconds(sum('wallMs'))}  all ${all.length} files`);
}

/**
 * Bundles the test files into .build/tests, so that tests run the sources without an editor. They share chunks: one
 * file's modules are the next one's too, as in the extension, and what watches all disposables sees every one.
 */
async function buildTests(files, programs, outdir = '.build/tests') {
  await rm(outdir, { recursive: true, force: true });
  await rm('.build/threads', { recursive: true, force: true });
  const common = { outbase: 'test', alias: { vscode: './test/support/fakeVscode.ts' } };
  const { metafile } = await bundle(files, {
    outdir,
    extension: '.cjs',
    change: { ...common, sourcemap: 'inline', sourcesContent: false, packages: 'external' },
    finish: { sourcemap: 'inline', sourcesContent: false },
  });
  // What tests start hundreds of times and kill is one small file each.
  await build({
    ...shared,
    ...common,
    entryPoints: programs,
    outdir,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    plugins: [validators],
    minifySyntax: true,
    minifyWhitespace: true,
  });
  return metafile;
}

const unitOnly = fast || args.includes('--unit');
const all = [...(await testFiles('test/unit')), ...(await testFiles('test/meta')), ...(await testFiles('test/corpus'))];
const asked = wanted.length > 0 ? all.filter((file) => wanted.some((part) => file.includes(part))) : all;
/** True where the file itself is asked for, and not only its folder. */
const isNamed = (file) =>
  wanted.some(
    (part) => path.basename(file, '.test.ts') === path.basename(part).replace(/(?:\.test)?\.ts$|\.test$/, ''),
  );
/** `// @tier full: reason` tops a file that the fast tier has only where it is named, or all is generated anew. */
const leftOut = fast && !process.env.UPDATE ? asked.filter((file) => !isNamed(file)).flatMap(reasonToLeaveOut) : [];
function reasonToLeaveOut(file) {
  const why = /^\/\/ @tier full: (.+)$/m.exec(readFileSync(file, 'utf8').slice(0, 400))?.[1];
  return why === undefined ? [] : [{ file, why }];
}
const files = asked.filter((file) => !leftOut.some((one) => one.file === file));
for (const { file, why } of leftOut) console.log(`left to the whole run: ${file} (${why})`);
// Without a file mocha would load test/*, and with it this script, again and again.
if (files.length === 0) {
  const none = `no test file's path contains ${wanted.join(' or ')}`;
  console.error(leftOut.length > 0 ? 'name a file to run it all the same, as in `-- processKills`' : none);
  process.exit(1);
}
let failed = false;

async function step(name, work) {
  const at = Date.now();
  const code = await work();
  console.log(`${code === 0 ? 'ok' : 'FAILED'}: ${name} (${((Date.now() - at) / 1000).toFixed(1)} s)`);
  if (code !== 0) failed = true;
}

/** What reads the sources alone runs one after another on one core. */
async function checkSources(output) {
  const types = ['--noEmit', '--incremental', '-p'];
  const known = (name) => ['--tsBuildInfoFile', `.build/${name}.tsbuildinfo`];
  await step('types', () => run('node_modules/.bin/tsc', [...types, '.', ...known('types')], {}, output));
  await step('types of the webviews', () =>
    run('node_modules/.bin/tsc', [...types, 'src/webview', ...known('webviews')], {}, output),
  );
  await step('lint', () =>
    run(
      'node_modules/.bin/oxlint',
      ['--deny-warnings', 'src', 'test', 'tools', 'esbuild.mjs', 'chunks.mjs'],
      {},
      output,
    ),
  );
}

/** The editor's tests leave a fifth of the machine unused, and these take their time. */
async function runBehindTheEditor() {
  await checkSources('behind');
  await step('official MCP conformance suite', () => run(process.execPath, ['test/conformance/run.mjs'], {}, 'behind'));
  await step('reference servers with the MCP Inspector', () =>
    run(process.execPath, ['test/conformance/inspector.mjs'], {}, 'behind'),
  );
  await step('two real agents under our hook', () =>
    run(process.execPath, ['test/realAgents/run.mjs', '--quick'], {}, 'behind'),
  );
}

const isWhole = !unitOnly && wanted.length === 0;
const checks = unitOnly && wanted.length === 0 ? checkSources('whole') : undefined;
if (!unitOnly || wanted.length === 0) {
  await step('build', () => run(process.execPath, ['esbuild.mjs']));
  process.env['AGENT_CAPABILITIES_BUILT'] = 'true';
}
// The editor brings the ripgrep and the newer Node that some unit tests compare with; installed once, into the cache,
// while the others run.
const editor = isWhole
  ? step('editor for the tests', () => run(process.execPath, ['test/support/editor/cli.mjs', 'install'], {}, 'whole'))
  : undefined;
const packed = isWhole
  ? step('package', () => run(process.execPath, ['test/support/package.mjs'], {}, 'whole'))
  : undefined;
const reckoning = isWhole ? files.filter(onlyReckons) : [];
let reckoned;
const unit = step('unit, corpus and meta tests', async () => {
  // Programs that tests start as processes of their own are built beside them.
  const processes = (await readdir('test/support/processes').catch(() => [])).map((name) =>
    path.join('test/support/processes', name),
  );
  const meta = await buildTests(files.concat('test/support/setup.ts', 'test/support/unitWorker.ts'), processes);
  // One of them packs the extension too.
  await packed;
  // Every core is kept busy while some tests wait: a quarter of the full tier's time is waiting. Tests of limits and
  // faults measure time so that a busy machine does not matter: the fastest of several, the median, or what one part of
  // the work costs more than another.
  const now = files.filter((file) => !reckoning.includes(file));
  const late = editor && { files: filesThatReach(looksIntoEditor, files, meta), made: editor };
  // What only reckons fills what all others leave, to the end of the run.
  if (isWhole) reckoned = step('tests that only reckon', () => runFiles(reckoning, 2, { isBehind: true, late }));
  return runFiles(now, fast ? Math.max(os.availableParallelism(), wanted.length > 0 ? 2 : 4) : 3, { late });
});
await unit;
await checks;
if (isWhole) {
  const behind = runBehindTheEditor();
  await step('editor, agent and person tests', () =>
    run(process.execPath, ['test/support/editor/cli.mjs', 'test', '--vsix', 'agent-capabilities.vsix'], {
      AGENT_CAPABILITIES_TESTS: 'full',
    }),
  );
  await behind;
  await reckoned;
}
if (wanted.length === 0) printTimes();
console.log(`${failed ? 'failed' : 'passed'} in ${((Date.now() - started) / 1000).toFixed(0)} s`);
process.exit(failed ? 1 : 0);
