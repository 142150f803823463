import type * as vscode from 'vscode';
import type { Json } from '../../core/base/json';
import type { KeyValueStore, Log, SecretStore } from '../../core/ports/platform';

/** Keeps values in the editor's storage of this workspace or user. */
export function mementoStore(memento: vscode.Memento): KeyValueStore {
  return {
    get: (key) => memento.get<Json>(key),
    set: async (key, value) => {
      await memento.update(key, value);
    },
  };
}

/** Secrets in the editor's secret storage, under a prefix of their own. */
export function editorSecrets(secrets: vscode.SecretStorage): SecretStore {
  const prefix = 'secret:';
  return {
    get: async (name) => secrets.get(prefix + name),
    async set(name, value) {
      if (value === undefined) await secrets.delete(prefix + name);
      else await secrets.store(prefix + name, value);
    },
    names: async () =>
      (await secrets.keys()).filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)),
  };
}

/** The diagnostics channel as a log. */
export function channelLog(channel: vscode.LogOutputChannel): Log {
  return {
    debug: (message) => channel.debug(message),
    info: (message) => channel.info(message),
    warn: (message) => channel.warn(message),
    error: (message) => channel.error(message),
  };
}
