import { namesOfPath } from '../base/slashPath';
import { SaidError, say, type Sentence } from '../base/sentence';
import { errorSaid, isToolError } from '../vocabulary/errors';
import { joinPath, resolvePath } from '../files/paths';
import { readWhole } from '../files/readWhole';
import type { Crypto } from '../ports/platform';
import type { FileSystem } from '../ports/files';
import { runnableFiles } from '../policy/rules/runnableFiles';
import type { BoundFile, BoundFiles, ModuleHandlerSpec, ProcessHandlerSpec } from './handlers/handlerSpec';
import type { DefinitionSpec, ToolSpec } from './spec';
import { accessLabel } from '../ports/accessLabel';
import type { WorkspacePath } from '../ports/workspacePath';

interface BoundFault {
  readonly tool: ToolSpec;
  readonly file: string;
  readonly why: Sentence;
}

const largestModule = 1_000_000;
const largestProgram = 20_000_000;

/**
 * Reads every file that runs as part of a definition: its modules, and what of the workspace its programs are and are
 * started with.
 */
export async function readBoundFiles(
  spec: DefinitionSpec,
  files: FileSystem,
  crypto: Crypto,
): Promise<{ readonly files: BoundFiles; readonly faults: readonly BoundFault[] }> {
  const bound = new Map<string, BoundFile>();
  const faults: BoundFault[] = [];
  for (const tool of spec.tools) {
    const { handler } = tool;
    if (handler.type !== 'module' && handler.type !== 'process') continue;
    try {
      for (const [file, one] of await filesOf(handler, files, crypto)) bound.set(file, one);
    } catch (error) {
      const file = handler.type === 'module' ? handler.file : handler.command;
      faults.push({ tool, file, why: errorSaid(error) });
    }
  }
  return { files: bound, faults };
}

/** The files of the workspace by which a handler runs, as they are now. */
export async function filesOf(
  handler: ModuleHandlerSpec | ProcessHandlerSpec,
  files: FileSystem,
  crypto: Crypto,
): Promise<BoundFiles> {
  if (handler.type === 'process') return processFiles(handler, files, crypto);
  const place = await files.canonical(await resolvePath(files, handler.file));
  const one = await read(place, files, crypto, largestModule);
  if (one.text === undefined) throw new SaidError(say('file_no_utf8'));
  return new Map([[handler.file, one]]);
}

/**
 * The files of the workspace by which a program runs: the program itself where it stands there, and what of its command
 * line names a file there or makes it look for one, because an interpreter runs what it is given. What is not there
 * (yet) is not bound; once it is, the definition is another.
 */
async function processFiles(handler: ProcessHandlerSpec, files: FileSystem, crypto: Crypto): Promise<BoundFiles> {
  const bound = new Map<string, BoundFile>();
  // Where its folder cannot be told, the program cannot be run either.
  const cwd = await resolvePath(files, handler.cwd === '' ? '.' : handler.cwd).catch(() => undefined);
  if (!cwd) return bound;
  const own = /^\.[\\/]/.test(handler.command)
    ? [{ folder: cwd.folder, path: handler.command.slice(2).replaceAll('\\', '/') }]
    : [];
  const absolute = /^(?:\/|[A-Za-z]:[\\/])/.test(handler.command) ? await inWorkspace(handler.command, files) : [];
  const literal = handler.args
    .map((argument) => argument.replace(/\$\{[^}]*\}/g, ''))
    .filter((argument) => argument !== '');
  const named: WorkspacePath[] = [];
  for (const argument of literal.flatMap(pathsIn)) named.push(...(await relativeTo(cwd, argument, files)));
  for (const given of [...own, ...absolute, ...named]) {
    const place = await fileAt(given, files);
    if (place) bound.set(accessLabel(place, files), await read(place, files, crypto, largestProgram));
  }
  for (const place of await meantFiles(handler.command, literal, cwd, files)) {
    const label = accessLabel(place, files);
    if (!bound.has(label)) bound.set(label, await read(place, files, crypto, largestProgram));
  }
  return bound;
}

/** The files that a command line may make its program run without naming them as they are called. */
async function meantFiles(
  command: string,
  args: readonly string[],
  cwd: WorkspacePath,
  files: FileSystem,
): Promise<readonly WorkspacePath[]> {
  const { named, found, words } = runnableFiles(command, args);
  const given = new Map<string, WorkspacePath>();
  const add = (place: WorkspacePath): void => void given.set(`${place.folder.path}\0${place.path}`, place);
  const places = [cwd];
  for (const word of words)
    for (const place of await relativeTo(cwd, word, files))
      if ((await kindOf(place, files)) === 'directory') places.push(place);
  for (const place of places) {
    for (const name of named) for (const one of await relativeTo(place, name, files)) add(one);
    const steps = place.path === '' ? [] : place.path.split('/');
    for (let depth = steps.length; depth >= 0; depth--)
      for (const name of found) add({ folder: place.folder, path: joinPath(steps.slice(0, depth).join('/'), name) });
  }
  const out: WorkspacePath[] = [];
  for (const place of given.values())
    if ((await kindOf(place, files)) === 'file') out.push(await files.canonical(place));
  return out;
}

/** What stands in a place of the workspace; undefined for nothing, and for what leads out of it. */
async function kindOf(place: WorkspacePath, files: FileSystem): Promise<string | undefined> {
  try {
    return (await files.stat(await files.canonical(place)))?.type;
  } catch {
    return undefined;
  }
}

/** Where a file really stands; undefined where there is none. A link that leads out of the workspace is an error. */
async function fileAt(given: WorkspacePath, files: FileSystem): Promise<WorkspacePath | undefined> {
  try {
    const place = await files.canonical(given);
    return (await files.stat(place))?.type === 'file' ? place : undefined;
  } catch (error) {
    if (isToolError(error) && isAbsent.has(error.data.code)) return undefined;
    throw error;
  }
}

const isAbsent: ReadonlySet<string> = new Set(['not_found', 'not_a_directory', 'path_invalid']);

/** An argument as a path, and what of it follows a `=`. */
function pathsIn(argument: string): readonly string[] {
  const at = argument.indexOf('=');
  return [argument, ...(at > 0 ? [argument.slice(at + 1)] : [])].filter(
    (one) => one !== '' && one.length <= 1000 && !one.includes('\0'),
  );
}

/** What an absolute path or an address of a file means in the workspace; nothing for what lies outside by its text. */
async function inWorkspace(path: string, files: FileSystem): Promise<readonly WorkspacePath[]> {
  const isBelow = files
    .folders()
    .some((folder) => path.replaceAll('\\', '/').startsWith(`${folder.path.replaceAll('\\', '/')}/`));
  return isBelow ? [await resolvePath(files, path)] : [];
}

async function relativeTo(cwd: WorkspacePath, argument: string, files: FileSystem): Promise<readonly WorkspacePath[]> {
  const text = argument.replace(/^file:\/\/(?=\/)/i, '').replaceAll('\\', '/');
  if (/^(?:\/|[A-Za-z]:\/)/.test(text)) return inWorkspace(text, files);
  const path = withoutDots(`${cwd.path}/${text}`);
  return path ? [{ folder: cwd.folder, path: joinPath('', path) }] : [];
}

/** A path by its text alone, without `.`, `..` and doubled slashes; undefined where it climbs above its beginning. */
export function withoutDots(path: string): string | undefined {
  const { names, climbs } = namesOfPath(path);
  return climbs > 0 ? undefined : names.join('/');
}

async function read(place: WorkspacePath, files: FileSystem, crypto: Crypto, most: number): Promise<BoundFile> {
  const bytes = await readWhole(files, place, most + 1);
  if (bytes.byteLength > most) throw new SaidError(say('file_bytes', most));
  const text = plainText(bytes);
  return {
    sha256: crypto.sha256(bytes),
    size: bytes.byteLength,
    path: `${place.folder.path}/${place.path}`,
    ...(text === undefined ? {} : { text }),
  };
}

function plainText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The hashes by path: what of the files goes into an approval. */
export function hashesOf(files: BoundFiles): Readonly<Record<string, string>> {
  return Object.fromEntries([...files].map(([file, one]) => [file, one.sha256]));
}
