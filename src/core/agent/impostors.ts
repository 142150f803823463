import type { FileSystem } from '../ports/files';
import { readWhole } from '../files/readWhole';
import type { WorkspacePath } from '../ports/workspacePath';

/** Where the editor looks for agents of a workspace. */
const agentFolders = ['.github/agents', '.github/chatmodes', '.claude/agents'] as const;
const mostFiles = 500;
const mostBytes = 1_000_000;

/**
 * Finds agents of the workspace that take our name and are not what this window wrote: a repository may ship one with
 * every tool of the editor, and a person would choose it by its name. What is too much to be looked at counts as one,
 * because nobody can say what hides in it. Answers paths, shown to people.
 *
 * @param ours the texts that this window wrote.
 */
export async function findImpostors(files: FileSystem, ours: ReadonlySet<string>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of files.folders())
    for (const path of agentFolders) {
      const names = (await entriesOf(files, { folder, path })).filter((name) => name.endsWith('.md'));
      for (const name of names.slice(0, mostFiles)) {
        const text = await textOf(files, { folder, path: `${path}/${name}` });
        if (text === undefined || (!ours.has(text) && takesOurName(name, text))) found.push(`${path}/${name}`);
      }
      if (names.length > mostFiles) found.push(path);
    }
  return found;
}

/** The editor follows links, so that these are followed too, within the workspace. */
async function entriesOf(files: FileSystem, place: WorkspacePath): Promise<readonly string[]> {
  const entries = await files
    .canonical(place)
    .then((real) => files.readDirectory(real))
    .catch(() => []);
  return entries.map(({ name }) => name);
}

/** Empty where it cannot be read, so that its name alone counts; undefined where it is too large to be looked at. */
async function textOf(files: FileSystem, place: WorkspacePath): Promise<string | undefined> {
  try {
    const bytes = await readWhole(files, await files.canonical(place), mostBytes + 1);
    return bytes.length > mostBytes ? undefined : new TextDecoder().decode(bytes);
  } catch {
    return '';
  }
}

/** A key `name` at the start of a line or in an object of one line, with what may belong to its value. */
const nameLine = /(?:^|[{,])[ \t]*["']?name["']?[ \t]*:(.*(?:\r?\n(?:[ \t].*)?)*)/gim;

/** True where the file, or what its front matter says, would be listed under a name that reads like ours. */
export function takesOurName(fileName: string, text: string): boolean {
  const names = [fileName, ...[...resolved(text).matchAll(nameLine)].map(([, name = '']) => name)];
  return names.some((name) => plainLetters(name).includes('agentcapabilities'));
}

/** Letters of other alphabets, and signs, that look like those of our name. */
const lookAlikes = {
  a: 'аαɑ',
  b: 'ьƅ',
  c: 'сϲ',
  e: 'еε',
  g: 'ԍɡ',
  i: 'іιı1',
  l: '|ӏ',
  n: 'ոпν',
  p: 'рρ',
  s: 'ѕ',
  t: 'тτ',
};
const twins: ReadonlyMap<string, string> = new Map(
  Object.entries(lookAlikes).flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
);

/** A text with the escapes of quoted YAML resolved. */
function resolved(text: string): string {
  return text.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8}))/g, (all, ...codes: string[]) => {
    const code = Number.parseInt(codes.find((one) => one !== undefined) ?? '', 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

/** The letters of a name as an eye reads them: twins of other alphabets, accents and signs gone. */
function plainLetters(name: string): string {
  return [...name.normalize('NFKD').toLowerCase()]
    .map((letter) => twins.get(letter) ?? letter)
    .join('')
    .replace(/[^a-z]/g, '');
}
