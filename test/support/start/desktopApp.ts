import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { onShutdown, runProgram } from '../editor/processes';

/** Desktop VS Code of this machine: named by $VSCODE_PATH or found on PATH, and only where there is a display. */
export function findDesktopApp(): string | undefined {
  const named = process.env['VSCODE_PATH'];
  const hasDisplay =
    process.platform !== 'linux' ||
    process.env['DISPLAY'] !== undefined ||
    process.env['WAYLAND_DISPLAY'] !== undefined;
  if (!hasDisplay) return undefined;
  if (named) {
    if (!existsSync(named)) throw new Error(`VSCODE_PATH is ${named}, which does not exist`);
    return named;
  }
  const file = process.platform === 'win32' ? 'code.cmd' : 'code';
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, file))
    .find((path) => existsSync(path));
}

/** Opens the desktop editor with a profile of its own and waits until its window is closed. */
export async function runDesktopApp(
  app: string,
  places: { folder: string; workspace: string; vsix: readonly string[]; userFiles: Readonly<Record<string, string>> },
  settings: Record<string, unknown>,
): Promise<void> {
  const { folder, workspace, vsix, userFiles } = places;
  const user = join(folder, 'user');
  await rm(user, { recursive: true, force: true });
  await mkdir(join(user, 'User'), { recursive: true });
  await writeFile(join(user, 'User', 'settings.json'), JSON.stringify(settings, undefined, 2) + '\n');
  for (const [name, content] of Object.entries(userFiles)) await writeFile(join(user, 'User', name), content);
  const own = ['--user-data-dir', user, '--extensions-dir', join(folder, 'extensions')];
  // A terminal inside an editor would otherwise hand our window to that editor.
  const inherited = Object.entries(process.env).filter(([key]) => !/^(VSCODE_IPC|VSCODE_PID|ELECTRON_RUN)/.test(key));
  const env = { ...Object.fromEntries(inherited), AGENT_CAPABILITIES_PRIVATE_FOLDER: join(folder, 'private') };
  const shell = process.platform === 'win32';
  await runProgram(app, [...own, ...vsix.flatMap((one) => ['--install-extension', one]), '--force'], { env, shell });
  const child = spawn(app, [...own, '--new-window', '--wait', workspace], { env, shell, stdio: 'inherit' });
  onShutdown(() => void child.kill());
  await new Promise<void>((done, fail) => {
    child.on('error', fail);
    child.on('exit', () => done());
  });
}
