import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { RUN_FOLDER_VARIABLE } from './driver/plan';
import type { InstalledEditor } from './install';
import { installOnce } from './installedExtensions';
import { projectRoot } from './root';
import { endGroup, onShutdown, runProgram } from './processes';

export interface ServerOptions {
  /** Packaged extensions, installed before the server starts: the artefact is what is tested. */
  vsix: string[];
  /** User settings, on top of those every test run has. */
  settings?: Record<string, unknown>;
  /** More files for the `User` folder, such as chatLanguageModels.json. */
  userFiles?: Record<string, string>;
  /** Keeps Workspace Trust on, for what tests trust itself; otherwise every folder is trusted. */
  workspaceTrust?: boolean;
  /** 0 (the default) takes any free port. */
  port?: number;
  /** Off for people: it is what makes the test payload of a URL count. */
  testDriver?: boolean;
  /** More environment for the server and so for the extension hosts. */
  env?: Record<string, string>;
}

export interface EditorServer {
  port: number;
  url: string;
  /** Holds everything of this run; it goes when the server stops. */
  folder: string;
  /** The settings of a user who has set none. */
  baseSettings: Record<string, unknown>;
  /** For windows that are opened from now on: what the file held before is gone. */
  setUserSettings(settings: Record<string, unknown>): Promise<void>;
  /** As they stand in the file now. */
  userSettings(): Promise<Record<string, unknown>>;
  log(): string;
  /** Ends the server and starts it again with the same folders and on the same port, as a machine that was rebooted. */
  restart(): Promise<void>;
  /** Resolves when the server process has gone, for whatever reason. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/**
 * No network, no first-run pages, nothing that moves without being asked, and side requests of the chat (titles) go to
 * the scripted model.
 */
export const BASE_SETTINGS: Record<string, unknown> = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  // As it writes this one itself: of another form it writes its settings anew at each start.
  'extensions.autoUpdate': 'off',
  'extensions.ignoreRecommendations': true,
  'workbench.enableExperiments': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
  'git.openRepositoryInParentFolders': 'never',
  // The search for ports of the machine would tell in a window of what another test has started, and every two seconds
  // list what each process has open; the second setting ends the search itself.
  'remote.autoForwardPorts': false,
  'remote.autoForwardPortsSource': 'output',
  'chat.byokUtilityModelDefault': 'mainAgent',
  // Its own test has it; elsewhere it would lie over what is clicked.
  'agentCapabilities.customAgent.notice': false,
};

/** The chat is there when a test opens it: until then it would draw itself anew at every change of a tool. */
const CHAT_WHEN_OPENED = { 'workbench.secondarySideBar.defaultVisibility': 'hidden' };

/** Each run begins with an empty one: what it holds is named by the folders of its servers. */
export const compiledFolder = (): string => join(projectRoot(), '.build', 'editor-compiled');

/** A terminal inside an editor exports variables that would send our server's questions to that other editor. */
function cleanEnvironment(folder: string, extra: Record<string, string>): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [key, value] of Object.entries(process.env)) {
    if (!/^(VSCODE_|CODE_SERVER_|ELECTRON_|npm_|NODE_OPTIONS$|PASSWORD$|HASHED_PASSWORD$|PORT$)/.test(key))
      env[key] = value;
  }
  const home = join(folder, 'home');
  return {
    ...env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_RUNTIME_DIR: join(folder, 'runtime'),
    AGENT_CAPABILITIES_PRIVATE_FOLDER: join(home, '.agent-capabilities'),
    [RUN_FOLDER_VARIABLE]: folder,
    // The server's and the extension hosts' own programs, compiled once for all windows of a run.
    NODE_COMPILE_CACHE: compiledFolder(),
    ...extra,
  };
}

function waitUntilListening(child: ChildProcess, output: () => string): Promise<number> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`code-server did not start within 60 s:\n${output()}`)), 60_000);
    const check = (): void => {
      const found = /HTTP server listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(output());
      if (!found) return;
      clearTimeout(timer);
      done(Number(found[1]));
    };
    child.stdout?.on('data', check);
    child.once('error', fail);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(new Error(`code-server ended with ${code} before it listened:\n${output()}`));
    });
  });
}

/** Starts code-server with nothing of the machine's user and nothing of an earlier run. */
export async function startServer(editor: InstalledEditor, options: ServerOptions): Promise<EditorServer> {
  // The system's folder for temporary files keeps paths short: sockets inside allow about a hundred characters.
  const folder = await mkdtemp(join(tmpdir(), 'agent-cap-'));
  const user = join(folder, 'user');
  const userSettings = join(user, 'User');
  const extensions = join(folder, 'extensions');
  for (const path of [userSettings, extensions, join(folder, 'home')]) await mkdir(path, { recursive: true });
  await mkdir(join(folder, 'runtime'), { mode: 0o700 });
  const isOfTests = options.testDriver ?? true;
  const base = { ...BASE_SETTINGS, ...(isOfTests ? CHAT_WHEN_OPENED : {}) };
  const settingsFile = join(userSettings, 'settings.json');
  // Where a window writes those of the user that hold for one machine.
  const machineSettings = join(user, 'Machine', 'settings.json');
  const setUserSettings = async (settings: Record<string, unknown>): Promise<void> => {
    await rm(machineSettings, { force: true });
    await writeFile(settingsFile, JSON.stringify({ ...base, ...settings }, undefined, 2) + '\n');
  };
  await setUserSettings(options.settings ?? {});
  for (const [name, content] of Object.entries(options.userFiles ?? {})) {
    await mkdir(dirname(join(userSettings, name)), { recursive: true });
    await writeFile(join(userSettings, name), content);
  }

  const env = cleanEnvironment(folder, options.env ?? {});
  const places = ['--user-data-dir', user, '--extensions-dir', extensions];
  let output = '';
  let child: ChildProcess | undefined;
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= (async () => {
      if (child) await endGroup(child);
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    })();
    return stopped;
  };
  const forget = onShutdown(stop);
  try {
    if (options.vsix.length > 0)
      await installOnce(options.vsix, extensions, async () => {
        const install = options.vsix.flatMap((vsix) => ['--install-extension', vsix]);
        const told = await runProgram(editor.node, [editor.entry, ...places, ...install, '--force'], { env });
        const installed = told.match(/was successfully installed/g)?.length ?? 0;
        if (installed !== options.vsix.length) throw new Error(`not every VSIX was installed:\n${told}`);
      });
    const switches = [
      '--auth',
      'none',
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-getting-started-override',
      // Browser and server are on one machine: to compress what they say to each other costs both more than it spares.
      '--vscode-option',
      'disable-websocket-compression',
    ];
    // With trust on, a folder opens restricted; the modal at start comes only with the setting
    // security.workspace.trust.startupPrompt.
    if (!options.workspaceTrust) switches.push('--disable-workspace-trust');
    if (isOfTests) switches.push('--vscode-option', 'enable-smoke-test-driver');
    const launch = async (wantedPort: number): Promise<number> => {
      output = '';
      const bind = ['--bind-addr', `127.0.0.1:${wantedPort}`];
      child = spawn(editor.node, [editor.entry, ...bind, ...places, ...switches], {
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (data: Buffer) => (output += data.toString()));
      return waitUntilListening(child, () => output);
    };
    const port = await launch(options.port ?? 0);
    const started = child;
    const ended = new Promise<void>((done) => started?.once('exit', () => done()));
    return {
      port,
      url: `http://127.0.0.1:${port}`,
      folder,
      baseSettings: base,
      setUserSettings,
      userSettings: async () => ({
        ...JSON.parse(await readFile(machineSettings, 'utf8').catch(() => '{}')),
        ...JSON.parse(await readFile(settingsFile, 'utf8')),
      }),
      log: () => output,
      ended,
      restart: async () => {
        if (child) await endGroup(child);
        await launch(port);
      },
      stop: async () => {
        forget();
        await stop();
      },
    };
  } catch (error) {
    forget();
    await stop();
    throw error;
  }
}
