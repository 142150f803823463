import * as vscode from 'vscode';
import { isObject, type JsonObject } from '../../core/base/json';
import { settingId } from '../../core/settings/settingTable';
import { runCommand } from '../manifest/commands/runCommand';

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
  const { [name]: _before, ...rest } = serverEntries(origin);
  const next = entry ? { ...serverEntries(origin), [name]: entry } : rest;
  const target = origin === 'user' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
  await vscode.workspace
    .getConfiguration()
    .update(serversSetting, Object.keys(next).length > 0 ? next : undefined, target);
}

export const extensionToolsSetting = settingId('extensionTools');

/** Asks for the value of each secret that is named and not stored yet; the person may leave any for later. */
export async function askSecrets(
  names: readonly string[],
  secrets: { get(name: string): Promise<string | undefined> },
): Promise<void> {
  for (const name of names) if ((await secrets.get(name)) === undefined) await runCommand('setSecret', name);
}
