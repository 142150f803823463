import * as vscode from 'vscode';
import { compose, type Core } from './compose';
import type { OpenTour } from '../core/agent/tour';
import type { AuditSink } from '../core/audit/event';
import type { DoctorFacts } from '../core/explain/doctor';
import { combineSinks } from '../core/audit/sinks';
import type { Disposable, DisposableStore } from '../core/base/lifecycle';
import type { ApiSystem } from './extensionApi';
import { isResolverFile } from '../core/resolver/workspace';
import { readSettings } from '../core/settings/readSettings';
import { auditKey, composeAudit } from './composeAudit';
import { editorAgent } from './editorAgent';
import { editorBase } from './editorBase';
import { editorChanges } from './editorChanges';
import { editorCapabilities } from './editorCapabilities';
import { editorDefinitions } from './editorDefinitions';
import { editorGovernance } from './editorGovernance';
import { editorNotices } from './editorNotices';
import type { EditorAudit, EditorBase, EditorParts } from './editorParts';
import { editorPlatform } from './editorPlatform';
import { editorProfiles } from './editorProfiles';
import { editorTour } from './editorTour';
import { editorTree } from './editorTree';
import { startEditorMcp } from './editorMcp';
import { type OtherAgents, otherAgents } from './otherAgents';
import { ownedUnless } from './ownedUnless';
import { localFiles } from '../node/localFiles';
import { watchPolicyFolders } from '../node/watchFolders';
import { nodeCrypto, systemClock } from '../node/system';
import { auditChannelName } from '../vscode/audit/auditChannel';
import type { StandInSystem } from '../vscode/standIns/standIns';
import { OutsideCalls, type OutsideCallsOptions } from '../vscode/confirm/outsideCalls';
import { PolicyFiles } from '../vscode/files/policyFiles';
import { PolicyFolders } from '../vscode/files/policyFolders';
import { type LateConfirmer, lateConfirmer } from '../vscode/confirm/lateConfirmer';
import type { GovernanceContext } from '../vscode/governance/governanceCommand';
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
  const auditChannel = store.add(vscode.window.createOutputChannel(auditChannelName, { log: true }));
  const policyFolders = store.add(new PolicyFolders(watchPolicyFolders));
  const [policyFiles, key] = await Promise.all([
    PolicyFiles.open({ accepts: isResolverFile, folders: policyFolders, log: base.log, local: localFiles }).then(
      (files) => store.add(files),
    ),
    auditKey(base.secrets, readSettings(base.settings.layers()).get('audit.signed')),
  ]);
  signal.throwIfAborted();

  // Events are recorded and people are asked once the core exists, so both may ask it.
  const audit: EditorAudit = store.add(
    composeAudit({
      base,
      channel: auditChannel,
      settings: () => core.settings(),
      ownArgument: (value) => outside.own(value),
      profileName: (id) => core.tools.profiles.nameOf(id, vscode.l10n.t),
      changes: () => changes,
      key,
    }),
  );
  const { confirmer, decisions, learned } = asking({ base, audit, core: () => core, store });
  const core: Core = store.add(
    compose(
      editorPlatform({
        base,
        store,
        policyFolders,
        policyFiles,
        confirmer,
        audit: everyRecord(base, audit),
        core: () => core,
      }),
    ),
  );

  const { editor } = store.add(editorProfiles({ base, core }));
  const tree = store.add(editorTree({ base, core, editor }));
  const isRow = (value: unknown): boolean => tree.view.isOwnRow(value) || changes?.isOwnRow(value) === true;
  const outside = wall({ base, core, isRow });
  store.add(todoView({ base, core }));
  const changes = editorChanges({ base, core, outside });
  if (changes) store.add(changes);
  const { agentFile, panel: runtimeAgentPanel } = store.add(editorAgent({ base, core }));
  const tour = store.add(editorTour(base));
  store.add(editorDefinitions({ base, core, outside }));
  store.add(editorNotices({ base, core, editor, agentFile, tree }));
  const mcp = store.add(startEditorMcp({ base, core, editor, outside, tree }));
  store.add(editorCapabilities({ base, core, editor, tree, outside, agentFile, runtimeAgentPanel, auditChannel }));
  store.add(editorGovernance({ base, core, policyFolders, policyFiles, tree, outside, audit, learned, decisions }));
  const agents = store.add(otherAgents({ base, core, tree, audit, agentFile }));
  store.add(doctorCommand({ base, core, agents }));

  await core.ready;
  signal.throwIfAborted();
  agents.begin();
  return {
    ...answering({ base, core, editor }, () => tour.open()),
    server: mcp.server,
    save: () => core.policy.limits.save(),
    dispose: () => store.dispose(),
  };
}

/** Who asks a person about calls, and what they are shown that the answers before have taught. */
function asking({
  base: { answered, questions },
  audit,
  core,
  store,
}: Pick<EditorParts, 'audit' | 'base'> & {
  /** There once all is composed. */
  readonly core: () => Core;
  readonly store: DisposableStore;
}): LateConfirmer & Pick<GovernanceContext, 'learned'> {
  const learned = {
    reader: audit.reader,
    answered,
    files: () => core().gate.ports.files,
    clock: systemClock,
    questions,
  };
  const late = lateConfirmer({
    questions,
    clock: systemClock,
    crypto: nodeCrypto,
    isUnlocked: () => core().policy.admin.isUnlocked,
    queue: () => core().policy.queue,
    learned,
    store,
  });
  return { ...late, learned };
}

/** The audit, and all that follows what it is told. */
const everyRecord = ({ answered, inputs, keys, log, recent }: EditorBase, { sink }: EditorAudit): AuditSink =>
  combineSinks([sink, walkthroughProgress(keys), inputs, recent, answered], (message) => log.error(message));

/** The wall in front of our own commands. */
function wall({
  base: { settings, textQuestions, titleOf },
  core,
  isRow,
}: Pick<EditorParts, 'base' | 'core'> & Pick<OutsideCallsOptions, 'isRow'>): OutsideCalls {
  const { profiles, registry } = core.tools;
  const { t } = vscode.l10n;
  return new OutsideCalls({
    questions: textQuestions,
    registry,
    mode: () => profiles.active().mode,
    isRow,
    titleOf,
    wider: (id, args) => widerCall({ profiles, registry, t }, id, args),
    caughtUp: () => settings.caughtUp(),
    t,
  });
}

function todoView({ base: { commands, keys, texts }, core }: Pick<EditorParts, 'base' | 'core'>): TodoView {
  const { profiles } = core.tools;
  return new TodoView({
    todos: core.gate.todos,
    profile: () => {
      const { profile } = profiles.active();
      return { id: profile.id, name: profiles.nameOf(profile.id, vscode.l10n.t) };
    },
    onDidChangeProfile: profiles.onDidChange,
    commands,
    keys,
    texts,
  });
}

/** *Doctor*, which is loaded when it is asked. */
function doctorCommand({
  base: { commands, context, version },
  core,
  agents,
}: Pick<EditorParts, 'base' | 'core'> & { readonly agents: Pick<OtherAgents, 'meters'> }): Disposable {
  const examined = async (): Promise<DoctorFacts> =>
    (await import('./doctorFacts')).doctorFacts({
      core,
      version,
      folder: context.asAbsolutePath('dist'),
      meters: await agents.meters(),
    });
  return commands.add({ doctor: async () => (await import('../vscode/doctor/doctor')).showDoctor(examined) });
}

/** What answers the editor and other extensions from now on. */
function answering(
  { base, core, editor }: Pick<EditorParts, 'base' | 'core' | 'editor'>,
  openTour: () => Promise<OpenTour>,
): Pick<EditorSystem, 'api' | 'commands' | 'participant' | 'prompts' | 'tools'> {
  const { asked, commands, log, questions } = base;
  const { registry, profiles } = core.tools;
  const { router, changes } = core.gate;
  const { runtimeAgent } = core.agents;
  return {
    api: { registry, profiles, router, runtimeAgent },
    tools: {
      router,
      tool: (reference) => registry.tool(reference),
      why: (tool, input) => asked.link(tool, input),
      ...(changes ? { next: () => asked.next() } : {}),
      ...(core.policy.approvals.coming ? { coming: core.policy.approvals.coming } : {}),
      surface: () => core.settings().get('confirmation.surface'),
    },
    commands,
    participant: {
      registry,
      profiles,
      router,
      plans: core.policy.plans,
      questions,
      asked,
      runtimeAgent,
      openTour,
      log,
    },
    prompts: { profiles, editor },
  };
}
