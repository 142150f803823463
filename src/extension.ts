import { lazy } from './core/base/lazy';
import * as vscode from 'vscode';
import type { AgentCapabilitiesApi } from './app/api';
import type { EditorSystem } from './app/composeEditor';
import type { GovernedTool } from './vscode/tools/languageModelTools';
import { messageOf } from './core/base/errorText';

let running: Promise<EditorSystem> | undefined;

/**
 * Starts the extension. Little happens here: the tools are registered by name from the manifest at once, everything
 * else is loaded behind them, after the editor's start. It answers when the commands are there, because the editor runs
 * a command that a person chose meanwhile as soon as this ends. What fails is shown to the person, never swallowed.
 */
export async function activate(context: vscode.ExtensionContext): Promise<AgentCapabilitiesApi> {
  const system = import('./app/composeEditor').then(({ composeEditor }) => composeEditor(context));
  running = system;
  for (const name of toolNames(context))
    context.subscriptions.push(vscode.lm.registerTool(name, lazyTool(name, system)));
  await system.then(
    (made) => context.subscriptions.push(made),
    (error: unknown) => void showFailure(error),
  );
  return lazyApi(system);
}

export async function deactivate(): Promise<void> {
  const system = await running?.catch(() => undefined);
  running = undefined;
  try {
    await system?.save();
  } finally {
    system?.dispose();
  }
}

/** The names in the manifest, so that no definition has to be loaded to register a tool. */
function toolNames(context: vscode.ExtensionContext): readonly string[] {
  const manifest: unknown = context.extension.packageJSON;
  const contributes = property(manifest, 'contributes');
  const tools = property(contributes, 'languageModelTools');
  if (!Array.isArray(tools)) return [];
  return tools
    .map((tool: unknown) => property(tool, 'name'))
    .filter((name): name is string => typeof name === 'string');
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function lazyTool(name: string, system: Promise<EditorSystem>): vscode.LanguageModelTool<object> {
  const tool = lazy(async (): Promise<GovernedTool> => {
    const { GovernedTool: Governed } = await import('./vscode/tools/languageModelTools');
    return new Governed(name, async () => (await system).tools);
  });
  return {
    prepareInvocation: async (options, token) => (await tool()).prepareInvocation(options, token),
    invoke: async (options, token) => (await tool()).invoke(options, token),
  };
}

/** The API, whose code is loaded when another extension calls it. */
function lazyApi(system: Promise<EditorSystem>): AgentCapabilitiesApi {
  const api = lazy(async (): Promise<AgentCapabilitiesApi> =>
    (await import('./app/extensionApi')).extensionApi(system.then((made) => made.api)),
  );
  return {
    version: 1,
    registerCapability: async (...args) => (await api()).registerCapability(...args),
    listCapabilities: async () => (await api()).listCapabilities(),
    resolveProfile: async (...args) => (await api()).resolveProfile(...args),
    invokeTool: async (...args) => (await api()).invokeTool(...args),
  };
}

async function showFailure(error: unknown): Promise<void> {
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const show = vscode.l10n.t('Show Details');
  const message = messageOf(error);
  const picked = await vscode.window.showErrorMessage(
    vscode.l10n.t('Agent Capabilities did not start: {0}', message),
    show,
  );
  if (picked === show)
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: details }));
}
