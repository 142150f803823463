import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import type { HostAgent } from '../../core/hooks/hostEvent';
import { serverPlaces } from '../../core/protection/serverPlaces';

/** A larger file counts as one that brings such a server, and so does a folder with more files. */
const largestFile = 1_000_000;
const mostFiles = 200;

/** Letters that are written so that they cannot be read at a glance. */
const escaped = String.raw`\\[uUx]`;
/** Our name as agents spell it that replace every other sign, also one that JSON or TOML writes by an escape. */
const ourName = new RegExp(String.raw`agent(?:\\[a-z]|[^a-z0-9])*capab|${escaped}`, 'i');
/** What declares servers, plugins or commands that tell of tools. */
const anyTools = new RegExp(`mcp|server|plugin|discover|${escaped}`, 'i');

/**
 * What makes a server that cannot be told from ours. Claude Code and Codex set a server's name apart from its tool's.
 * The others write both in a row, so that a server `agent` with a tool `capabilities_x` has our name too, or call tools
 * after what a server says of itself: there any server may take our name.
 */
const sign = (agent: HostAgent): RegExp => (agent === 'claude' || agent === 'codex' ? ourName : anyTools);

/**
 * Whether a repository may have given an agent a server that has our name: then its tools cannot be told from ours. The
 * folder and all above it are looked at, up to the user's home, whose files are the user's own.
 */
export function repositoryTakesOurName(agent: HostAgent, cwd: string | undefined): boolean {
  const home = userInfo().homedir;
  const { folder: files, besides, code } = serverPlaces[agent];
  for (let folder = path.resolve(cwd ?? '.'); folder !== home; folder = path.dirname(folder)) {
    if (code.some((name) => existsSync(path.join(folder, name)))) return true;
    if ([...files, ...besides].some((name) => hasSign(path.join(folder, name), sign(agent)))) return true;
    if (path.dirname(folder) === folder) return false;
  }
  return false;
}

/** True for a file with the sign, a folder that holds one or a link, and what is no file or cannot be read. */
function hasSign(place: string, found: RegExp): boolean {
  try {
    const stats = statSync(place);
    if (stats.isFile()) return stats.size > largestFile || found.test(readFileSync(place, 'utf8'));
    if (!stats.isDirectory()) return true;
    const entries = readdirSync(place, { recursive: true, withFileTypes: true }).filter((one) => !one.isDirectory());
    return (
      entries.length > mostFiles ||
      entries.some((one) => !one.isFile() || hasSign(path.join(one.parentPath, one.name), found))
    );
  } catch (error) {
    return !(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'));
  }
}
