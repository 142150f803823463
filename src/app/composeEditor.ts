import { lazy } from '../core/base/lazy';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { compose, type Core } from './compose';
import type { DoctorFacts } from '../core/explain/doctor';
import { combineSinks } from '../core/audit/sinks';
import type { DisposableStore } from '../core/base/lifecycle';
import type { ApiSystem } from './extensionApi';
import { isResolverFile } from '../core/resolver/workspace';
import { readSettings } from '../core/settings/readSettings';
import { ProfileEditor } from '../core/profiles/profileEditor';
import { auditKey, composeAudit } from './composeAudit';
import { editorBase } from './editorBase';
import { editorChanges } from './editorChanges';
import { editorDefinitions } from './editorDefinitions';
import { editorGovernance } from './editorGovernance';
import { editorNotices } from './editorNotices';
import type { EditorAudit } from './editorParts';
import { editorPlatform } from './editorPlatform';
import { editorTour } from './editorTour';
import { editorTree } from './editorTree';
import { startEditorMcp } from './editorMcp';
import { otherAgents } from './otherAgents';
import { ownedUnless } from './ownedUnless';
import { localFiles } from '../node/localFiles';
import { FileLock } from '../node/fileLock';
import { replaceListedText } from '../node/files/replaceFile';
import { nodeCrypto, systemClock } from '../node/system';
import { rememberActiveProfile } from '../vscode/settings/activeProfile';
import { AgentFileWriter } from '../vscode/agent/agentFileWriter';
import { auditChannelName } from '../vscode/audit/auditChannel';
import { lazily } from '../vscode/commands/lazily';
import { addCapabilityCommands } from '../vscode/commands/index';
import { followTools } from '../vscode/settings/contextKeys';
import { textWriter } from '../vscode/files/fileText';
import { prepareSearchInTime } from '../vscode/files/idleSearch';
import type { StandInSystem } from '../vscode/standIns/standIns';
import { OutsideCalls } from '../vscode/confirm/outsideCalls';
import { PolicyFiles } from '../vscode/files/policyFiles';
import { lateConfirmer } from '../vscode/confirm/lateConfirmer';
import type { RuntimeAgentPanel } from '../vscode/agent/runtimeAgentPanel';
import { walkthroughProgress } from '../vscode/commands/walkthroughProgress';
import { TodoView } from '../vscode/todos/todoView';
import { widerCall } from '../vscode/confirm/widerCalls';

export interface EditorSystem extends StandInSystem {
  readonly api: ApiSystem;
  /** Keeps what is still in memory; awaited before `dispose`. */
  save(): Promise<void>;
  dispose(): void;
}

/**
 * Makes every object of the extension once, in order of dependency, and wires it to the editor.
 * @param signal ends it meanwhile: what was made is let go of at once, and the answer is its reason.
 */
export function composeEditor(context: vscode.ExtensionContext, signal: AbortSignal): Promise<EditorSystem> {
  return ownedUnless(signal, (store) => wire(context, store, signal));
}

async function wire(
  context: vscode.ExtensionContext,
  store: DisposableStore,
  signal: AbortSignal,
): Promise<EditorSystem> {
  const base = editorBase(context, store);
  const { log, commands, settings, storage, texts, questions, textQuestions, secrets, keys } = base;
  const { inputs, recent, answered, asked } = base;
  const auditChannel = store.add(vscode.window.createOutputChannel(auditChannelName, { log: true }));
  const [policyFiles, key] = await Promise.all([
    PolicyFiles.open(isResolverFile, log, localFiles).then((files) => store.add(files)),
    auditKey(secrets, readSettings(settings.layers()).get('audit.signed')),
  ]);
  signal.throwIfAborted();
  // Events are recorded once the core exists, so both may ask it.
  const audit: EditorAudit = store.add(
    composeAudit({
      base,
      channel: auditChannel,
      settings: () => core.settings(),
      ownArgument: (value) => outside.own(value),
      profileName: (id) => profiles.nameOf(id),
      changes: () => changesView,
      key,
    }),
  );

  const learned = { reader: audit.reader, answered, files: () => core.gate.ports.files, clock: systemClock, questions };
  const { confirmer, decisions } = lateConfirmer({
    questions,
    clock: systemClock,
    crypto: nodeCrypto,
    isUnlocked: () => core.policy.admin.isUnlocked,
    queue: () => core.policy.queue,
    learned,
    store,
  });
  const core: Core = store.add(
    compose(
      editorPlatform({
        base,
        store,
        policyFiles,
        confirmer,
        audit: combineSinks([audit.sink, walkthroughProgress(keys), inputs, recent, answered], (message) =>
          log.error(message),
        ),
        core: () => core,
      }),
    ),
  );
  const { onDidChange, settings: current } = core;
  const { registry, profiles, discovery } = core.tools;
  const { router, todos, ports, changes } = core.gate;
  const { runtimeAgent, ownAgent, prompts } = core.agents;
  const { plans, limits, queue } = core.policy;
  store.add(
    rememberActiveProfile({
      profiles,
      setting: () => profiles.configured().id,
      own: () => profiles.merged.ownId(),
      onDidChangeSettings: core.onDidChangeSettings,
      storage,
    }),
  );
  const profilesLock = new FileLock(path.join(context.globalStorageUri.fsPath, 'profiles.lock'));
  const editor = store.add(
    new ProfileEditor({ store: profiles, settings, log, storage, exclusive: (work) => profilesLock.run(work) }),
  );
  store.add(followTools({ registry, profiles, found: discovery.found }, keys));
  store.add(
    prepareSearchInTime({
      prepareSearch: (isTimeUp) => discovery.prepare(isTimeUp),
      onDidChange: registry.onDidChange,
    }),
  );
  const tree = store.add(editorTree({ base, core, editor }));
  const { view, capabilitySwitch } = tree;
  const outside = new OutsideCalls({
    questions: textQuestions,
    registry,
    mode: () => profiles.active().mode,
    isRow: (value) => view.isOwnRow(value) || changesView?.isOwnRow(value) === true,
    titleOf: base.titleOf,
    wider: (id, args) => widerCall({ profiles, registry, t: vscode.l10n.t }, id, args),
    caughtUp: () => settings.caughtUp(),
    t: vscode.l10n.t,
  });
  store.add(
    new TodoView({
      todos,
      profile: () => profiles.active().profile,
      onDidChangeProfile: profiles.onDidChange,
      commands,
      keys,
      texts,
    }),
  );
  const changesView = editorChanges({ base, core, outside });
  if (changesView) store.add(changesView);
  const agentFile = store.add(
    new AgentFileWriter({
      profiles,
      settings: current,
      runtimeAgent,
      ownAgent,
      isTrusted: core.isTrusted,
      report: core.report,
      onDidChange,
      files: ports.files,
      crypto: nodeCrypto,
      storage,
      userStorage: base.userStorage,
      log,
      texts,
      userFolder: vscode.Uri.file(path.join(homedir(), '.copilot', 'agents')),
      writeText: textWriter(replaceListedText),
      extensionId: context.extension.id.toLowerCase(),
    }),
  );
  const tour = store.add(editorTour(base));
  store.add(editorDefinitions({ base, core, outside }));
  store.add(editorNotices({ base, core, editor, agentFile, tree }));
  const panel = lazy(async (): Promise<RuntimeAgentPanel> => {
    const { RuntimeAgentPanel: Panel } = await import('../vscode/agent/runtimeAgentPanel');
    const { flow } = core.gate;
    const labels = () => flow.loaded?.sessions() ?? [];
    const changes = [onDidChange, flow.onDidChange];
    return store.add(new Panel({ agent: runtimeAgent, labels, changes, crypto: nodeCrypto }));
  });
  const runtimeAgentPanel = { show: async () => (await panel()).show() };
  const mcp = store.add(startEditorMcp({ base, core, editor, outside, tree }));
  store.add(
    addCapabilityCommands(commands, {
      registry,
      profiles,
      router,
      prompts,
      editor,
      view,
      capabilitySwitch,
      texts,
      textQuestions,
      outside,
      queue,
      agentFile,
      runtimeAgentPanel,
      auditChannel,
    }),
  );
  store.add(editorGovernance({ base, core, policyFiles, tree, outside, audit, learned, decisions }));
  const agents = store.add(otherAgents({ base, core, tree, audit, agentFile }));
  const doctor = lazily(async () => (await import('../vscode/doctor/doctor')).showDoctor);
  const examined = async (): Promise<DoctorFacts> =>
    (await import('./doctorFacts')).doctorFacts({
      core,
      version: base.version,
      folder: context.asAbsolutePath('dist'),
      meters: await agents.meters(),
    });
  store.add(commands.add({ doctor: () => doctor(examined) }));
  await core.ready;
  signal.throwIfAborted();
  agents.begin();

  return {
    api: { registry, profiles, router, runtimeAgent },
    tools: {
      router,
      tool: (reference) => registry.tool(reference),
      why: (tool, input) => asked.link(tool, input),
      ...(changes ? { next: () => asked.next() } : {}),
      surface: () => current().get('confirmation.surface'),
    },
    commands,
    participant: {
      registry,
      profiles,
      router,
      plans,
      questions,
      asked,
      runtimeAgent,
      openTour: () => tour.open(),
      log,
    },
    prompts: { profiles, editor },
    server: mcp.server,
    save: () => limits.save(),
    dispose: () => store.dispose(),
  };
}
