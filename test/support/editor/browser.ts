import { chromium, type BrowserContext } from 'playwright-core';
import type { Chromium } from './chromium';
import { onShutdown } from './processes';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A window lives for a minute: the last tier of compilation costs a tenth of its processor time and gives nothing.
  '--js-flags=--no-turbofan',
  // What is compiled while it is fetched is never taken from the cache of compiled code: that spares a second a window.
  '--disable-features=ScriptStreaming',
];

export interface TestProfile {
  context: BrowserContext;
  /** Closes its pages and lets the next window have it, so that the editor is not fetched and compiled again. */
  release(): Promise<void>;
}

export interface TestBrowser {
  /**
   * A browser profile that holds nothing but that Copilot Chat is enabled for the server at `url`, and which of the
   * built-in extensions are disabled.
   */
  newProfile(url: string, disabled: readonly string[]): Promise<TestProfile>;
  close(): Promise<void>;
}

const DISABLED = 'extensionsIdentifiers/disabled';

/**
 * The workbench of a fresh profile disables the built-in Copilot Chat until its set-up was done, and notes that
 * in its IndexedDB. This waits until it has noted it (earlier it would write over us) and takes it back.
 */
const ENABLE_COPILOT_CHAT = `new Promise((done, fail) => {
  const open = indexedDB.open('vscode-web-state-db-global');
  open.onerror = () => fail(open.error);
  open.onsuccess = () => {
    const store = (mode) => open.result.transaction('ItemTable', mode).objectStore('ItemTable');
    const deadline = Date.now() + 15000;
    const look = () => {
      const read = store('readonly').get('extensionsIdentifiers/disabled');
      read.onerror = () => fail(read.error);
      read.onsuccess = () => {
        if (read.result === undefined && Date.now() < deadline) return setTimeout(look, 50);
        const write = store('readwrite').put('[]', 'extensionsIdentifiers/disabled');
        write.onerror = () => fail(write.error);
        write.onsuccess = () => { open.result.close(); done(read.result); };
      };
    };
    look();
  };
})`;

/** What the workbench keeps for all windows, by key. */
type Stored = readonly (readonly [key: string, value: string])[];

const STORED = `new Promise((done, fail) => {
  const open = indexedDB.open('vscode-web-state-db-global');
  open.onerror = () => fail(open.error);
  open.onsuccess = () => {
    const store = open.result.transaction('ItemTable').objectStore('ItemTable');
    const [keys, values] = [store.getAllKeys(), store.getAll()];
    values.onerror = () => fail(values.error);
    values.onsuccess = () => { open.result.close(); done(keys.result.map((key, at) => [key, values.result[at]])); };
  };
})`;

/**
 * Leaves nothing that a window has stored, and puts in what each begins with. The browser's own way to set a profile
 * back forgets what was fetched too.
 */
const BEGIN_WITH = `async (stored) => {
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  localStorage.clear();
  for (const { name } of await indexedDB.databases()) await done(indexedDB.deleteDatabase(name));
  const open = indexedDB.open('vscode-web-state-db-global', 1);
  open.onupgradeneeded = () => open.result.createObjectStore('ItemTable');
  const database = await done(open);
  const writing = database.transaction('ItemTable', 'readwrite');
  for (const [key, value] of stored) writing.objectStore('ItemTable').put(value, key);
  await new Promise((resolve) => { writing.oncomplete = resolve; });
  database.close();
}`;

/** What the workbench has stored after it was loaded once and Copilot Chat enabled; every window starts with a copy. */
async function storedWithCopilotChat(context: BrowserContext, url: string): Promise<Stored> {
  const page = await context.newPage();
  await page.goto(`${url}/?ew=true`);
  await page.waitForSelector('.monaco-workbench .part.statusbar', { timeout: 60_000 });
  await page.evaluate(ENABLE_COPILOT_CHAT);
  // A page of the same origin without the workbench, which would write again.
  await page.goto(`${url}/healthz`);
  const stored = await page.evaluate<Stored>(STORED);
  await page.close();
  return stored;
}

/**
 * One profile on the disk for all windows, one after the other: only such a one keeps what was fetched compiled. What
 * a window stored goes before the next.
 */
export async function launchBrowser(installed: Chromium): Promise<TestBrowser> {
  const context = await chromium.launchPersistentContext('', {
    executablePath: installed.executable,
    args: FLAGS,
    env: { ...process.env, ...installed.env } as Record<string, string>,
    // Signals are ours: the browser has to end before the server does.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  // The browser ends with its last page.
  const [blank] = context.pages();
  let first: Promise<Stored> | undefined;
  const setBack = async (url: string, disabled: readonly string[]): Promise<void> => {
    // What the first server's window stored says nothing of that server, so it serves for all.
    first ??= storedWithCopilotChat(context, url);
    const stored = new Map(await first);
    if (!stored.has(DISABLED)) throw new Error('the profile has no list of disabled extensions');
    stored.set(DISABLED, JSON.stringify(disabled.map((id) => ({ id }))));
    await context.clearCookies();
    const page = await context.newPage();
    await page.goto(`${url}/healthz`);
    await page.evaluate(`(${BEGIN_WITH})(${JSON.stringify([...stored])})`);
    await page.close();
  };
  let isTaken = false;
  const close = (): Promise<void> => context.close();
  const forget = onShutdown(close);
  return {
    newProfile: async (url, disabled) => {
      if (isTaken) throw new Error('the browser has one profile: close the window before, or open one beside it');
      isTaken = true;
      await setBack(url, disabled);
      return {
        context,
        release: async () => {
          await Promise.all(context.pages().map((page) => (page === blank ? undefined : page.close())));
          isTaken = false;
        },
      };
    },
    close: async () => {
      forget();
      await close();
    },
  };
}
