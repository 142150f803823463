import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { EditorPage } from './session';
import type { EditorServer } from './server';
import { projectRoot } from './root';

/** The end of each file is kept: what happened just before. */
const KEPT_LINES = 300;

/** Where what a failed test leaves behind stands; `title` is its whole title. */
export function failureFolder(kind: string, title: string): string {
  const name = `${kind}-${title.replaceAll(/\W+/g, '-').slice(0, 100)}`;
  return join(projectRoot(), '.build', 'failures', name);
}

/** A window as far as its failure is told. */
export interface FailedWindow extends Pick<EditorPage, 'page' | 'consoleText'> {
  server: Pick<EditorServer, 'folder' | 'log'>;
  /** When it was opened, in milliseconds since 1970: what is older is of other windows. */
  openedAt: number;
}

/**
 * Keeps what tells why a test failed: the picture of its window (`window.png`), what the window, its extension host and
 * the server logged (`window.log`), and the calls that the gate wrote into the audit (`calls.jsonl`). Nothing fails
 * here: what cannot be had is left out.
 */
export async function keepFailure(
  folder: string,
  { page, consoleText, server, openedAt }: FailedWindow,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const below = join(server.folder, 'user');
  const [logs, audits] = await Promise.all([
    changedSince(openedAt, join(below, 'logs'), '.log'),
    changedSince(openedAt, join(below, 'User', 'globalStorage'), '.jsonl'),
    page.screenshot({ path: join(folder, 'window.png'), timeout: 10_000 }).catch(() => undefined),
  ]);
  const parts = await Promise.all(logs.map(async (file) => `== ${relative(below, file)}\n${await lastLines(file)}`));
  const said = [`== console of the window\n${consoleText()}`, ...parts, `== server\n${server.log().slice(-20_000)}`];
  await writeFile(join(folder, 'window.log'), `${said.join('\n\n')}\n`).catch(() => undefined);
  const calls = await Promise.all(audits.map(lastLines));
  await writeFile(join(folder, 'calls.jsonl'), calls.join('')).catch(() => undefined);
}

async function changedSince(time: number, folder: string, suffix: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const found: string[] = [];
  for (const name of names) {
    if (!name.endsWith(suffix)) continue;
    const file = join(folder, name);
    const changed = await stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    if (changed >= time) found.push(file);
  }
  return found.sort();
}

async function lastLines(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return `${text.trimEnd().split('\n').slice(-KEPT_LINES).join('\n')}\n`;
}

/** What the output says of it, where something was left. */
export function whereFailureStands(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  return `see ${relative(projectRoot(), folder)}: ${readdirSync(folder).sort().join(', ')}`;
}
