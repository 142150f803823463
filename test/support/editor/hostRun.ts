import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareDriver, type SuiteKind, type SuiteSource } from './bundle';
import { WORKSPACE_FILE, type ControlAddress, type Plan, type SuiteEvent } from './driver/plan';
import { runDesktop } from './desktop';
import { failureFolder, keepFailure } from './failures';
import type { Job } from './jobs';
import { NOT_LOOKED_AT } from './person';
import type { Printer } from './print';
import { projectRoot } from './root';
import type { EditorSession } from './session';
import { tryTwice } from './tryTwice';

/** A window in which nothing was reported for this long has stopped for good. */
const SILENCE_MS = 300_000;
const END = 'the run reaches its end';
const TEST_TIMEOUT_MS: Record<SuiteKind, number> = { editor: 60_000, agent: 240_000, person: 240_000 };

/** Reads the events the driver appends, the same way for the browser editor and the desktop one. */
class EventTail {
  private read = 0;
  private readonly seen: SuiteEvent[] = [];
  private readonly file: string;
  private readonly onEvent: (event: SuiteEvent) => void;
  lastAt = Date.now();

  constructor(file: string, onEvent: (event: SuiteEvent) => void) {
    this.file = file;
    this.onEvent = onEvent;
  }

  poll(): void {
    if (!existsSync(this.file)) return;
    const text = readFileSync(this.file, 'utf8');
    const complete = text.slice(this.read, text.lastIndexOf('\n') + 1);
    this.read += complete.length;
    for (const line of complete.split('\n').filter((line) => line !== '')) {
      const event = JSON.parse(line) as SuiteEvent;
      this.seen.push(event);
      this.lastAt = Date.now();
      this.onEvent(event);
    }
  }

  get done(): boolean {
    return this.seen.some((event) => event.kind === 'done');
  }

  /** A file without a single test is a mistake, unless a filter left it out. */
  emptyFiles(): string[] {
    return this.seen.flatMap((event) => (event.kind === 'end' && event.tests === 0 ? [event.name] : []));
  }
}

/**
 * Whether the driver's extension host was there and has gone: a suite that takes the host down with it says nothing
 * more.
 */
function hostHasDied(controlFile: string): boolean {
  if (!existsSync(controlFile)) return false;
  const { pid } = JSON.parse(readFileSync(controlFile, 'utf8')) as ControlAddress;
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

interface Prepared {
  driver: string;
  /** What the window opens: the workspace's folder, or the workspace file of its fixture. */
  workspace: string;
  plan: Plan;
}

async function prepareGroup(run: Job, folder: string): Promise<Prepared> {
  const group = run.sources;
  const workspace = join(folder, 'workspace');
  await mkdir(workspace, { recursive: true });
  const file = workspaceFile(group);
  if (file) await cp(group[0]?.fixture ?? '', workspace, { recursive: true });
  const plan: Plan = {
    root: projectRoot(),
    controlFile: join(folder, 'control.json'),
    suites: {
      workspace,
      events: join(folder, 'events.jsonl'),
      timeoutMs: TEST_TIMEOUT_MS[run.kind],
      files: group.map(({ name, bundle, fixture }) => ({ name, bundle, fixture })),
      ...(run.grep ? { grep: run.grep } : {}),
    },
  };
  return {
    driver: await prepareDriver(join(folder, 'driver'), plan),
    workspace: file ? join(workspace, file) : workspace,
    plan,
  };
}

/** The workspace file of the fixture, which only a window of one file can have. */
function workspaceFile(group: SuiteSource[]): string | undefined {
  const [first] = group;
  return first?.window === 'own' ? readdirSync(first.fixture).find((name) => name.endsWith(WORKSPACE_FILE)) : undefined;
}

async function runInBrowser(session: EditorSession, run: Job, printer: Printer): Promise<void> {
  const server = await session.server({ vsix: run.vsix });
  await server.setUserSettings(run.settings ?? {});
  const prepared = await prepareGroup(run, await session.runFolder(server, 'run'));
  const openedAt = Date.now();
  const window: { exitCode?: number } = {};
  const opened = await session.open(server, {
    folder: prepared.workspace,
    developmentPath: prepared.driver,
    testsPath: join(prepared.driver, 'run.js'),
    disabled: NOT_LOOKED_AT,
    prepare: async (page) => {
      await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
        const text = args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg))).join(' ');
        if (process.env['AGENT_CAPABILITIES_VERBOSE'] && !text.includes('bindings file'))
          console.log(`    [editor ${type}] ${text.slice(0, 2_000)}`);
      });
      await page.exposeFunction('codeAutomationExit', (code: number) => {
        window.exitCode = code;
      });
    },
  });
  const keep = (title: string): Promise<void> =>
    keepFailure(failureFolder(run.kind, title), { ...opened, server, openedAt });
  const kept: Promise<void>[] = [];
  const tail = new EventTail(prepared.plan.suites?.events ?? '', (event) => {
    printer.accept(event);
    if (event.kind === 'fail') kept.push(keep(event.fullTitle));
  });
  let ended: string | undefined;
  while (!ended && !tail.done) {
    await new Promise((done) => setTimeout(done, 100));
    if (window.exitCode !== undefined) ended = `the window ended with code ${window.exitCode}`;
    else if (hostHasDied(prepared.plan.controlFile)) ended = 'the extension host died';
    else if (Date.now() - tail.lastAt > SILENCE_MS) ended = `nothing was reported for ${SILENCE_MS / 1000} s`;
    tail.poll();
  }
  if (!tail.done) {
    await keep(END);
    printer.fail(END, `${ended}\n${opened.consoleText()}`);
  }
  if (!run.grep) for (const name of tail.emptyFiles()) printer.fail(`${name} has tests`, 'the file defines no test');
  await Promise.all(kept);
  await opened.close();
}

async function runOnDesktop(run: Job, printer: Printer): Promise<void> {
  await runDesktop(run.vsix, async (folder) => {
    const prepared = await prepareGroup(run, folder);
    const tail = new EventTail(prepared.plan.suites?.events ?? '', printer.accept);
    const timer = setInterval(() => tail.poll(), 100);
    return {
      workspace: prepared.workspace,
      developmentPath: prepared.driver,
      testsPath: join(prepared.driver, 'run.js'),
      settings: run.settings ?? {},
      finished: () => {
        clearInterval(timer);
        tail.poll();
        if (!tail.done) printer.fail(END, 'desktop VS Code ended before the suites did');
        if (!run.grep)
          for (const name of tail.emptyFiles()) printer.fail(`${name} has tests`, 'the file defines no test');
      },
    };
  });
}

/** Runs suites inside the extension host; without a session, in desktop VS Code. */
export async function runHostJob(session: EditorSession | undefined, job: Job, printer: Printer): Promise<number> {
  if (session) return tryTwice(session, printer, () => runInBrowser(session, job, printer));
  await runOnDesktop(job, printer);
  return 1;
}
