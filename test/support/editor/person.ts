import assert from 'node:assert/strict';
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Suite } from 'mocha';
import type { BrowserContext, Page } from 'playwright-core';
import { fixtureFolder, packageDriver, packageFixture, prepareDriver } from './bundle';
import { HostControl } from './control';
import { PLAN_FILE, type Plan } from './driver/plan';
import { failureFolder, keepFailure, whereFailureStands } from './failures';
import { projectRoot } from './root';
import type { EditorServer } from './server';
import type { EditorSession } from './session';
import { until } from './until';
import { Workbench } from './workbench';

export interface PersonOptions {
  /** A folder of test/fixtures/workspaces, or a path from the repository; copied fresh. */
  workspace?: string;
  /** User settings of this window. */
  settings?: Record<string, unknown>;
  /** Keeps Workspace Trust on. */
  workspaceTrust?: boolean;
  /** More files for the `User` folder; a window with some has a server of its own. */
  userFiles?: Record<string, string>;
  viewport?: { width: number; height: number };
  /** Installs the driver like any extension, so that no title says "Extension Development Host": for pictures. */
  asInstalled?: boolean;
  /** Installs the harness's fixture extension too, which contributes language-model tools. */
  fixtureExtension?: boolean;
  /** More packaged extensions to install. */
  vsix?: readonly string[];
  /** The name of the open folder, which the window shows. */
  folderName?: string;
  /** A script that each page of the window runs before its own. */
  script?: string;
  /** Leaves out Copilot, which takes two seconds of processor time in a window, where no test sends the chat a word. */
  withoutChat?: boolean;
  /** Leaves the test to answer requests of the page: Playwright goes on hearing them. */
  answersRequests?: boolean;
}

/**
 * Built-in extensions that no test looks at and that start by themselves, most of them in each window: TypeScript's
 * alone runs two servers, and `npm` for types, as soon as a file of the fixture is opened. Git and GitHub stay: Copilot
 * asks for both, and waits for them where they are off.
 */
export const NOT_LOOKED_AT = [
  'typescript-language-features',
  'npm',
  'emmet',
  'extension-editing',
  'tunnel-forwarding',
  'merge-conflict',
  'debug-auto-launch',
].map((name) => `vscode.${name}`);

const COPILOT = 'GitHub.copilot-chat';

/** One window as a person has it, with the scripted model beside. */
export interface PersonEditor {
  page: Page;
  context: BrowserContext;
  workbench: Workbench;
  host: HostControl;
  /** The open folder, for looking at files from outside. */
  folder: string;
  server: EditorServer;
  /** In milliseconds since 1970. */
  openedAt: number;
  consoleText(): string;
  /** Sets user settings of the open window, beside those that it has. */
  setSettings(settings: Record<string, unknown>): Promise<void>;
  /** Loads the window anew, as a person does with Reload Window; `host` is another one afterwards. */
  reload(): Promise<void>;
  /** Waits until the browser holds this text in the editor's storage, which is written a few seconds after a change. */
  stored(text: string): Promise<void>;
  /** Ends the server, starts it again and loads the window anew; `host` is another one afterwards. */
  restart(): Promise<void>;
  /** A second window on the same folder and for the same user, without the driver. It closes with the first. */
  openBeside(): Promise<Workbench>;
  /** The context keys of this name's start as the editor's `when` clauses read them. */
  contextKeys(prefix: string): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export interface PersonRuntime {
  session: EditorSession;
  vsix: string[];
  /** What the files of this job share, once the first has opened it. */
  window: { editor?: PersonEditor; withoutChat?: boolean } | undefined;
}

const KEY = Symbol.for('agent-capabilities.person-runtime');

/** Suites are bundled apart from the runner, so the runner hands its session over through the process. */
export function publishRuntime(runtime: PersonRuntime): void {
  (globalThis as Record<symbol, unknown>)[KEY] = runtime;
}

function runtime(): PersonRuntime {
  const found = (globalThis as Record<symbol, unknown>)[KEY] as PersonRuntime | undefined;
  if (!found) throw new Error('no editor session: run person suites through the editor harness');
  return found;
}

/** Runs in the page: looks through the databases in which the browser editor keeps its storage. */
const storageHolds = `async (text) => {
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db')) continue;
    const database = await done(indexedDB.open(name));
    try {
      const values = await done(database.transaction('ItemTable', 'readonly').objectStore('ItemTable').getAll());
      if (values.some((value) => String(value).includes(text))) return true;
    } finally {
      database.close();
    }
  }
  return false;
}`;

/** Opens a window on a fresh copy of a workspace, in a browser profile of its own. */
export async function openEditor(options: PersonOptions = {}): Promise<PersonEditor> {
  const { session, vsix } = runtime();
  const server = await session.server({
    vsix: [
      ...vsix,
      ...(options.vsix ?? []),
      ...(options.asInstalled ? [await packageDriver()] : []),
      ...(options.fixtureExtension ? [await packageFixture()] : []),
    ],
    ...(options.workspaceTrust ? { workspaceTrust: true } : {}),
    ...(options.userFiles ? { userFiles: options.userFiles } : {}),
  });
  await server.setUserSettings(options.settings ?? {});
  const folder = await session.runFolder(server, options.folderName ?? 'workspace');
  await cp(fixtureFolder(options.workspace ?? 'default'), folder, { recursive: true });
  const plan: Plan = { root: projectRoot(), controlFile: join(folder, '..', 'control.json') };
  const development = options.asInstalled
    ? {}
    : { developmentPath: await prepareDriver(join(folder, '..', 'driver'), plan) };
  if (options.asInstalled) await writeFile(join(server.folder, PLAN_FILE), JSON.stringify(plan));
  await rm(plan.controlFile, { force: true });
  const openedAt = Date.now();
  const opened = await session.open(server, {
    folder,
    ...development,
    disabled: [...NOT_LOOKED_AT, ...(options.withoutChat ? [COPILOT] : [])],
    ...(options.viewport ? { viewport: options.viewport } : {}),
    ...(options.answersRequests ? { answersRequests: true } : {}),
    prepare: async (page) => {
      if (options.script !== undefined) await page.addInitScript(options.script);
    },
  });
  try {
    const workbench = new Workbench(opened.page);
    await workbench.ready();
    const host = await HostControl.connect(plan.controlFile);
    const load = async (prepare: () => Promise<unknown>): Promise<void> => {
      await rm(plan.controlFile, { force: true });
      await prepare();
      await workbench.ready();
      editor.host = await HostControl.connect(plan.controlFile);
    };
    const editor: PersonEditor = {
      ...opened,
      workbench,
      host,
      folder,
      server,
      openedAt,
      setSettings: (settings) =>
        editor.host.evaluate(async (vscode, values) => {
          for (const [key, value] of Object.entries(values))
            await vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global);
        }, settings),
      reload: () => load(() => opened.page.reload()),
      stored: (text) =>
        until(
          async () =>
            assert.ok(
              await opened.page.evaluate(`(${storageHolds})(${JSON.stringify(text)})`),
              `\`${text}\` is not stored yet`,
            ),
          30_000,
        ),
      restart: () =>
        load(async () => {
          // What a browser does when its window closes; a page that outlives its server would ask whether to reconnect.
          await opened.page.goto('about:blank');
          await server.restart();
          await opened.page.goto(opened.url);
        }),
      openBeside: async () => {
        const beside = new Workbench(await session.openBeside(opened.context, server, { folder }));
        await beside.ready();
        return beside;
      },
      contextKeys: async (prefix) => {
        const { width, height } = opened.page.viewportSize() ?? { width: 1280, height: 800 };
        const [message] = await Promise.all([
          opened.page.waitForEvent('console', {
            predicate: (one) => one.type() === 'log' && one.args().length === 1,
            timeout: 15_000,
          }),
          // The editor answers for the place that is clicked: the middle, where nothing is that a click would change.
          editor.host
            .execute('workbench.action.inspectContextKeys')
            .then(() => opened.page.mouse.click(width / 2, height / 2)),
        ]);
        const values = await message
          .args()[0]
          ?.evaluate((all: object, start) => Object.entries(all).filter(([key]) => key.startsWith(start)), prefix);
        return Object.fromEntries(values ?? []);
      },
    };
    return editor;
  } catch (error) {
    const folder = failureFolder('person', 'open');
    await keepFailure(folder, { ...opened, server, openedAt });
    await opened.close();
    throw new Error(`the window did not open: ${String(error)}\n${whereFailureStands(folder)}`, { cause: error });
  }
}

/** The window that another file of the job has left, as if it were new, or a new one. */
async function takeEditor(options: PersonOptions): Promise<PersonEditor> {
  const { window } = runtime();
  const { workspace, viewport = { width: 1280, height: 800 }, settings = {}, withoutChat = false, ...others } = options;
  if (window && Object.keys(others).length > 0)
    throw new Error(`what is shared is a plain window, without ${Object.keys(others).join()}`);
  const left = window?.editor;
  if (!left) {
    const opened = await openEditor(options);
    if (window) window.withoutChat = withoutChat;
    return opened;
  }
  if (window.withoutChat !== withoutChat) throw new Error('all files that share a window have the chat, or none has');
  delete window.editor;
  try {
    await left.page.setViewportSize(viewport);
    await tidy(left, workspace);
    await setAllSettings(left, settings);
  } catch (error) {
    await left.close();
    throw error;
  }
  return left;
}

/** Brings the user settings of an open window to what a new window with these would begin with. */
async function setAllSettings({ host, server }: PersonEditor, settings: Record<string, unknown>): Promise<void> {
  const [now, wanted] = [await server.userSettings(), { ...server.baseSettings, ...settings }];
  const changed = [...new Set([...Object.keys(now), ...Object.keys(wanted)])].filter(
    (key) => !isDeepStrictEqual(now[key], wanted[key]),
  );
  await host.evaluate(
    async (vscode, [keys, values]) => {
      for (const key of keys)
        await vscode.workspace.getConfiguration().update(key, values[key], vscode.ConfigurationTarget.Global);
    },
    [changed, wanted] as const,
  );
}

/** Leaves nothing open and the folder as the workspace is; what is remembered elsewhere is each test's to undo. */
async function tidy({ page, host, folder }: PersonEditor, workspace = 'default'): Promise<void> {
  await page.keyboard.press('Escape');
  for (const command of [
    'workbench.action.revertAndCloseActiveEditor',
    'workbench.action.closeAllEditors',
    'workbench.action.closePanel',
    'workbench.action.closeAuxiliaryBar',
    'workbench.view.explorer',
    'notifications.clearAll',
  ])
    await host.execute(command);
  // What the extension writes meanwhile, its agents' files for one, comes into a folder that is being emptied.
  for (const name of await readdir(folder))
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  await cp(fixtureFolder(workspace), folder, { recursive: true });
}

/**
 * One window for a `describe`: opened before its tests and closed after them, or left to the next file that shares it.
 * A failing test leaves what `keepFailure` says, and its window to nobody. The object fills when the window is there,
 * so use its members inside tests only.
 */
export function useEditor(options: PersonOptions = {}): PersonEditor {
  const holder: { editor?: PersonEditor } = {};
  before(async function () {
    this.timeout(120_000);
    holder.editor = await takeEditor(options);
  });
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    if (holder.editor) await keepFailure(failureFolder('person', this.currentTest.fullTitle()), holder.editor);
  });
  after(async function () {
    const { window } = runtime();
    if (window && holder.editor && isDone(this.test?.parent)) window.editor = holder.editor;
    else await holder.editor?.close();
    delete holder.editor;
  });
  return new Proxy({} as PersonEditor, {
    get: (_target, key) => {
      if (!holder.editor) throw new Error('the editor is open during tests only');
      return holder.editor[key as keyof PersonEditor];
    },
  });
}

/** False where a test failed, or was not run for a hook before it failed. */
const isDone = (suite: Suite | undefined): boolean =>
  suite !== undefined &&
  suite.tests.every((test) => test.state === 'passed' || test.isPending()) &&
  suite.suites.every(isDone);
