import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

type Random = (below: number) => number;

/** The same numbers again for the same start. */
export function random(seed: number): Random {
  let state = seed * 2654435761 + 12345;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** One step of a history, so concrete that it can be made again in another folder. */
export type Step =
  | { readonly by: 'agent'; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly by: 'person'; readonly does: PersonsStep };

export type PersonsStep =
  | { readonly kind: 'append'; readonly path: string; readonly text: string }
  | { readonly kind: 'replace'; readonly path: string; readonly line: string; readonly by: string }
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'move'; readonly path: string; readonly to: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'mode'; readonly path: string; readonly mode: number }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | { readonly kind: 'folder'; readonly path: string };

/** Everything below a folder: kind, permissions and content of each place, by its path. */
export function treeOf(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
    const place = path.join(entry.parentPath, entry.name);
    const mode = (lstatSync(place).mode & 0o777).toString(8);
    found[path.relative(root, place)] = entry.isSymbolicLink()
      ? `link ${readlinkSync(place)}`
      : entry.isDirectory()
        ? `folder ${mode}`
        : `file ${mode} ${readFileSync(place, 'latin1')}`;
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Takes everything below a folder away. */
export function empty(root: string): void {
  for (const name of readdirSync(root)) rmSync(path.join(root, name), { recursive: true });
}

type Written = 'lf' | 'crlf' | 'utf-16le' | 'windows-1252' | 'utf-8 with mark';
const ways: readonly Written[] = ['lf', 'lf', 'crlf', 'utf-16le', 'windows-1252', 'utf-8 with mark'];

function freshLines(next: Random): readonly string[] {
  return Array.from({ length: 12 }, (_none, line) => `line ${line} ${next(1000)}`);
}

function bytesOf(lines: readonly string[], way: Written, next: Random): Buffer {
  const end = way === 'crlf' ? '\r\n' : '\n';
  const text = lines.join(end) + (next(4) === 0 ? '' : end);
  switch (way) {
    case 'utf-16le':
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 'windows-1252':
      return Buffer.from(`caf\u00e9${end}${text}`, 'latin1');
    case 'utf-8 with mark':
      return Buffer.from(`\ufeffé${end}${text}`);
    default:
      return Buffer.from(text);
  }
}

const names = ['a.txt', 'b.txt', 'd/c.txt', 'd/e/f.txt', 'g.sh'];
const folders = ['d', 'd/e', 'made', 'kept'];
const links = ['l', 'd/m'];
/** Where everybody works at the same few places, one thing meets another far more often. */
const near = { names: ['d/c.txt', 'd/e/f.txt', 'd.txt'], folders: ['d', 'd/e'] };

/** What the person's files hold in the beginning. */
export function begin(root: string, next: Random): void {
  for (const name of names.slice(0, 3 + next(3))) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    const kind = next(8);
    const bytes =
      kind === 0
        ? Buffer.from([0, 255, next(256), 10, 13])
        : kind === 1
          ? Buffer.alloc(0)
          : bytesOf(freshLines(next), ways[next(ways.length)] ?? 'lf', next);
    writeFileSync(path.join(root, name), bytes);
    if (next(3) === 0) chmodSync(path.join(root, name), [0o755, 0o600, 0o640][next(3)] ?? 0o644);
  }
  if (next(2) === 0) mkdirSync(path.join(root, 'kept'));
  if (next(3) === 0)
    chmodSync(path.join(root, next(2) === 0 || !existsSync(path.join(root, 'kept')) ? '.' : 'kept'), 0o700);
  if (existsSync(path.join(root, 'd')) && next(3) === 0) chmodSync(path.join(root, 'd'), 0o750);
  for (const link of links)
    if (next(3) === 0 && existsSync(path.dirname(path.join(root, link))))
      symlinkSync(names[next(names.length)] ?? 'a.txt', path.join(root, link));
}

/** The next step of somebody, as the folder is now; what is not possible there fails, which is a step too. */
export function nextStep(root: string, next: Random, mark: string): Step {
  return Number.parseInt(mark, 10) % 2 === 0 ? nearStep(root, next, mark) : anyStep(root, next, mark);
}

/** Of an agent mostly, and most of all what changes where things are; of a person what comes between that. */
function nearStep(root: string, next: Random, mark: string): Step {
  const one = <T>(all: readonly T[]): T => all[next(all.length)] as T;
  const agent = (tool: string, input: Readonly<Record<string, unknown>>): Step => ({ by: 'agent', tool, input });
  const name = one(near.names);
  const { line, encoding } = someLine(root, name, next);
  const person = (does: PersonsStep): Step => ({ by: 'person', does });
  switch (next(10)) {
    case 0: {
      const edits = [{ old_text: line, new_text: `${line.slice(0, 7)} agent ${mark}` }];
      return agent('edit_file', { path: name, edits, ...(encoding === undefined ? {} : { encoding }) });
    }
    case 1:
      return agent('write_file', { path: name, content: `line 1 agent ${mark}\n` });
    case 2:
      return agent('write_file', { path: `${one(near.folders)}/`, content: '' });
    case 3:
    case 4:
      return agent('move_file', {
        source: one([name, ...near.folders]),
        destination: one([...near.names, 'made', 'd/made', ...near.folders]),
        overwrite: next(2) === 0,
      });
    case 5:
    case 6:
      return agent('delete_file', { path: one([name, ...near.folders, 'made']), recursive: next(4) > 0 });
    case 7:
      return person({ kind: 'write', path: name, text: `mine-${mark}\n` });
    case 8: {
      const to = one([...near.names, `renamed-${mark}.txt`]);
      return person(next(2) === 0 ? { kind: 'delete', path: name } : { kind: 'move', path: name, to });
    }
    default:
      return anyStep(root, next, mark);
  }
}

function anyStep(root: string, next: Random, mark: string): Step {
  const one = <T>(all: readonly [T, ...T[]] | readonly T[]): T => all[next(all.length)] as T;
  const name = one(names);
  const agent = (tool: string, input: Readonly<Record<string, unknown>>): Step => ({ by: 'agent', tool, input });
  const person = (does: PersonsStep): Step => ({ by: 'person', does });
  switch (next(18)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      const { line, encoding } = someLine(root, name, next);
      return agent('edit_file', {
        path: name,
        edits: [{ old_text: line, new_text: `${line.slice(0, 7)} agent ${mark}` }],
        ...(encoding === undefined ? {} : { encoding }),
      });
    }
    case 4:
      return agent('write_file', {
        path: name,
        content: `${freshLines(next).join('\n')}\n`,
        end_of_line: one(['keep', 'lf', 'crlf']),
      });
    case 5:
      return agent('write_file', {
        path: name,
        content: Buffer.from([next(256), 0, 200]).toString('base64'),
        encoding: 'base64',
        mode: one(['overwrite', 'append', 'create']),
      });
    case 6:
      return agent('write_file', {
        path: one([`made/${mark}/n.txt`, `new-${mark}.txt`, name]),
        content: next(3) === 0 ? '' : `agent ${mark}\n`,
        mode: one(['create', 'append']),
      });
    case 7:
      return agent('write_file', { path: `${one(['made', 'd/made', `made/${mark}`])}/`, content: '' });
    case 8:
    case 9:
      return agent('move_file', {
        source: one([name, name, ...folders, ...links]),
        destination: one([...names, 'h.txt', 'made/h.txt', ...folders, 'l']),
        overwrite: next(2) === 0,
      });
    case 10:
    case 11:
      return agent('delete_file', { path: one([name, name, ...folders, ...links]), recursive: next(4) > 0 });
    case 12:
      return person({ kind: 'append', path: name, text: `mine-${mark}\n` });
    case 13: {
      const { line } = someLine(root, name, next);
      return person({ kind: 'replace', path: name, line, by: `${line.slice(0, 7)} mine-${mark}` });
    }
    case 14:
      return person({ kind: 'move', path: name, to: `renamed-${mark}.txt` });
    case 15:
      return next(2) === 0
        ? person({ kind: 'delete', path: name })
        : person({ kind: 'write', path: one([name, `own-${mark}.txt`, 'made/own.txt']), text: `mine-${mark}\n` });
    case 16:
      return person({ kind: 'mode', path: name, mode: one([0o755, 0o600, 0o644]) });
    default:
      return person({ kind: 'link', path: one(links), target: one(names) });
  }
}

/** The next step, where an agent also runs commands (`run_it`) that do anything to files, several things at once. */
export function nextStepWithCommands(root: string, next: Random, mark: string): Step {
  if (next(5) > 1) return anyStep(root, next, mark);
  const does = Array.from({ length: 1 + next(4) }, (_none, at) => commandDoes(root, next, `${mark}-${at}`));
  return { by: 'agent', tool: 'run_it', input: { does } };
}

function commandDoes(root: string, next: Random, mark: string): PersonsStep {
  const one = <T>(all: readonly T[]): T => all[next(all.length)] as T;
  const name = one(names);
  const { line } = someLine(root, name, next);
  switch (next(9)) {
    case 0:
      return { kind: 'append', path: name, text: `command ${mark}\n` };
    case 1:
      return { kind: 'replace', path: name, line, by: `${line.slice(0, 7)} command ${mark}` };
    case 2:
      return {
        kind: 'write',
        path: one([name, `out-${mark}.txt`, 'made/out.txt']),
        text: one(['', `command ${mark}\n`]),
      };
    case 3:
    case 4:
      return {
        kind: 'move',
        path: one([name, name, ...folders]),
        to: one([`moved-${mark}`, `d/moved-${mark}`, 'h.txt']),
      };
    case 5:
      return { kind: 'delete', path: one([name, name, ...folders, ...links]) };
    case 6:
      return { kind: 'mode', path: name, mode: one([0o755, 0o600, 0o644]) };
    case 7:
      return { kind: 'folder', path: one([`kept/empty-${mark}`, `bare-${mark}`]) };
    default:
      return { kind: 'link', path: one(links), target: name };
  }
}

/**
 * A line that is in a file, with the encoding that the tool wants to be told; one that is in none where it holds none.
 */
function someLine(root: string, name: string, next: Random): { readonly line: string; readonly encoding?: string } {
  const file = path.join(root, name);
  const missing = { line: 'line 0 nowhere' };
  if (!existsSync(file) || !lstatSync(file).isFile()) return missing;
  const bytes = readFileSync(file);
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  const lines = bytes.toString(isWide ? 'utf16le' : 'latin1').match(/line \d+ [^\r\n]*/g);
  const line = lines?.[next(lines.length)];
  if (line === undefined) return missing;
  return bytes.toString('latin1').startsWith('caf\u00e9') ? { line, encoding: 'windows-1252' } : { line };
}

/** Does what a person does in a terminal or another program. False where it was not possible, and nothing was done. */
export function doPersons(root: string, step: PersonsStep): boolean {
  const file = path.join(root, step.path);
  const there = entryAt(file);
  switch (step.kind) {
    case 'append':
      if (!there?.isFile()) return false;
      writeFileSync(file, readFileSync(file, 'latin1') + step.text, 'latin1');
      return true;
    case 'replace': {
      if (!there?.isFile()) return false;
      const bytes = readFileSync(file);
      const way = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'latin1';
      const text = bytes.toString(way);
      if (text.split(step.line).length !== 2) return false;
      writeFileSync(file, Buffer.from(text.replace(step.line, step.by), way));
      return true;
    }
    case 'write':
      if (there && !there.isFile()) return false;
      if (!entryAt(path.dirname(file))?.isDirectory()) return false;
      writeFileSync(file, step.text);
      return true;
    case 'move':
      if (!there || !entryAt(path.dirname(path.join(root, step.to)))?.isDirectory()) return false;
      if (entryAt(path.join(root, step.to))?.isDirectory() || `${step.to}/`.startsWith(`${step.path}/`)) return false;
      if (there.isDirectory() && entryAt(path.join(root, step.to))) return false;
      renameSync(file, path.join(root, step.to));
      return true;
    case 'delete':
      if (!there) return false;
      rmSync(file, { recursive: true });
      return true;
    case 'mode':
      if (!there?.isFile()) return false;
      chmodSync(file, step.mode);
      return true;
    case 'folder':
      if (there || !entryAt(path.dirname(file))?.isDirectory()) return false;
      mkdirSync(file);
      return true;
    case 'link':
      if (there && !there.isSymbolicLink()) return false;
      if (!entryAt(path.dirname(file))?.isDirectory()) return false;
      if (there) rmSync(file);
      symlinkSync(step.target, file);
      return true;
  }
}

/** Undefined too where a part of the path is a file. */
function entryAt(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
