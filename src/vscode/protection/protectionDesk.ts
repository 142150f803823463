import * as vscode from 'vscode';
import type { AuditSink } from '../../core/audit/event';
import type { RecentCalls } from '../../core/audit/recentCalls';
import type { Event } from '../../core/base/event';
import { Debounce } from '../../core/base/debounce';
import { DisposableStore } from '../../core/base/lifecycle';
import { worded } from '../../core/base/sentence';
import type { Clock, KeyValueStore } from '../../core/ports/platform';
import { protectionRows, stateWords } from '../../core/present/protectionRows';
import { type Agent, agents, agentOf } from '../../core/protection/agents';
import { isTreeRow, type TreeRow } from '../../core/present/treeRow';
import type { AgentProtection } from '../../core/protection/meter';
import { MeterRecord } from '../../core/protection/meterRecord';
import type { FileChange } from '../../core/protection/plan';
import type { FolderWatch, Protector } from '../../core/protection/protector';
import type { ModalQuestions } from '../confirm/modalQuestions';
import type { ReadOnlyText } from '../files/readOnlyText';
import type { AgentFileWriter } from '../agent/agentFileWriter';
import { offerHook } from './hookOffer';
import { showError, showInformation, showWarning } from '../notices';
import { shortTime } from '../times';
import { keyedKind } from '../../core/vocabulary/toolSource';

export interface ProtectionParts {
  readonly questions: ModalQuestions;
  readonly texts: ReadOnlyText;
  readonly audit: AuditSink;
  readonly clock: Clock;
  /** Makes what reads and writes the agents' files; loaded with the first use. */
  readonly protector: () => Promise<Protector>;
  readonly onProblem: (message: string) => void;
  readonly recent: Pick<RecentCalls, 'list' | 'onDidChange'>;
  readonly agentFile: Pick<AgentFileWriter, 'told'>;
  /** What was told to this user before. */
  readonly memory: KeyValueStore;
  /** True where the hook of the editor's own agent may be offered. */
  readonly offers: () => boolean;
  /** Fire when our tools in this window, or those of others, have changed. */
  readonly changes: readonly Event<void>[];
}

/** Told of the rows of the group, and of each agent whose hook does not hold, in words. */
type OnRows = (rows: readonly TreeRow[], red: readonly string[]) => void;

/** The agent of a row of the group, or of one of its tools. */
const agentOfRow = (row: unknown): string => (isTreeRow(row) ? (/^protection:([^:]+)/.exec(row.id)?.[1] ?? '') : '');

/** Puts hooks into agents' files with the person's yes, and looks after them. */
export class ProtectionDesk extends DisposableStore {
  readonly #parts: ProtectionParts;
  readonly #protection: Protector;
  readonly #onRows: OnRows;
  readonly #record: MeterRecord;
  readonly #watch: FolderWatch;

  /** @param onRows is told whenever a meter may have changed. */
  constructor(parts: ProtectionParts, protector: Protector, onRows: OnRows) {
    super();
    this.#parts = parts;
    this.#onRows = onRows;
    this.#protection = protector;
    this.#record = new MeterRecord(parts.audit, parts.clock);
    const soon = this.add(new Debounce(() => this.refresh(), 200));
    this.#watch = this.add(protector.watch(() => soon.start()));
    // A switch of the profile draws the tree; the meter, which reads files, comes after it.
    const later = this.add(new Debounce(() => this.refresh(), 1500));
    for (const change of parts.changes) this.add(change(() => later.restart()));
  }

  /** Brings the launcher up to date where something is installed, looks once, and again whenever a file changes. */
  begin(): void {
    const meters = this.refresh();
    if (meters.some(({ isInstalled }) => isInstalled)) this.#protection.refreshLauncher();
    this.refresh();
    if (this.#parts.offers()) this.#offerLater();
    void this.#proveInstalled();
  }

  /** Tries each installed hook once, behind everything else: what a file says is believed no longer than that. */
  async #proveInstalled(): Promise<void> {
    for (const agent of agents)
      if (!this.isDisposed && this.#protection.status(agent).isInstalled) await this.#protection.try(agent);
    if (!this.isDisposed) this.refresh();
  }

  /** Reads the meters anew and records what changed for an agent that is protected. */
  refresh(): readonly AgentProtection[] {
    const meters = this.#protection.all();
    for (const meter of meters) this.#record.note(meter);
    this.#watch.look();
    const shown = meters.filter(({ isHere, isInstalled }) => isHere || isInstalled);
    this.#onRows(
      protectionRows({ meters: shown, when: shortTime, t: vscode.l10n.t }),
      shown.filter(({ isRed }) => isRed).map((meter) => `${meter.name}: ${stateWords(meter, vscode.l10n.t)}`),
    );
    return meters;
  }

  /** With the first call that a chat makes: only then is one open for sure. */
  #offerLater(): void {
    const { recent, agentFile, memory, onProblem } = this.#parts;
    const vscodeAgent = agentOf('vscode');
    const first = this.add(
      recent.onDidChange(() => {
        const [call] = recent.list();
        if (!call?.isAgents || keyedKind(call.tool)?.runsElsewhere || !vscodeAgent) return;
        first.dispose();
        const meter = (): AgentProtection => this.#protection.status(vscodeAgent);
        offerHook({ memory, agent: () => agentFile.told(), meter }).catch((error: unknown) => onProblem(String(error)));
      }),
    );
  }

  /** *Protect This Agent…*: asks which, shows the difference, and writes it on a yes. */
  async protect(given?: unknown): Promise<void> {
    const agent = agentOf(typeof given === 'string' ? given : agentOfRow(given)) ?? (await this.#pick());
    if (!agent) return;
    const meter = this.#protection.status(agent);
    const isRemoval = meter.isInstalled && meter.faults.length === 0;
    const plan = isRemoval ? this.#protection.planUninstall(agent) : this.#protection.planInstall(agent);
    if ('refused' in plan) {
      const why = worded(plan.refused, vscode.l10n.t);
      void showError(vscode.l10n.t('{0} is left alone: {1}.', plan.path, why));
      return;
    }
    for (const change of plan.changes) await this.#show(change);
    const notes = isRemoval ? [] : this.#protection.notes(agent).map((one) => worded(one, vscode.l10n.t));
    const title = isRemoval
      ? vscode.l10n.t('Remove the hook from {0}?', agent.name)
      : vscode.l10n.t('Let {0} ask the gate before each of its tools?', agent.name);
    const files = plan.changes.map((change) => change.path);
    const label = isRemoval ? vscode.l10n.t('Remove Hook') : vscode.l10n.t('Install Hook');
    const detail = [vscode.l10n.t('This changes:'), ...files, '', ...notes].join('\n');
    if (plan.changes.length > 0 && !(await this.#parts.questions.confirms(title, detail, label))) return;
    if (isRemoval) this.#protection.uninstall(agent, plan.changes);
    else {
      this.#protection.refreshLauncher();
      this.#protection.install(agent, plan.changes);
      await this.#protection.try(agent);
    }
    this.refresh();
    this.#tell(this.#protection.status(agent));
  }

  /** *Check Protection*: tries every installed hook by a call that is always denied. */
  async check(): Promise<void> {
    const meters = (await this.tried()).filter(({ isHere, isInstalled }) => isHere || isInstalled);
    const lines = meters.map((meter) => `${meter.name}: ${stateWords(meter, vscode.l10n.t)}`);
    const text = lines.length > 0 ? lines.join(' · ') : vscode.l10n.t('No other agent was found on this machine.');
    const isRed = meters.some((meter) => meter.isRed);
    void (isRed ? showWarning(text) : showInformation(text));
  }

  /** The meters, once every installed hook was tried. */
  async tried(): Promise<readonly AgentProtection[]> {
    for (const agent of agents) await this.#protection.try(agent);
    return this.refresh();
  }

  async #pick(): Promise<Agent | undefined> {
    const rows = this.refresh().map((meter) => ({
      label: meter.name,
      description: stateWords(meter, vscode.l10n.t),
      detail:
        meter.faults.map(({ said, step }) => `${worded(said, vscode.l10n.t)}; ${worded(step, vscode.l10n.t)}`)[0] ?? '',
      agent: agentOf(meter.agent),
    }));
    const picked = await vscode.window.showQuickPick(rows, {
      title: vscode.l10n.t('Protect This Agent'),
      placeHolder: vscode.l10n.t('Its own tools then ask the gate; one that is hooked can be released'),
    });
    return picked?.agent;
  }

  async #show({ path: file, before, after }: FileChange): Promise<void> {
    const name = file.replace(/^.*[\\/]/, '');
    const left = this.#parts.texts.put(`before/${name}`, before ?? '');
    const right = this.#parts.texts.put(`after/${name}`, after ?? '');
    await vscode.commands.executeCommand('vscode.diff', left, right, file, { preview: false });
  }

  #tell(meter: AgentProtection): void {
    const state = `${meter.name}: ${stateWords(meter, vscode.l10n.t)}`;
    const fault = meter.faults[0];
    if (!fault || !meter.isInstalled) void showInformation(state);
    else void showWarning(`${state} · ${worded(fault.said, vscode.l10n.t)}`);
  }
}
