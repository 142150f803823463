import * as vscode from 'vscode';
import { AnsweredCalls } from '../core/learning/answeredCalls';
import { RecentCalls } from '../core/audit/recentCalls';
import { RecentInputs } from '../core/audit/recentInputs';
import { messageOf } from '../core/base/errorText';
import { worded } from '../core/base/sentence';
import type { DisposableStore } from '../core/base/lifecycle';
import { enduringStore } from '../core/ports/enduringStore';
import type { KeyValueStore } from '../core/ports/platform';
import { replaceText } from '../node/files/replaceFile';
import { localFiles } from '../node/localFiles';
import { ManagedFile, managedFilePath, managedPlaces } from '../node/managedFile';
import { nodeCrypto, systemClock } from '../node/system';
import { CommandRuns } from '../vscode/commands/commandRuns';
import { ModalQuestions } from '../vscode/confirm/modalQuestions';
import { offerToDecide, showModal } from '../vscode/confirm/modalSurface';
import { commandTitle } from '../vscode/confirm/outsideCalls';
import { TextQuestions } from '../vscode/confirm/textQuestions';
import { textWriter } from '../vscode/files/fileText';
import { ReadOnlyText } from '../vscode/files/readOnlyText';
import { ContextKeys } from '../vscode/settings/contextKeys';
import { EditorSettings } from '../vscode/settings/editorSettings';
import { channelLog, editorSecrets, mementoStore } from '../vscode/settings/storage';
import { showWarning } from '../vscode/notices';
import { KeptCalls } from '../vscode/tools/keptCalls';
import type { EditorBase } from './editorParts';

/** @param store owns what is made. */
export function editorBase(context: vscode.ExtensionContext, store: DisposableStore): EditorBase {
  const manifest: unknown = context.extension.packageJSON;
  const log = channelLog(store.add(vscode.window.createOutputChannel('Agent Capabilities', { log: true })));
  const writeText = textWriter(replaceText);
  const titleOf = (command: string): string => commandTitle(manifest, command);
  const texts = store.add(new ReadOnlyText(titleOf));
  const stored = (memento: vscode.Memento): KeyValueStore =>
    enduringStore(mementoStore(memento), (error) => {
      log.error(`the editor's storage cannot be written: ${messageOf(error)}`);
      void showWarning(vscode.l10n.t('What you choose cannot be stored and holds until this window is closed.'));
    });
  const questions = new ModalQuestions(showModal, systemClock);
  return {
    context,
    version: String(Reflect.get(Object(manifest), 'version') ?? '0.0.0'),
    log,
    commands: new CommandRuns((message) => log.error(message)),
    settings: editorSettings(context, store, { log, writeText }),
    writeText,
    storage: stored(context.workspaceState),
    userStorage: stored(context.globalState),
    secrets: editorSecrets(context.secrets),
    keys: new ContextKeys(),
    texts,
    questions,
    textQuestions: new TextQuestions({
      questions,
      showText: async (...shown) => (await import('../vscode/confirm/shownText')).shownText(texts.put(...shown)),
      goOn: offerToDecide,
      t: vscode.l10n.t,
    }),
    titleOf,
    inputs: new RecentInputs(),
    recent: new RecentCalls(),
    answered: new AnsweredCalls(),
    asked: new KeptCalls(() => nodeCrypto.randomId()),
  };
}

/** The settings of every scope, an organization's file above them. */
function editorSettings(
  context: vscode.ExtensionContext,
  store: DisposableStore,
  { log, writeText }: Pick<EditorBase, 'log' | 'writeText'>,
): EditorSettings {
  const fixed = managedFilePath(process.platform);
  const config = () => vscode.workspace.getConfiguration('agentCapabilities');
  const places = () => managedPlaces(config().inspect<string>('policy.managedFile')?.globalValue, fixed);
  const managed = store.add(new ManagedFile(places(), (said) => log.error(worded(said))));
  // It is read before the settings tell of the change.
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('agentCapabilities.policy.managedFile')) managed.lookIn(places());
    }),
  );
  const globalStorage = context.globalStorageUri;
  const settings = store.add(new EditorSettings({ managed, globalStorage, writeText, log, local: localFiles }));
  managed.watch(() => settings.refresh());
  return settings;
}
