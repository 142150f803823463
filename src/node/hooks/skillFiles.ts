import { readdirSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { realOf, textIn } from '../folders/quietly';

/** More entries below one folder, and larger files, are not looked at. */
const mostEntries = 20_000;
const largestFile = 500_000;

/**
 * The texts that Claude Code may take for a skill or a command of its own: those of the folders in which it works and
 * worked and all above them, of the user, and of plugins. Empty where none is found; undefined where nobody can tell.
 * @param name as the model gives it, a plugin's with the name of the plugin before a colon.
 */
export function skillTexts(name: string, folders: readonly string[]): readonly string[] | undefined {
  const plain = name.replace(/^\/|^.*:/, '');
  if (!/^[\w-][\w.-]*$/.test(plain)) return undefined;
  const own = path.join(userInfo().homedir, '.claude');
  const places = new Set([own, ...[...foldersAbove(folders)].map((folder) => path.join(folder, '.claude'))]);
  const files = [...places].map((place) => path.join(place, 'skills', plain, 'SKILL.md'));
  for (const place of [...[...places].map((one) => path.join(one, 'commands')), path.join(own, 'plugins')]) {
    const names = namesBelow(place);
    if (!names) return undefined;
    const wanted = place.endsWith('plugins') ? [`skills/${plain}/SKILL.md`, `commands/${plain}.md`] : [`${plain}.md`];
    const found = names.filter((one) => wanted.some((end) => `/${one.replaceAll('\\', '/')}`.endsWith(`/${end}`)));
    files.push(...found.map((one) => path.join(place, one)));
  }
  const there = files.filter((file) => statSync(file, { throwIfNoEntry: false }) !== undefined);
  const texts = there.flatMap((file) => (statSync(file).size > largestFile ? [] : (textIn(file) ?? [])));
  return texts.length === there.length ? texts : undefined;
}

function foldersAbove(starts: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const start of starts.flatMap((one) => [path.resolve(one), realOf(one) ?? path.resolve(one)]))
    for (let folder = start; !found.has(folder); folder = path.dirname(folder)) found.add(folder);
  return found;
}

/** The names of what lies below a folder; undefined for too many, and where they cannot be told. */
function namesBelow(folder: string): readonly string[] | undefined {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.length > mostEntries ? undefined : names;
}
