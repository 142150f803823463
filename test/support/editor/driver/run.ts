import { appendFileSync } from 'node:fs';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import { driver, type Driver } from './api';
import { WORKSPACE_FILE, type SuiteEvent, type SuiteFile, type SuitePlan } from './plan';
import { reportTo } from './reporter';

/** The extension may write a file into a folder while it is taken away. */
const gone = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 } as const;

/** The folder stays open, so its content changes in place: one editor start serves many files. */
async function freshWorkspace(plan: SuitePlan, file: SuiteFile): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  // A workspace file is open, and so are the folders that it names: their content changes, they themselves stay.
  const isOpen = (await readdir(plan.workspace)).some((name) => name.endsWith(WORKSPACE_FILE));
  for (const name of await readdir(plan.workspace)) {
    if (name.endsWith(WORKSPACE_FILE)) continue;
    const path = join(plan.workspace, name);
    if (!isOpen) await rm(path, gone);
    else for (const below of await readdir(path)) await rm(join(path, below), gone);
  }
  await cp(file.fixture, plan.workspace, {
    recursive: true,
    filter: (source) => !isOpen || !source.endsWith(WORKSPACE_FILE),
  });
  if (isOpen) await foldersOf(plan.workspace);
}

/** A window that read its workspace file before its connection stood has no folders until the file changes. */
async function foldersOf(workspace: string): Promise<void> {
  for (const deadline = Date.now() + 20_000; !vscode.workspace.workspaceFolders?.length && Date.now() < deadline;) {
    for (const name of (await readdir(workspace)).filter((one) => one.endsWith(WORKSPACE_FILE)))
      await writeFile(join(workspace, name), `${await readFile(join(workspace, name), 'utf8')}\n`);
    await new Promise((done) => setTimeout(done, 1000));
  }
}

/**
 * A probe of the stable gate: the editor must refuse what VS Code refuses to extensions that do not ask for a proposal.
 * It runs in every host, because everything that is green without it would prove nothing.
 */
function probeGate(emit: (event: SuiteEvent) => void): void {
  const title = 'the editor refuses proposed API';
  const register = (vscode.lm as unknown as Record<string, ((...args: unknown[]) => unknown) | undefined>)[
    'registerToolDefinition'
  ];
  let refused = register === undefined;
  try {
    register?.(
      { name: 'agent_capabilities_probe', description: 'probe', inputSchema: {} },
      { invoke: () => undefined },
    );
  } catch {
    refused = true;
  }
  if (refused) emit({ kind: 'pass', title, depth: 0, ms: 0 });
  else
    emit({
      kind: 'fail',
      title,
      depth: 0,
      fullTitle: title,
      error: 'vscode.lm.registerToolDefinition did not throw: the stable gate is open',
    });
}

async function runFile(plan: SuitePlan, file: SuiteFile, emit: (event: SuiteEvent) => void): Promise<void> {
  emit({ kind: 'file', name: file.name });
  let tests = 0;
  const count = (event: SuiteEvent): void => {
    if (event.kind === 'pass' || event.kind === 'fail' || event.kind === 'pending') tests += 1;
    emit(event);
  };
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: plan.timeoutMs,
    reporter: reportTo(count) as never,
    ...(plan.grep ? { grep: plan.grep } : {}),
  });
  try {
    await freshWorkspace(plan, file);
    driver().model.script([]);
    mocha.addFile(file.bundle);
    await new Promise<void>((done) => mocha.run(() => done()));
    mocha.dispose();
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    count({ kind: 'fail', title: 'loads', depth: 0, fullTitle: `${file.name} loads`, error: text });
  }
  emit({ kind: 'end', name: file.name, tests });
}

async function activeDriver(): Promise<Driver> {
  await vscode.extensions.getExtension('agent-capabilities-test.driver')?.activate();
  return driver();
}

/** The editor calls this once the window is up; resolving ends the window with code 0. */
export async function run(): Promise<void> {
  process.setSourceMapsEnabled(true);
  const plan = (await activeDriver()).plan.suites;
  if (!plan) throw new Error('plan.json names no suites');
  const emit = (event: SuiteEvent): void => appendFileSync(plan.events, JSON.stringify(event) + '\n');
  emit({ kind: 'file', name: 'stable gate' });
  probeGate(emit);
  emit({ kind: 'end', name: 'stable gate', tests: 1 });
  for (const file of plan.files) await runFile(plan, file, emit);
  emit({ kind: 'done' });
}
