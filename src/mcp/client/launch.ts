import { constants, existsSync } from 'node:fs';
import { access, open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { fillPlaces, likelyTexts } from '../../core/foreign/fillIn';
import type { McpServerSpec } from '../../core/foreign/serverSpec';
import { runnableFiles } from '../../core/policy/rules/runnableFiles';
import type { Crypto } from '../../core/ports/platform';
import type { BoundFile, EntryView } from '../../core/foreign/serverUser';
import type { McpClientPorts } from './clientPorts';
import { serverFolder } from './serverFolder';
import { findOnWindowsPath, windowsNames } from './windowsCommand';

/** What a server's entry starts on this machine, as far as it can be known before. */
export type Launch = Omit<EntryView, 'spec'>;

/** An entry whose arguments may name more files than this is not started. */
const mostCandidates = 20_000;

type LaunchPorts = Pick<McpClientPorts, 'files' | 'trusted' | 'environment' | 'crypto'>;

/**
 * Finds what a server of the workspace would start, by the rules of the system that starts it, and hashes what of it
 * the workspace holds.
 */
export async function launchOf(ports: LaunchPorts, { transport }: McpServerSpec): Promise<Launch> {
  if (transport.type !== 'stdio') return { files: [] };
  const folders = ports.files.folders().flatMap((one) => (one.scheme === 'file' ? [one.path] : []));
  const fill = { workspaceFolder: folders[0], environment: ports.environment };
  const folder = serverFolder(transport.cwd, ports);
  const command = fillPlaces(transport.command, fill);
  const from = folder ?? '.';
  const program = await findProgram(command, from, ports.environment);
  const { named, found, words } = runnableFiles(
    command,
    transport.args.flatMap((arg) => likelyTexts(arg, fill)),
  );
  const places = await foldersAmong(words, from, folders);
  const above = [...new Set([from, ...places].flatMap((one) => foldersUpTo(one, folders)))];
  const candidates = [
    ...(program === undefined ? [] : [program]),
    ...[from, ...places].flatMap((place) => named.map((name) => path.resolve(place, name))),
    ...above.flatMap((place) => found.map((name) => path.resolve(place, name))),
  ];
  if (candidates.length > mostCandidates) throw new Error('its arguments name more files than can be looked at');
  const files = await boundFiles([...new Set(candidates)], folders, ports.crypto);
  return { ...(program === undefined ? {} : { program }), ...(folder === undefined ? {} : { folder }), files };
}

/** Of some words, the folders of the workspace that they name: a program may be told to start there. */
async function foldersAmong(
  words: readonly string[],
  from: string,
  folders: readonly string[],
): Promise<readonly string[]> {
  const inside = [...new Set(words.map((word) => path.resolve(from, word)))].filter(
    (place) => place !== from && folders.some((folder) => isBelow(folder, place)),
  );
  const found = await Promise.all(inside.map((place) => stat(place).catch(() => undefined)));
  return inside.filter((_place, index) => found[index]?.isDirectory());
}

/** A folder and those above it, up to the workspace's; outside of the workspace the folder alone. */
function foldersUpTo(place: string, folders: readonly string[]): readonly string[] {
  const top = folders.find((folder) => isBelow(folder, place));
  if (top === undefined || top === place) return [place];
  return [place, ...foldersUpTo(path.dirname(place), folders)];
}

function isBelow(folder: string, place: string): boolean {
  const relative = path.relative(folder, place);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** Another system, and what its disk holds, for tests. */
interface FindOptions {
  readonly platform?: NodeJS.Platform;
  readonly exists?: (file: string) => boolean;
}

/**
 * The file that is started for a command. A name without a folder is looked for as the system does; on Windows in PATH
 * alone, with the endings that it runs, as an entry of the person's own is.
 */
export async function findProgram(
  command: string,
  from: string,
  environment: Readonly<Record<string, string | undefined>>,
  { platform = process.platform, exists = existsSync }: FindOptions = {},
): Promise<string | undefined> {
  const isWindows = platform === 'win32';
  const hasFolder = isWindows ? /[\\/:]/.test(command) : command.includes('/');
  if (isWindows && !hasFolder) return findOnWindowsPath(command, environment, exists);
  const search = (environment['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(path.posix.delimiter);
  // A path that says its ending means that file, such as a script that its first line says how to run.
  const isWhole = !isWindows || path.extname(command) !== '';
  const names = [...(isWhole ? [command] : []), ...(isWindows ? windowsNames(command, environment) : [])];
  for (const folder of hasFolder ? [from] : search.map((one) => one.replace(/^"(.*)"$/, '$1')))
    for (const name of names) {
      const file = path.resolve(from, folder, name);
      if (await isProgram(file, isWindows)) return file;
    }
  return undefined;
}

async function isProgram(file: string, isWindows: boolean): Promise<boolean> {
  try {
    if (!(await stat(file)).isFile()) return false;
    if (!isWindows) await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Of some paths, the regular files that the workspace holds, by the path as it is written or by where its links lead.
 */
async function boundFiles(
  candidates: readonly string[],
  folders: readonly string[],
  crypto: Crypto,
): Promise<readonly BoundFile[]> {
  const roots = await Promise.all(
    folders.map(async (folder) => [folder, await realpath(folder).catch(() => folder)] as const),
  );
  const found: BoundFile[] = [];
  for (const file of candidates) {
    const real = await realpath(file).catch(() => undefined);
    if (real === undefined) continue;
    const name = nameIn(file, real, roots);
    const hash = name === undefined ? undefined : await hashOf(real, crypto);
    if (name !== undefined && hash !== undefined && !found.some((one) => one.path === name))
      found.push({ path: name, hash });
  }
  return found;
}

function nameIn(file: string, real: string, roots: readonly (readonly [string, string])[]): string | undefined {
  for (const [folder, canonical] of roots)
    for (const [root, inside] of [[folder, file] as const, [canonical, real] as const]) {
      const relative = path.relative(root, inside);
      if (relative !== '' && isBelow(root, inside)) return relative.replaceAll(path.sep, '/');
    }
  return undefined;
}

/** Undefined for what is no regular file: a pipe or a device is never read. */
async function hashOf(file: string, crypto: Crypto): Promise<string | undefined> {
  // A pipe that took the file's place would make opening it wait.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (!handle) return undefined;
  try {
    if (!(await handle.stat()).isFile()) return undefined;
    const hash = crypto.sha256Pieces();
    for await (const piece of handle.createReadStream({ autoClose: false })) hash.add(piece as Uint8Array);
    return hash.digest();
  } finally {
    await handle.close();
  }
}
