import * as vscode from 'vscode';
import { compose } from './compose';
import { accessVerb } from './core/access';
import { DisposableStore } from './core/base/lifecycle';
import type { ApprovalDesk, ApprovalRequest } from './core/gate/types';
import { ProfileEditor } from './core/profileEditor';
import { nodeCrypto, systemClock } from './node/system';
import { rememberActiveProfile } from './vscode/activeProfile';
import { CapabilitySwitch } from './vscode/capabilitySwitch';
import { CapabilityView } from './vscode/capabilityView';
import { registerCommands } from './vscode/commands/index';
import { ContextKeys, followTools } from './vscode/contextKeys';
import { EditorSettings } from './vscode/editorSettings';
import type { ToolHost } from './vscode/languageModelTools';
import { ModalQuestions } from './vscode/modalConfirmer';
import { showModal } from './vscode/modalSurface';
import { ReadOnlyText } from './vscode/readOnlyText';
import { showStatus } from './vscode/statusBar';
import { channelLog, editorSecrets, mementoStore } from './vscode/storage';

export interface EditorSystem {
  readonly tools: ToolHost;
  dispose(): void;
}

/** Makes every object of the extension once, in order of dependency, and wires it to the editor. */
export function composeEditor(context: vscode.ExtensionContext): EditorSystem {
  const store = new DisposableStore();
  const channel = store.add(vscode.window.createOutputChannel('Agent Capabilities', { log: true }));
  const auditChannel = store.add(vscode.window.createOutputChannel('Agent Capabilities Audit', { log: true }));
  const log = channelLog(channel);
  const settings = store.add(new EditorSettings(() => ({})));
  const storage = mementoStore(context.workspaceState);
  const questions = new ModalQuestions(showModal, systemClock);

  const core = store.add(
    compose({
      clock: systemClock,
      crypto: nodeCrypto,
      log,
      secrets: editorSecrets(context.secrets),
      storage,
      settings: { read: () => settings.layers(), onDidChange: settings.onDidChange },
      approvals: simpleDesk(questions),
      audit: { record: (event: unknown) => auditChannel.info(JSON.stringify(event)) },
    } as never),
  );
  store.add(
    rememberActiveProfile({
      profiles: core.profiles,
      setting: () => core.settings().string('activeProfile'),
      onDidChangeSettings: settings.onDidChange,
      storage,
    }),
  );
  const editor = new ProfileEditor({ store: core.profiles, settings, log });
  store.add(editor);
  const keys = new ContextKeys();
  store.add(followTools(core, keys));
  const texts = store.add(new ReadOnlyText());
  const capabilitySwitch = new CapabilitySwitch(core);
  const otherTools = (): number => vscode.lm.tools.filter((tool) => !tool.tags.includes('agent-capabilities')).length;
  const view = store.add(new CapabilityView({ core, editor, capabilitySwitch, keys, otherTools }));
  store.add(showStatus({ profile: () => core.profiles.active(), pendingApprovals: () => 0, onDidChange: core.onDidChange }));
  store.add(registerCommands({ core, editor, view, capabilitySwitch, texts, auditChannel }, log));

  return {
    tools: {
      router: core.router,
      tool: (reference) => core.registry.tool(reference),
      surface: () => core.settings().string('confirmation.surface'),
    },
    dispose: () => store.dispose(),
  };
}

/** Asks by modal without remembering anything. */
function simpleDesk(questions: ModalQuestions): ApprovalDesk {
  const title = ({ call, accesses }: ApprovalRequest): string => {
    const first = accesses[0];
    return `Allow "${call.tool.modelName}" to ${first ? `${accessVerb(first)} ${first.resource}` : 'run'}?`;
  };
  return {
    covering: () => undefined,
    async ask(request, signal) {
      const started = systemClock.monotonic();
      const answer = await questions.ask(
        {
          title: title(request),
          detail: request.reasons.map((reason) => reason.text).join('; '),
          buttons: [{ id: 'allow-once', label: 'Allow Once' }],
        },
        signal,
      );
      const waitedMs = systemClock.monotonic() - started;
      return answer === 'allow-once' ? { outcome: 'allowed', by: 'user', waitedMs } : { outcome: 'denied', by: 'user', waitedMs };
    },
  };
}
