import { isObject } from '../base/json';
import { resolveDots } from '../foreign/machinePath';
import type { ShellReading } from '../shell/shellReading';
import type { HostEvent } from './hostEvent';
import { hostToolRow, lineArguments } from './hostToolTable';

/** Words by which a line may leave its shell in another folder. */
const moving = /(?:^|[^\w-])(?:cd|chdir|pushd|popd|sl|(?:set|push|pop)-location|eval|source|alias|\.)(?=$|[^\w-])/i;
/** A line that goes into one folder before all else, and what it does there; `-` and `~1` are no names of folders. */
const plain = /^\s*cd\s+(?!["']?(?:[-+]|~[-+\d]))(?:"([^"$`\\]+)"|'([^']+)'|([\w./~+-]+))\s*(?:$|&&|;|\n)([^]*)$/;

/**
 * The folders in which an open shell may be after a call, absolute, with an empty text for one that nobody can tell;
 * undefined where the call has no such shell, or leaves it where it was.
 * @param starts where it may be before.
 * @param isFolder tells whether a folder is there.
 */
export async function foldersAfter(
  { agent, tool, input }: HostEvent,
  starts: readonly string[],
  isFolder: (path: string) => boolean,
): Promise<readonly string[] | undefined> {
  const row = hostToolRow(agent, tool);
  if (row?.does !== 'shell' || row.staysOpen !== true || !isObject(input)) return undefined;
  const lines = lineArguments.flatMap((name) => (typeof input[name] === 'string' ? [input[name]] : []));
  const moves = lines.filter((line) => moving.test(line));
  if (moves.length === 0) return undefined;
  const read: (line: string) => ShellReading =
    row.language === 'powershell'
      ? (await import('../shell/powershell')).readPowershell
      : (await import('../shell/readShell')).readShell;
  const found = new Set<string>();
  for (const line of moves) {
    const [, double, single, bare, rest = ''] = plain.exec(line) ?? [];
    const only = moving.test(rest.replace(/\.{1,2}(?=[/\s]|$)/g, '')) ? undefined : (double ?? single ?? bare);
    const ends = only === undefined ? read(line).folders : [only];
    for (const start of starts)
      for (const end of ends) {
        const folder = end === undefined || start === '' ? absolute(end) : inside(start, end);
        if (folder === undefined || folder === '') found.add('');
        else if (isFolder(folder)) found.add(folder);
        else {
          // It is not there: the shell stays where it was, unless the line makes it before.
          if (only === undefined) found.add(folder);
          found.add(start);
        }
      }
  }
  return [...found];
}

const isAbsolute = (path: string): boolean => /^(?:[/\\~]|[a-z]:)/i.test(path);
const absolute = (path: string | undefined): string | undefined =>
  path !== undefined && isAbsolute(path) ? path : undefined;
const inside = (start: string, end: string): string => (isAbsolute(end) ? end : resolveDots(`${start}/${end}`));
