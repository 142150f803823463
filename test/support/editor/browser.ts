import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import { installOnce } from './cache';
import type { Chromium } from './chromium';
import { onShutdown } from './processes';
import { hearNoTraffic } from './quietPage';
import { endServiceWorkers } from './serviceWorkers';
import { CODE_SERVER_VERSION } from './versions';

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
];

export interface TestProfile {
  context: BrowserContext;
  /** Closes its pages and lets the next window have it. */
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
const PROFILE_FILE = 'profile.json';

type ProfileState = Awaited<ReturnType<BrowserContext['storageState']>>;

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

/** What a profile holds after the workbench was loaded once and Copilot Chat enabled. */
async function madeProfile(browser: Browser, url: string): Promise<ProfileState> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    hearNoTraffic(page);
    await page.goto(`${url}/?ew=true`);
    await page.waitForSelector('.monaco-workbench .part.statusbar', { timeout: 60_000 });
    await page.evaluate(ENABLE_COPILOT_CHAT);
    await page.goto('about:blank');
    return await context.storageState({ indexedDB: true });
  } finally {
    await context.close();
  }
}

/**
 * What every profile starts with. It says nothing of the server whose window stored it, so it serves for all, and lies
 * in the cache.
 */
async function profileWithCopilotChat(browser: Browser, url: string): Promise<ProfileState> {
  const way = createHash('sha256').update(ENABLE_COPILOT_CHAT).digest('hex').slice(0, 8);
  const folder = await installOnce(
    `profile-code-server-${CODE_SERVER_VERSION}-${way}`,
    () => undefined,
    async (partial) => writeFile(join(partial, PROFILE_FILE), JSON.stringify(await madeProfile(browser, url)), 'utf8'),
  );
  return JSON.parse(await readFile(join(folder, PROFILE_FILE), 'utf8')) as ProfileState;
}

interface StoredRecord {
  key?: unknown;
  value: unknown;
}

/** Playwright gives the databases of an origin but does not say so in its types. */
function recordsOf(origins: ProfileState['origins']): StoredRecord[] {
  const all = origins as unknown as { indexedDB?: { stores: { records: StoredRecord[] }[] }[] }[];
  return all.flatMap(({ indexedDB }) => indexedDB ?? []).flatMap(({ stores }) => stores.flatMap((one) => one.records));
}

export async function launchBrowser(installed: Chromium): Promise<TestBrowser> {
  const browser: Browser = await chromium.launch({
    executablePath: installed.executable,
    args: FLAGS,
    env: { ...process.env, ...installed.env } as Record<string, string>,
    // Signals are ours: the browser has to end before the server does.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  let first: Promise<ProfileState> | undefined;
  const stateFor = async (url: string, disabled: readonly string[]): Promise<ProfileState> => {
    first ??= profileWithCopilotChat(browser, url);
    const { cookies, origins } = structuredClone(await first);
    for (const origin of origins) origin.origin = new URL(url).origin;
    const note = recordsOf(origins).find(({ key }) => key === DISABLED);
    if (!note) throw new Error('the profile has no list of disabled extensions');
    note.value = JSON.stringify(disabled.map((id) => ({ id })));
    return { cookies, origins };
  };
  const free = new Map<string, BrowserContext[]>();
  const close = (): Promise<void> => browser.close();
  const forget = onShutdown(close);
  return {
    newProfile: async (url, disabled) => {
      const storageState = await stateFor(url, disabled);
      const unused = free.get(url) ?? [];
      free.set(url, unused);
      const known = unused.pop();
      // Whatever the window before has stored goes.
      await known?.setStorageState(storageState);
      const context =
        known ??
        (await browser.newContext({
          viewport: { width: 1280, height: 800 },
          storageState,
          locale: 'en-US',
          reducedMotion: 'reduce',
          permissions: ['clipboard-read', 'clipboard-write'],
          // The server would compress the 25 MB of the workbench for each new window, a second of processor time.
          extraHTTPHeaders: { 'Accept-Encoding': 'identity' },
        }));
      return {
        context,
        release: async () => {
          await endServiceWorkers(context, url);
          await Promise.all(context.pages().map((page) => page.close()));
          unused.push(context);
        },
      };
    },
    close: async () => {
      forget();
      await close();
    },
  };
}
