import type { FileSystem } from '../ports/files';
import { readWhole } from '../files/readWhole';
import { agentFileName } from './agentFile';

/** Where the editor looks for agents of a workspace. */
const agentFolders = ['.github/agents', '.claude/agents'] as const;
const mostFiles = 200;
const mostBytes = 1_000_000;

/**
 * Finds agents of the workspace that take our name and are not what this window wrote: a repository may ship one with
 * every tool of the editor, and a person would choose it by its name. Answers their paths, shown to people.
 *
 * @param ours the texts that this window wrote.
 */
export async function findImpostors(files: FileSystem, ours: ReadonlySet<string>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of files.folders())
    for (const path of agentFolders) {
      const names = await files.readDirectory({ folder, path }).catch(() => []);
      for (const { name } of names.filter((one) => one.name.endsWith('.md')).slice(0, mostFiles)) {
        const place = { folder, path: `${path}/${name}` };
        const stat = await files.stat(place).catch(() => undefined);
        if (stat?.type !== 'file' || stat.size > mostBytes) continue;
        const text = new TextDecoder().decode(await readWhole(files, place, mostBytes).catch(() => new Uint8Array()));
        if (!ours.has(text) && takesOurName(name, text)) found.push(place.path);
      }
    }
  return found;
}

/** True where the file, or what its front matter says, would be listed under a name that reads like ours. */
export function takesOurName(fileName: string, text: string): boolean {
  if (fileName.toLowerCase() === agentFileName) return true;
  const named = /^\s*["']?name["']?\s*:\s*(.*(?:\n[ \t]+.*)*)/im.exec(text.slice(0, 20_000))?.[1];
  return named !== undefined && plainLetters(named).includes('agentcapabilities');
}

/** Letters of other alphabets that look like those of our name. */
const twins: Readonly<Record<string, string>> = {
  а: 'a',
  α: 'a',
  ɑ: 'a',
  ь: 'b',
  ƅ: 'b',
  с: 'c',
  ϲ: 'c',
  е: 'e',
  ε: 'e',
  ԍ: 'g',
  ɡ: 'g',
  і: 'i',
  ι: 'i',
  ı: 'i',
  '1': 'i',
  '|': 'l',
  ӏ: 'l',
  ո: 'n',
  п: 'n',
  ν: 'n',
  р: 'p',
  ρ: 'p',
  ѕ: 's',
  т: 't',
  τ: 't',
};

/** The letters of a name as an eye reads them: escapes resolved, twins of other alphabets, accents and signs gone. */
function plainLetters(name: string): string {
  const resolved = name.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8}))/g, (all, ...codes: string[]) => {
    const code = Number.parseInt(codes.find((one) => one !== undefined) ?? '', 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
  return [...resolved.normalize('NFKD').toLowerCase()]
    .map((letter) => twins[letter] ?? letter)
    .join('')
    .replace(/[^a-z]/g, '');
}
