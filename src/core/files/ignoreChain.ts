import type { IgnoreRules } from './ignore';

/** The rules that hold in a folder: its own `.gitignore` and those above, the nearest first. */
export interface IgnoreChain {
  readonly base: string;
  readonly rules: IgnoreRules;
  readonly above: IgnoreChain | undefined;
}

/** Folders that no walk enters unless ignored files are wanted. */
export const versionControl: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'CVS']);

/** Judges one path by the chain, the nearest rules first, as git does. */
export function isIgnored(chain: IgnoreChain | undefined, relative: string, isDirectory: boolean): boolean {
  for (let at = chain; at; at = at.above) {
    const below = at.base === '' ? relative : relative.slice(at.base.length + 1);
    const verdict = at.rules.judge(below, isDirectory);
    if (verdict) return verdict === 'ignored';
  }
  return false;
}

/** A path relative to where the walk started, which is what a tool's globs are about. */
export function below(start: string, path: string): string {
  return start === '' ? path : path.slice(start.length + 1);
}
