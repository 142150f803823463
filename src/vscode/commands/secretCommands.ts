import * as vscode from 'vscode';
import type { Disposable } from '../../core/base/lifecycle';
import type { SecretStore } from '../../core/ports/platform';
import { commandId } from '../manifest/commands/commandId';
import { lazily } from './lazily';

/**
 * Registers *Set Secret…*: keeps a value that definitions, servers and probes name as `${secret:NAME}` in the editor's
 * secret storage. An empty value removes the secret. The value is typed into a password box and shown nowhere.
 */
export function registerSecretCommands(secrets: SecretStore): Disposable {
  const set = lazily(async () => (await import('./setSecret')).setSecret);
  return vscode.commands.registerCommand(commandId('setSecret'), (given?: unknown) => set(secrets, given));
}
