import * as vscode from 'vscode';
import { isObject, type JsonObject, ownValue } from '../../core/base/json';
import { worded } from '../../core/base/sentence';
import { secretNames } from '../../core/foreign/references';
import { parseServers } from '../../core/foreign/serverSpec';
import { settingId } from '../../core/settings/settingTable';
import { runCommand } from '../manifest/commands/runCommand';
import { viewIds } from '../manifest/commands/viewIds';
import { letRead } from '../settings/letRead';
import type { ServerCommandContext } from './serverCommand';

const serversSetting = settingId('mcp.servers');

/** The entries that a scope holds, as they are written. */
export function serverEntries(origin: 'user' | 'workspace'): Readonly<Record<string, unknown>> {
  const found = vscode.workspace.getConfiguration().inspect(serversSetting);
  const value: unknown = origin === 'user' ? found?.globalValue : found?.workspaceValue;
  return isObject(value) ? value : {};
}

/** Writes one entry, or removes it. */
export async function writeServerEntry(
  origin: 'user' | 'workspace',
  name: string,
  entry: JsonObject | undefined,
): Promise<void> {
  const target = origin === 'user' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
  // Another window may have written others.
  await letRead(target);
  const { [name]: _before, ...rest } = serverEntries(origin);
  const next = entry ? { ...serverEntries(origin), [name]: entry } : rest;
  await vscode.workspace
    .getConfiguration()
    .update(serversSetting, Object.keys(next).length > 0 ? next : undefined, target);
}

export const extensionToolsSetting = settingId('extensionTools');

/** What keeps an entry from being a server of the user's settings, in the person's words. */
export function faultOf(name: string, entry: JsonObject): string | undefined {
  const fault = parseServers({ [name]: entry }, 'user').problems.find((one) => one.severity === 'error')?.said;
  return fault && worded(fault, vscode.l10n.t);
}

/**
 * Writes a server into the user's settings and starts it, after asking for the value of each secret that is named and
 * not stored yet; the person may leave any for later.
 */
export async function saveServer(
  context: Pick<ServerCommandContext, 'secrets' | 'servers'>,
  name: string,
  entry: JsonObject,
): Promise<void> {
  const [spec] = parseServers({ [name]: entry }, 'user').servers;
  if (!spec) throw new Error(faultOf(name, entry) ?? vscode.l10n.t('The server cannot be read.'));
  // Before it is written: the server starts as soon as it stands in the settings.
  for (const secret of secretNames(spec.transport))
    if ((await context.secrets.get(secret)) === undefined) await runCommand('setSecret', secret);
  const before = ownValue(serverEntries('user'), name);
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
