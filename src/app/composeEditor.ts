import { lazy } from '../core/base/lazy';
import { worded } from '../core/base/sentence';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { compose, type Core } from './compose';
import { AnsweredCalls } from '../core/learning/answeredCalls';
import { RecentCalls } from '../core/audit/recentCalls';
import { RecentInputs } from '../core/audit/recentInputs';
import type { DoctorFacts } from '../core/explain/doctor';
import { combineSinks } from '../core/audit/sinks';
import type { DisposableStore } from '../core/base/lifecycle';
import type { ApiSystem } from './extensionApi';
import { isResolverFile } from '../core/resolver/workspace';
import { readSettings } from '../core/settings/readSettings';
import { withoutOwnSecrets } from '../core/ports/ownSecrets';
import { ProfileEditor } from '../core/profiles/profileEditor';
import { auditKey, composeAudit, type EditorAudit } from './composeAudit';
import { editorDefinitions } from './editorDefinitions';
import { editorPlatform } from './editorPlatform';
import { editorTour } from './editorTour';
import { editorTree } from './editorTree';
import { ownVersion, startEditorMcp } from './editorMcp';
import { otherAgents } from './otherAgents';
import { ownedUnless } from './ownedUnless';
import { replaceText } from '../node/files/replaceFile';
import { localFiles } from '../node/localFiles';
import { ManagedFile, managedFileInForce } from '../node/managedFile';
import { FileLock } from '../node/fileLock';
import { nodeCrypto, systemClock } from '../node/system';
import { rememberActiveProfile } from '../vscode/settings/activeProfile';
import { AgentFileWriter } from '../vscode/agent/agentFileWriter';
import { auditChannelName } from '../vscode/audit/auditChannel';
import { registerChanges } from '../vscode/changes/register';
import { lazily } from '../vscode/commands/lazily';
import { CommandRuns } from '../vscode/commands/commandRuns';
import { addCapabilityCommands } from '../vscode/commands/index';
import { ContextKeys, followTools } from '../vscode/settings/contextKeys';
import { EditorSettings } from '../vscode/settings/editorSettings';
import { registerGovernance } from '../vscode/governance/register';
import { textWriter } from '../vscode/files/fileText';
import { prepareSearchInTime } from '../vscode/files/idleSearch';
import type { StandInSystem } from '../vscode/standIns/standIns';
import { ModalQuestions } from '../vscode/confirm/modalQuestions';
import { offerToDecide, showModal } from '../vscode/confirm/modalSurface';
import { commandTitle, OutsideCalls } from '../vscode/confirm/outsideCalls';
import { PolicyFiles } from '../vscode/files/policyFiles';
import { lateConfirmer } from '../vscode/confirm/lateConfirmer';
import { registerPolicyTesting } from '../vscode/testing/register';
import { ReadOnlyText } from '../vscode/files/readOnlyText';
import type { RuntimeAgentPanel } from '../vscode/agent/runtimeAgentPanel';
import { TextQuestions } from '../vscode/confirm/textQuestions';
import { callsLeft } from '../core/policy/plans/plans';
import { KeptCalls } from '../vscode/tools/keptCalls';
import { channelLog, editorSecrets, mementoStore } from '../vscode/settings/storage';
import { walkthroughProgress } from '../vscode/commands/walkthroughProgress';
import { addSecretCommands } from '../vscode/commands/secretCommands';
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
  const channel = store.add(vscode.window.createOutputChannel('Agent Capabilities', { log: true }));
  const auditChannel = store.add(vscode.window.createOutputChannel(auditChannelName, { log: true }));
  const log = channelLog(channel);
  const writeText = textWriter(replaceText);
  const commands = new CommandRuns((message) => log.error(message));
  const named = vscode.workspace
    .getConfiguration('agentCapabilities')
    .inspect<string>('policy.managedFile')?.globalValue;
  const managed = store.add(new ManagedFile(managedFileInForce(named), (said) => log.error(worded(said))));
  const settings = store.add(
    new EditorSettings({ managed: () => managed.values, globalStorage: context.globalStorageUri, writeText, log }),
  );
  managed.watch(() => settings.refresh());
  const storage = mementoStore(context.workspaceState);
  const titleOf = (command: string): string => commandTitle(context.extension.packageJSON, command);
  const texts = store.add(new ReadOnlyText(titleOf));
  const questions = new ModalQuestions(showModal, systemClock);
  const textQuestions = new TextQuestions({
    questions,
    showText: async (...shown) => (await import('../vscode/confirm/shownText')).shownText(texts.put(...shown)),
    goOn: offerToDecide,
    t: vscode.l10n.t,
  });
  const inputs = new RecentInputs();
  const recent = new RecentCalls();
  const answered = new AnsweredCalls();
  const asked = new KeptCalls(() => nodeCrypto.randomId());
  const secrets = editorSecrets(context.secrets);
  const globalStorage = context.globalStorageUri.fsPath;
  const [policyFiles, key] = await Promise.all([
    PolicyFiles.open(isResolverFile, log, localFiles).then((files) => store.add(files)),
    auditKey(secrets, readSettings(settings.layers()).get('audit.signed')),
  ]);
  signal.throwIfAborted();
  // Events are recorded once the core exists, so both may ask it.
  const audit: EditorAudit = store.add(
    composeAudit({
      context,
      channel: auditChannel,
      commands,
      texts,
      log,
      settings: () => core.settings(),
      ownArgument: (value) => outside.own(value),
      inputs,
      profileName: (id) => profiles.profiles().get(id)?.profile.name ?? id,
      changes: () => changesView,
      ...(key ? { key } : {}),
    }),
  );

  const keys = new ContextKeys();
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
        context,
        store,
        log,
        settings,
        storage,
        secrets,
        policyFiles,
        confirmer,
        questions,
        textQuestions,
        audit: combineSinks([audit.sink, walkthroughProgress(keys), inputs, recent, answered], (message) =>
          log.error(message),
        ),
        core: () => core,
      }),
    ),
  );
  const { onDidChange, problems, settings: current } = core;
  const { registry, profiles, discovery } = core.tools;
  const { router, resolver, todos, ports, changes } = core.gate;
  const { runtimeAgent, ownAgent, prompts } = core.agents;
  const { engine, grants, plans, limits, admin, queue, reader } = core.policy;
  store.add(
    rememberActiveProfile({
      profiles,
      setting: () => profiles.configured().id,
      own: () => profiles.ownId(),
      onDidChangeSettings: core.onDidChangeSettings,
      storage,
    }),
  );
  const profilesLock = new FileLock(path.join(globalStorage, 'profiles.lock'));
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
  const tree = store.add(
    editorTree({
      core,
      editor,
      keys,
      recent,
      log,
      ownId: context.extension.id,
      isDeveloper: context.extensionMode !== vscode.ExtensionMode.Production,
    }),
  );
  const { view, capabilitySwitch, protection } = tree;
  const governed = { policy: engine, grants, plans, admin, queue, resolver };
  const outside = new OutsideCalls({
    questions: textQuestions,
    registry,
    mode: () => profiles.active().mode,
    isRow: (value) => view.isOwnRow(value) || changesView?.isOwnRow(value) === true,
    titleOf,
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
  const changesView =
    changes &&
    store.add(
      registerChanges(
        commands,
        {
          changes: changes.port,
          onDidChange: changes.onDidChange,
          files: ports.files,
          crypto: nodeCrypto,
          router,
          storage,
          keys,
          profileName: (id) => profiles.profiles().get(id)?.profile.name ?? id,
          toolTitle: (id) => core.tools.registry.tool(id)?.definition.title ?? id,
          pastCall: (call) => recent.find(call),
          decorates: () => current().get('changes.decorations'),
          onDidChangeSettings: core.onDidChangeSettings,
          onProblem: (message) => log.error(message),
        },
        (token) => asked.undoneBy(token),
        (own) => outside.guard(own),
      ),
    );
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
      userStorage: mementoStore(context.globalState),
      log,
      texts,
      userFolder: vscode.Uri.file(path.join(homedir(), '.copilot', 'agents')),
      writeText,
      extensionId: context.extension.id.toLowerCase(),
    }),
  );
  // What the status bar says comes behind the start.
  void import('../vscode/tree/statusBar').then(({ showStatus }) => {
    if (store.isDisposed) return;
    store.add(
      showStatus({
        profile: () => profiles.active(),
        pendingApprovals: () => queue?.pending().length ?? 0,
        plan: () => plans.active && { title: plans.active.title, left: callsLeft(plans.active) },
        unprotected: () => protection.red,
        reader: () => reader?.status(),
        labels: () => core.gate.flow.labels(),
        agent: () => agentFile.listed,
        changes: [profiles, plans, protection, queue, reader, core.gate.flow, agentFile].flatMap(
          (one) => one?.onDidChange ?? [],
        ),
      }),
    );
  });
  const tour = store.add(editorTour({ context, commands, questions, texts, log }));
  store.add(addSecretCommands(commands, withoutOwnSecrets(secrets)));
  store.add(editorDefinitions({ core, commands, questions: textQuestions, outside, texts }));
  // What is asked of a person comes behind the start.
  void import('../vscode/confirm/wideningQuestion').then(({ askAboutWidening, tellOfHeldBack }) => {
    if (store.isDisposed) return;
    store.add(askAboutWidening(profiles, keys, storage));
    store.add(tellOfHeldBack(profiles, editor));
  });
  void import('../vscode/confirm/promptQuestion').then(({ askAboutPrompts }) => {
    if (!store.isDisposed) store.add(askAboutPrompts({ prompts, profiles }, keys, storage));
  });
  const panel = lazy(async (): Promise<RuntimeAgentPanel> => {
    const { RuntimeAgentPanel: Panel } = await import('../vscode/agent/runtimeAgentPanel');
    const sessions = () => core.gate.flow.loaded?.sessions() ?? [];
    return store.add(new Panel(runtimeAgent, sessions, [onDidChange, core.gate.flow.onDidChange], nodeCrypto));
  });
  const runtimeAgentPanel = { show: async () => (await panel()).show() };
  const mcp = store.add(
    startEditorMcp({ context, core, commands, editor, view, log, questions: textQuestions, texts, outside, writeText }),
  );
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
  store.add(
    registerGovernance(commands, {
      ...governed,
      flow: core.gate.flow,
      hidden: core.gate.hidden,
      registry,
      settings: current,
      problems,
      everyProfile: () => core.agents.checks.everyProfile(),
      onDidChange,
      files: policyFiles,
      audit: audit.reader,
      learned,
      inputs,
      asked,
      recent,
      home: homedir(),
      ownRules: settings,
      writeText,
      profile: () => profiles.active(),
      revealGroup: (id) => view.reveal(id),
      texts,
      decisions,
      questions,
      outside,
      keys,
      clock: systemClock,
      log,
      selection: (clicked, selected) => view.selection(clicked, selected),
    }),
  );
  store.add(
    registerPolicyTesting({
      policy: engine,
      profiles,
      registry,
      gate: core.gate,
      texts,
      log,
      refresh: async () => policyFiles.refresh(),
    }),
  );
  const agents = store.add(
    otherAgents({ context, core, commands, tree, questions, texts, audit: audit.sink, log, recent, agentFile }),
  );
  const doctor = lazily(async () => (await import('../vscode/doctor/doctor')).showDoctor);
  const examined = async (): Promise<DoctorFacts> =>
    (await import('./doctorFacts')).doctorFacts({
      core,
      version: ownVersion(context),
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
