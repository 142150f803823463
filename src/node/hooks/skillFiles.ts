import { readdirSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { realOf, textIn } from '../folders/quietly';

/** More folders below one, and larger files, are not looked at. */
const mostFolders = 2000;
const largestFile = 500_000;
/** Folders in which no skill stands by itself. */
const isOther = (name: string): boolean => name === 'node_modules' || name === '.git';

/**
 * The texts that Claude Code may take for a skill or a command of its own: those of the folders in which it works and
 * worked and all above them, of the user, and of plugins. Empty where none is found; undefined where nobody can tell.
 * @param name as the model gives it; before a colon stands a plugin, or the folder in which the skill or command is.
 */
export function skillTexts(name: string, folders: readonly string[]): readonly string[] | undefined {
  const parts = name.replace(/^\//, '').split(/[:/]/);
  if (!parts.every((one) => /^[\w-][\w.-]*$/.test(one))) return undefined;
  const plain = parts.at(-1) ?? '';
  const within = path.join(...parts.slice(0, -1), '.');
  const isBare = within === '.';
  const own = path.join(userInfo().homedir, '.claude');
  const working = [...foldersAbove(folders)];
  const places = new Set([own, ...working.map((folder) => path.join(folder, '.claude'))]);
  const files = [...places].map((place) => path.join(place, 'skills', within, plain, 'SKILL.md'));
  if (!isBare)
    for (const folder of working) {
      const below = path.join(folder, within, '.claude');
      files.push(path.join(below, 'skills', plain, 'SKILL.md'), path.join(below, 'commands', `${plain}.md`));
    }
  for (const place of places) {
    const commands = isBare ? foldersBelow(path.join(place, 'commands')) : [path.join(place, 'commands', within)];
    if (!commands) return undefined;
    files.push(...commands.map((folder) => path.join(folder, `${plain}.md`)));
  }
  const plugins = foldersBelow(path.join(own, 'plugins'));
  if (!plugins) return undefined;
  for (const folder of plugins) {
    const names = folder.slice(own.length).split(path.sep);
    if (!isBare && !names.includes(parts[0] ?? '')) continue;
    if (names.at(-1) === 'skills') files.push(path.join(folder, plain, 'SKILL.md'));
    if (names.includes('commands')) files.push(path.join(folder, `${plain}.md`));
  }
  const there = [...new Set(files)].filter((file) => statSync(file, { throwIfNoEntry: false }) !== undefined);
  const texts = there.flatMap((file) => (statSync(file).size > largestFile ? [] : (textIn(file) ?? [])));
  return texts.length === there.length ? texts : undefined;
}

function foldersAbove(starts: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const start of starts.flatMap((one) => [path.resolve(one), realOf(one) ?? path.resolve(one)]))
    for (let folder = start; !found.has(folder); folder = path.dirname(folder)) found.add(folder);
  return found;
}

const isFolder = (place: string): boolean => statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;

/** A folder and those below it, also through links, without those of single skills; undefined for too many. */
function foldersBelow(start: string): readonly string[] | undefined {
  const found = isFolder(start) ? [start] : [];
  const seen = new Set<string>();
  // What is added meanwhile is visited too.
  for (const folder of found) {
    if (found.length > mostFolders) return undefined;
    const real = realOf(folder) ?? folder;
    if (path.basename(folder) === 'skills' || seen.has(real)) continue;
    seen.add(real);
    for (const one of readdirSync(folder, { withFileTypes: true })) {
      const place = path.join(folder, one.name);
      const leads = one.isDirectory() || (one.isSymbolicLink() && isFolder(place));
      if (leads && !isOther(one.name)) found.push(place);
    }
  }
  return found;
}
