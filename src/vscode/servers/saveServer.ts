import * as vscode from 'vscode';
import { isObject, type JsonObject } from '../../core/base/json';
import { secretNames } from '../../core/foreign/references';
import { parseServers } from '../../core/foreign/serverSpec';
import { viewIds } from '../manifest/commands/viewIds';
import type { ServerCommandContext } from './serverCommand';
import { askSecrets, serverEntries, writeServerEntry } from './serverSettings';

/** What keeps an entry from being a server of the user's settings, in words. */
export function faultOf(name: string, entry: JsonObject): string | undefined {
  return parseServers({ [name]: entry }, 'user').problems.find((one) => one.severity === 'error')?.message;
}

/** Writes a server into the user's settings, after asking for its secrets, and starts it. */
export async function saveServer(
  context: Pick<ServerCommandContext, 'secrets' | 'servers'>,
  name: string,
  entry: JsonObject,
): Promise<void> {
  const [spec] = parseServers({ [name]: entry }, 'user').servers;
  if (!spec) throw new Error(faultOf(name, entry) ?? vscode.l10n.t('The server cannot be read.'));
  // Before it is written: the server starts as soon as it stands in the settings.
  await askSecrets(secretNames(spec.transport), context.secrets);
  const before = serverEntries('user')[name];
  await writeServerEntry('user', name, isObject(before) ? { ...kept(before), ...entry } : entry);
  await vscode.commands.executeCommand(`${viewIds.capabilities}.focus`);
  await context.servers.discover();
}

/** What the person wrote about an entry that is replaced: the judgement of its tools stays. */
function kept(before: Readonly<Record<string, unknown>>): JsonObject {
  const keys = ['tools', 'accessMapping', 'timeoutMs', 'protocol', 'roots'];
  // It came from the settings, which hold JSON.
  return Object.fromEntries(Object.entries(before).filter(([key]) => keys.includes(key))) as JsonObject;
}
