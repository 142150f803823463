import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { launchBrowser, type TestBrowser } from './browser';
import type { Log } from './cache';
import { prepareChromium } from './chromium';
import { prepareEditor, type InstalledEditor } from './install';
import { WORKSPACE_FILE } from './driver/plan';
import { hearNoTraffic } from './quietPage';
import { leaveOutServiceWorker } from './serviceWorkers';
import { startServer, type EditorServer, type ServerOptions } from './server';
import { keepStill } from './stillPage';

export interface WindowOptions {
  /** The folder to open, or a workspace file, whose name ends in `.code-workspace`. */
  folder: string;
  /** An extension loaded from its folder, beside the installed VSIX files. */
  developmentPath?: string;
  /** A module with `run()`, which makes the window a test run; modals then throw. */
  testsPath?: string;
  viewport?: { width: number; height: number };
  /** Ids of built-in extensions that are not started. */
  disabled?: readonly string[];
  /** Playwright hears what the window and its server say to each other, as who answers requests needs. */
  answersRequests?: boolean;
  /** Runs after the page exists and before it loads anything. */
  prepare?: (page: Page) => Promise<void>;
}

export interface EditorPage {
  page: Page;
  /** The address that the page opened. */
  url: string;
  context: BrowserContext;
  /** What the workbench wrote to the browser's console, for the report of a failure. */
  consoleText(): string;
  close(): Promise<void>;
}

/** The address of a folder with the test payload the workbench reads when the server's test driver is on. */
function windowUrl(server: EditorServer, options: WindowOptions): string {
  const remote = (path: string): string => `vscode-remote://127.0.0.1:${server.port}${path}`;
  const payload: [string, string][] = [['skipWelcome', 'true']];
  if (options.developmentPath) payload.push(['extensionDevelopmentPath', remote(options.developmentPath)]);
  if (options.testsPath) payload.push(['extensionTestsPath', remote(options.testsPath)]);
  const what = options.folder.endsWith(WORKSPACE_FILE) ? 'workspace' : 'folder';
  return `${server.url}/?${what}=${encodeURIComponent(options.folder)}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
}

/** One browser and the servers it looks at; a server is started once for each set of options. */
export class EditorSession {
  private readonly servers = new Map<string, Promise<EditorServer>>();
  private readonly left: Promise<EditorServer>[] = [];
  private windows = 0;
  private readonly editor: InstalledEditor;
  private readonly browser: TestBrowser;

  private constructor(editor: InstalledEditor, browser: TestBrowser) {
    this.editor = editor;
    this.browser = browser;
  }

  static async start(log: Log): Promise<EditorSession> {
    const editor = await prepareEditor(log);
    const chromium = await prepareChromium(log);
    log(`browser: ${chromium.description}`);
    return new EditorSession(editor, await launchBrowser(chromium));
  }

  server(options: ServerOptions): Promise<EditorServer> {
    const key = JSON.stringify(options);
    const known = this.servers.get(key) ?? startServer(this.editor, options);
    this.servers.set(key, known);
    return known;
  }

  /** Whoever asks for a server from now on gets one that nobody has used. */
  leaveServers(): void {
    this.left.push(...this.servers.values());
    this.servers.clear();
  }

  /** A new folder of the server's run, gone when the server stops. */
  async runFolder(server: EditorServer, name: string): Promise<string> {
    this.windows += 1;
    const folder = join(server.folder, `w${this.windows}`, name);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  async open(server: EditorServer, options: WindowOptions): Promise<EditorPage> {
    const { context, release } = await this.browser.newProfile(server.url, options.disabled ?? []);
    const page = await context.newPage();
    if (options.viewport) await page.setViewportSize(options.viewport);
    const lines: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('bindings file'))
        lines.push(message.text().split('\n').slice(0, 2).join(' ').slice(0, 300));
    });
    await keepStill(page);
    await leaveOutServiceWorker(page);
    if (!options.answersRequests) hearNoTraffic(page);
    await options.prepare?.(page);
    const url = windowUrl(server, options);
    await page.goto(url);
    return { page, url, context, consoleText: () => lines.slice(-10).join('\n'), close: release };
  }

  /** Another window on the same folder, in the browser profile of the first. */
  async openBeside(context: BrowserContext, server: EditorServer, options: WindowOptions): Promise<Page> {
    const page = await context.newPage();
    await keepStill(page);
    await leaveOutServiceWorker(page);
    hearNoTraffic(page);
    await page.goto(windowUrl(server, options));
    return page;
  }

  /** The browser first, then the servers: a server that loses its window keeps the window's host alive for a while. */
  async stop(): Promise<void> {
    await this.browser.close();
    for (const server of [...this.left, ...this.servers.values()]) await (await server).stop();
  }
}
