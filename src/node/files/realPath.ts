import { realpathSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { ofProcess } from '../../core/foreign/machinePath';
import { errnoOf } from '../errors/errno';
import { type FileCalls, pooled } from './calls';

const mostLinks = 40;

/**
 * Where a path of the machine leads for a process that works in `cwd`, whether its end exists or not
 * (`FileSystem.realPath`). Goes name by name, as the kernel does, so that `..` behind a link goes up from the link's
 * target.
 * @param calls how it is looked; through the thread pool where others would have to wait.
 */
export function realPathOf(absolute: string, cwd: string | undefined, calls: Looks = pooled): Promise<string | null> {
  return walked(absolute, { cwd, calls }, 0);
}

type Looks = Pick<FileCalls, 'lstat'>;

interface Walk {
  readonly cwd: string | undefined;
  readonly calls: Looks;
}

async function walked(absolute: string, how: Walk, before: number): Promise<string | null> {
  const started = withHome(absolute);
  const windows = process.platform === 'win32';
  const text = windows ? started.replaceAll('\\', '/') : started;
  const drive = windows ? (/^[a-z]:/i.exec(text)?.[0] ?? '') : '';
  const waiting = text.slice(drive.length).split('/').reverse();
  let at = `${drive}/`;
  let isThere = true;
  let links = before;
  while (waiting.length > 0) {
    const name = waiting.pop() ?? '';
    if (name === '' || name === '.') continue;
    if (name === '..') {
      at = at.length <= drive.length + 1 ? at : path.posix.dirname(at);
      isThere = true;
      continue;
    }
    const next = at.endsWith('/') ? at + name : `${at}/${name}`;
    const placed = windows ? next : ofProcess(next, how.cwd);
    if (placed === undefined || links > mostLinks) return null;
    const rest = [...waiting].reverse();
    if (placed !== next) return walked([placed, ...rest].join('/'), how, links + 1);
    const target = isThere ? await linkAt(next, how.calls) : 'missing';
    if (target === 'missing') isThere = false;
    else if (target !== undefined) {
      links++;
      const to = windows ? target.to.replaceAll('\\', '/').replace(/^\/\/\?\//, '') : target.to;
      if (to.startsWith('/') || (windows && /^[a-z]:/i.test(to))) return walked([to, ...rest].join('/'), how, links);
      waiting.push(...to.split('/').reverse());
      continue;
    }
    at = next;
  }
  return at;
}

/** What a link says; undefined for anything else that is there. A name that cannot be looked at is taken as it is. */
async function linkAt(at: string, calls: Looks): Promise<{ readonly to: string } | 'missing' | undefined> {
  try {
    const found = await calls.lstat(at);
    return found ? (found.isSymbolicLink() ? { to: await readlink(at) } : undefined) : 'missing';
  } catch (error) {
    return errnoOf(error) === undefined ? undefined : 'missing';
  }
}

/** The home folder as it is named, and where its links lead. */
export function homePaths(): readonly string[] {
  const home = homedir();
  try {
    return [...new Set([home, realpathSync(home)])];
  } catch {
    return [home];
  }
}

function withHome(text: string): string {
  const match = /^~([^/\\]*)(.*)$/s.exec(text);
  if (!match) return text;
  const home = homedir();
  return `${match[1] === '' ? home : path.join(path.dirname(home), match[1] ?? '')}${match[2] ?? ''}`;
}
