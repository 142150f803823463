import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import type { HostAgent } from '../../core/hooks/hostEvent';
import { serverPlaces } from '../../core/protection/serverPlaces';
import { realOf } from '../folders/quietly';
import { isMissing } from '../errors/errno';

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
 * Whether a repository may have given an agent a server that has our name: then its tools cannot be told from ours.
 * @param places where the agent works and worked. They and all above them are looked at, as written and as links lead,
 *   up to the user's home, whose files are the user's own.
 */
export function repositoryTakesOurName(agent: HostAgent, places: readonly string[]): boolean {
  const { folder: files, besides, code } = serverPlaces[agent];
  const names = [...files, ...besides];
  return [...foldersAbove(places)].some(
    (folder) =>
      code.some((name) => existsSync(path.join(folder, name))) ||
      names.some((name) => hasSign(path.join(folder, name), sign(agent))),
  );
}

/** The places and every folder above them, each once. */
function foldersAbove(places: readonly string[]): ReadonlySet<string> {
  const written = places.map((place) => path.resolve(place));
  const home = userInfo().homedir;
  const homes = new Set([home, realOf(home) ?? home]);
  const found = new Set<string>();
  for (const start of [...written, ...written.map((place) => realOf(place) ?? place)])
    for (let folder = start; !found.has(folder) && !homes.has(folder); folder = path.dirname(folder)) found.add(folder);
  return found;
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
    return !isMissing(error);
  }
}
