import * as vscode from 'vscode';
import { Emitter } from '../../core/base/event';
import { DisposableStore } from '../../core/base/lifecycle';
import type { Clock } from '../../core/ports/platform';
import type { TreeRow } from '../../core/present/treeRow';
import type { MoreRows } from './capabilityView';

/** Extensions bring their models some seconds after the start; until then nothing is said. */
const firstLookMs = 10_000;

/** Shows in the tree what works without a language model, while the editor has none. */
export class NoModel extends DisposableStore implements MoreRows {
  readonly #changed = this.add(new Emitter<void>());
  readonly changes = [this.#changed.event];
  #shown: readonly TreeRow[] = [];

  constructor(clock: Pick<Clock, 'schedule'>) {
    super();
    this.add(clock.schedule(() => this.#follow(), firstLookMs));
  }

  rows(): readonly TreeRow[] {
    return this.#shown;
  }

  #follow(): void {
    this.add(vscode.lm.onDidChangeChatModels(() => void this.#look()));
    void this.#look();
  }

  async #look(): Promise<void> {
    const models = await vscode.lm.selectChatModels();
    const rows = models.length > 0 ? [] : (await import('../../core/present/noModelRows')).noModelRows(vscode.l10n.t);
    if (this.isDisposed || rows.length === this.#shown.length) return;
    this.#shown = rows;
    this.#changed.fire();
  }
}
