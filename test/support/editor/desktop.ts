import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDir, type Log } from './cache';
import { runProgram } from './processes';
import { BASE_SETTINGS } from './server';
import { DESKTOP_VERSION } from './versions';

export type EditorChoice = 'desktop' | 'code-server';

async function updateServerAnswers(): Promise<boolean> {
  try {
    const url = `https://update.code.visualstudio.com/api/releases/stable`;
    const response = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(3_000) });
    return response.ok;
  } catch {
    return false;
  }
}

/**
 * Desktop VS Code where it can be had, otherwise the browser editor; the environment decides where it says something.
 */
export async function chooseEditor(log: Log): Promise<EditorChoice> {
  const wanted = process.env['AGENT_CAPABILITIES_EDITOR'];
  if (wanted !== undefined && wanted !== 'desktop' && wanted !== 'code-server') {
    throw new Error(`AGENT_CAPABILITIES_EDITOR is "${wanted}"; it must be "desktop" or "code-server"`);
  }
  const display =
    process.platform !== 'linux' ||
    process.env['DISPLAY'] !== undefined ||
    process.env['WAYLAND_DISPLAY'] !== undefined;
  if (wanted === 'desktop') log(`editor: desktop VS Code ${DESKTOP_VERSION} (AGENT_CAPABILITIES_EDITOR)`);
  else if (wanted === 'code-server') log('editor: code-server (AGENT_CAPABILITIES_EDITOR)');
  else if (!display) log('editor: code-server (there is no display for desktop VS Code)');
  else if (await updateServerAnswers()) {
    log(`editor: desktop VS Code ${DESKTOP_VERSION} through @vscode/test-electron`);
    return 'desktop';
  } else log('editor: code-server (the server that desktop VS Code is downloaded from cannot be reached)');
  return wanted ?? 'code-server';
}

export interface DesktopWindow {
  workspace: string;
  developmentPath: string;
  testsPath: string;
  settings: Record<string, unknown>;
  finished: () => void;
}

/** One run of desktop VS Code with the packaged extensions and a fresh profile. */
export async function runDesktop(vsix: string[], prepare: (folder: string) => Promise<DesktopWindow>): Promise<void> {
  const electron = await import('@vscode/test-electron');
  const executable = await electron.downloadAndUnzipVSCode({
    version: DESKTOP_VERSION,
    cachePath: join(cacheDir(), 'desktop'),
  });
  const folder = await mkdtemp(join(tmpdir(), 'agent-cap-'));
  const window = await prepare(folder);
  try {
    const places = [`--user-data-dir=${join(folder, 'user')}`, `--extensions-dir=${join(folder, 'extensions')}`];
    await mkdir(join(folder, 'user', 'User'), { recursive: true });
    await writeFile(
      join(folder, 'user', 'User', 'settings.json'),
      JSON.stringify({ ...BASE_SETTINGS, ...window.settings }),
    );
    const [cli, ...cliArgs] = electron.resolveCliArgsFromVSCodeExecutablePath(executable);
    for (const file of vsix) {
      if (cli)
        await runProgram(cli, [
          ...cliArgs.filter((arg) => !/^--(user-data|extensions)-dir/.test(arg)),
          ...places,
          '--install-extension',
          file,
          '--force',
        ]);
    }
    await electron
      .runTests({
        vscodeExecutablePath: executable,
        extensionDevelopmentPath: window.developmentPath,
        extensionTestsPath: window.testsPath,
        extensionTestsEnv: { AGENT_CAPABILITIES_PRIVATE_FOLDER: join(folder, 'private') },
        launchArgs: [
          window.workspace,
          ...places,
          '--disable-workspace-trust',
          '--skip-welcome',
          '--skip-release-notes',
        ],
      })
      // A failing test is told by its events; a code other than 0 without them is caught by the missing end.
      .catch((error: unknown) => console.error(`desktop VS Code: ${String(error)}`));
  } finally {
    window.finished();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
