import * as vscode from 'vscode';
import { type CallUndo, callUndo, historyOf } from '../../core/changes/undo';
import { runCommand } from '../manifest/commands/runCommand';
import { showInformation } from '../notices';
import { nothingOf, outcomeOf, tellNotKnown } from './callEnd';
import type { ShownChanges } from './shownChanges';
import { takeBackCall, type TakenBackOffer, type TakenBackRows } from './takeBackRows';

type Shown = Pick<ShownChanges, 'changes' | 'files' | 'crypto' | 'router' | 'pastCall'>;

interface Surroundings {
  /** Tells what was taken back, with what can be done then. */
  tell(told: TakenBackRows, more: TakenBackOffer): void;
  /** Lets work end by itself; its failure goes to the log. */
  inBackground(work: PromiseLike<unknown>): void;
}

/** What people do with all that one call changed, where it is shown: in the chat, and in the audit view. */
export class CallChanges {
  readonly #shown: Shown;
  readonly #around: Surroundings;

  constructor(shown: Shown, around: Surroundings) {
    this.#shown = shown;
    this.#around = around;
  }

  /** What became of the changes of calls, by their ids. */
  async undoOf(calls: readonly string[]): Promise<ReadonlyMap<string, CallUndo>> {
    const history = await historyOf(this.#shown);
    return new Map(calls.map((call) => [call, callUndo(history, call, this.#shown.files)]));
  }

  async #undoOf(call: string): Promise<CallUndo> {
    return callUndo(await historyOf(this.#shown), call, this.#shown.files);
  }

  /** Takes back what a call changed, or makes it again, and offers the other way round. */
  async takeBack(call: string | undefined, action: 'undo' | 'redo'): Promise<void> {
    if (call === undefined) return tellNotKnown();
    const state = await this.#undoOf(call);
    const found = action === 'redo' ? state.takenBack : state.standing;
    if (found === 0) return void showInformation(nothingOf(this.#shown.pastCall(call), state));
    const back = action === 'undo' ? 'redo' : 'undo';
    const label = back === 'redo' ? vscode.l10n.t('Redo') : vscode.l10n.t('Undo');
    const told = await takeBackCall(this.#shown, call, action);
    this.#around.tell(told, { label, run: () => this.takeBack(call, back) });
  }

  /** Tells what became of a call, and offers to take back what it changed. */
  async tellOutcome(call: string | undefined): Promise<void> {
    if (call === undefined) return tellNotKnown();
    const state = await this.#undoOf(call);
    const past = this.#shown.pastCall(call);
    const undo = vscode.l10n.t('Undo');
    const offers = state.standing > 0 ? [undo] : past ? [] : [vscode.l10n.t('Open Audit View')];
    const told = showInformation(outcomeOf(past, state), ...offers).then((picked) => {
      if (picked === undo) return this.takeBack(call, 'undo');
      return picked === undefined ? undefined : runCommand('openAuditView');
    });
    this.#around.inBackground(told);
  }
}
