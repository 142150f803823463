import type * as vscode from 'vscode';
import type { AgentCapabilitiesApi } from './app/api';
import type { EditorSystem } from './app/composeEditor';
import { type Started, startBehind } from './app/startBehind';
import { standIns } from './vscode/standIns/standIns';

let running: Started<EditorSystem> | undefined;

/**
 * Starts the extension. Little happens here: what the manifest names is registered by stand-ins at once, and everything
 * else is loaded behind them, after the editor's start. Nothing is answered before it is there: who calls early waits.
 */
export function activate(context: vscode.ExtensionContext): AgentCapabilitiesApi {
  const started = startBehind(async (signal) => (await import('./app/composeEditor')).composeEditor(context, signal));
  running = started;
  context.subscriptions.push(started, standIns(context, started.system));
  return lazyApi(started.system);
}

export async function deactivate(): Promise<void> {
  const ended = running;
  running = undefined;
  try {
    await ended?.save();
  } finally {
    ended?.dispose();
  }
}

/** The API, whose code is loaded when another extension calls it. */
function lazyApi(system: Promise<EditorSystem>): AgentCapabilitiesApi {
  const api = async (): Promise<AgentCapabilitiesApi> =>
    (await import('./app/extensionApi')).extensionApi(system.then((made) => made.api));
  return {
    version: 1,
    registerCapability: async (...args) => (await api()).registerCapability(...args),
    listCapabilities: async () => (await api()).listCapabilities(),
    resolveProfile: async (...args) => (await api()).resolveProfile(...args),
    invokeTool: async (...args) => (await api()).invokeTool(...args),
  };
}
