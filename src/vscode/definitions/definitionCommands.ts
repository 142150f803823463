import * as vscode from 'vscode';
import type { DefinitionLoader } from '../../core/definitions/loader';
import type { DefinitionTemplate } from '../../core/definitions/templates';
import { describeProblem } from '../../core/definitions/words';
import type { CapabilityRegistry, RegisteredTool } from '../../core/registry/registry';
import { reviewDefinition } from './definitionApprover';
import { definitionFile, definitionUri } from './definitionPlaces';
import type { SecretStore } from '../../core/ports/platform';
import { runCommand } from '../manifest/commands/runCommand';
import type { OutsideCalls } from '../confirm/outsideCalls';
import type { TextQuestions } from '../confirm/textQuestions';
import { sourceKind } from '../../core/vocabulary/toolSource';
import { inProgress, showError, showInformation, showWarning } from '../notices';
import { makeFoldersSeen } from '../files/makeSeen';

export interface DefinitionCommandContext {
  readonly loader: DefinitionLoader;
  readonly registry: CapabilityRegistry;
  readonly questions: TextQuestions;
  readonly outside: OutsideCalls;
  /** The secrets that definitions, servers and probes name as `${secret:NAME}`. */
  readonly secrets: SecretStore;
  readonly reloadChannels: () => Promise<void>;
  /** Shows text that nobody edits, beside the editor. */
  readonly showText: (title: string, markdown: string) => Promise<void>;
}

export async function newDefinition(): Promise<void> {
  const folder = await pickFolder();
  if (!folder) return;
  const { definitionTemplates } = await import('../../core/definitions/templates');
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { readonly template: DefinitionTemplate }>(
    definitionTemplates.map((template) => ({ ...template.words(vscode.l10n.t), template })),
    { title: vscode.l10n.t('New capability definition'), placeHolder: vscode.l10n.t('What should the tool do?') },
  );
  if (!picked) return;
  const id = await vscode.window.showInputBox({
    title: vscode.l10n.t('New capability definition'),
    prompt: vscode.l10n.t('Id of the capability'),
    value: 'my_tools',
    validateInput: (value) =>
      /^[a-z][a-z0-9_]{0,62}$/.test(value)
        ? undefined
        : vscode.l10n.t('Small letters, digits and underscores, a letter first'),
  });
  if (id === undefined) return;
  const { template } = picked;
  const home = vscode.Uri.joinPath(folder.uri, '.vscode', 'capabilities');
  const file = vscode.Uri.joinPath(home, `${id}.${template.format}.json`);
  const edit = new vscode.WorkspaceEdit();
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  for (const [path, text] of Object.entries(template.files?.(id) ?? {}))
    edit.createFile(vscode.Uri.joinPath(home, ...path.split('/')), { ignoreIfExists: true, contents: encode(text) });
  edit.createFile(file, { contents: encode(template.text(id)) });
  await makeFoldersSeen(folder.uri, '.vscode/capabilities');
  if (!(await vscode.workspace.applyEdit(edit))) {
    void showError(vscode.l10n.t('{0} exists already.', vscode.workspace.asRelativePath(file)));
    return;
  }
  await vscode.window.showTextDocument(file);
  void showInformation(vscode.l10n.t('Change the template and save it; then you are asked whether its tools may act.'));
}

async function pickFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length > 1) return vscode.window.showWorkspaceFolderPick();
  if (!folders[0]) void showInformation(vscode.l10n.t('Open a folder first: definitions belong to a workspace.'));
  return folders[0];
}

/** Runs a tool of the definition in the active editor through the same command as the tree does. */
export async function tryDefinition({ loader, registry, outside }: DefinitionCommandContext): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const file = document && definitionFile(document.uri);
  if (document?.isDirty) await document.save();
  await loader.reload();
  const ids = new Set(
    loader
      .definitions()
      .filter((one) => file === undefined || one.file === file)
      .map((one) => one.capabilityId),
  );
  const tools = registry.tools().filter((tool) => ids.has(tool.capability.id));
  if (tools.length === 0) {
    void showInformation(
      vscode.l10n.t('There is no tool to try: the definition has a mistake or waits for your approval.'),
    );
    await vscode.commands.executeCommand('workbench.actions.view.problems');
    return;
  }
  const picked = tools.length === 1 ? tools[0] : await pickTool(tools);
  if (picked) await runCommand('runTool', outside.own(picked.id));
}

async function pickTool(tools: readonly RegisteredTool[]): Promise<RegisteredTool | undefined> {
  const items = tools.map((tool) => ({ label: tool.modelName, detail: tool.definition.userDescription, tool }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Try a tool') }))?.tool;
}

export async function validateDefinitions({ loader }: DefinitionCommandContext): Promise<void> {
  await loader.reload();
  const problems = loader.problems().filter((one) => one.severity !== 'information');
  const count = loader.definitions().length;
  const [first] = problems;
  if (!first) {
    void showInformation(
      count === 0
        ? vscode.l10n.t('There is no definition in .vscode/capabilities yet; New Capability Definition… makes one.')
        : count === 1
          ? vscode.l10n.t('1 definition, no problems.')
          : vscode.l10n.t('{0} definitions, no problems.', count),
    );
    return;
  }
  void showWarning(
    vscode.l10n.t(
      'Definitions: {0}, problems: {1}. The first: {2}',
      count,
      problems.length,
      describeProblem(first, vscode.l10n.t),
    ),
  );
  await vscode.commands.executeCommand('workbench.actions.view.problems');
}

export async function explainDefinition({ loader, showText }: DefinitionCommandContext): Promise<void> {
  const open = vscode.window.activeTextEditor?.document;
  let file = open && definitionFile(open.uri);
  let text = file === undefined ? undefined : open?.getText();
  if (file === undefined) {
    const picked = await vscode.window.showQuickPick([...new Set(loader.definitions().map((one) => one.file))], {
      title: vscode.l10n.t('Explain a definition'),
    });
    const uri = picked === undefined ? undefined : definitionUri(picked);
    if (picked === undefined || !uri) return;
    file = picked;
    text = (await vscode.workspace.openTextDocument(uri)).getText();
  }
  const page = await import('../../core/present/definitionPage');
  await showText(file, page.explainDefinition(text ?? '', file, loader.problems(), vscode.l10n.t));
}

export async function approveDefinitions({ loader, questions }: DefinitionCommandContext): Promise<void> {
  const pending = loader.pending();
  if (pending.length === 0) {
    void showInformation(vscode.l10n.t('No definition waits for your approval.'));
    return;
  }
  for (const approval of pending) if (await reviewDefinition(questions, approval)) await loader.approve(approval.hash);
}

/** Asks every channel for its manifest again and says what came of it. */
export async function reloadChannels(context: DefinitionCommandContext): Promise<void> {
  await inProgress(vscode.l10n.t('Asking the channels…'), () => context.reloadChannels());
  const channels = context.registry.capabilities().filter(({ source }) => sourceKind(source).isFetched).length;
  const failed = context.loader.problems().filter(({ severity }) => severity === 'error').length;
  if (failed === 0) void showInformation(vscode.l10n.t('Channels loaded: {0}.', channels));
  else
    void showWarning(
      vscode.l10n.t(
        'Channels loaded: {0}. Mistakes in definitions and channels: {1}; run Validate Everything.',
        channels,
        failed,
      ),
    );
}
