import * as vscode from 'vscode';
import { Emitter } from '../../core/base/event';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { Clock } from '../../core/ports/platform';
import type { TreeRow } from '../../core/present/treeRow';
import type { MoreRows } from './capabilityView';

/** Extensions bring their models some seconds after the start; until then nothing is said. */
const firstLookMs = 10_000;

/** Shows in the tree what works without a language model, while the editor has none. */
export class NoModel implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  #shown: readonly TreeRow[] = [];
  readonly rows: MoreRows = {
    rows: () => this.#shown,
    problems: () => [],
    changes: [this.#changed.event],
  };

  constructor(clock: Pick<Clock, 'schedule'>) {
    this.#store.add(clock.schedule(() => this.#follow(), firstLookMs));
  }

  #follow(): void {
    this.#store.add(vscode.lm.onDidChangeChatModels(() => void this.#look()));
    void this.#look();
  }

  async #look(): Promise<void> {
    const models = await vscode.lm.selectChatModels();
    const rows = models.length > 0 ? [] : (await import('../../core/present/noModelRows')).noModelRows(vscode.l10n.t);
    if (this.#store.isDisposed || rows.length === this.#shown.length) return;
    this.#shown = rows;
    this.#changed.fire();
  }

  dispose(): void {
    this.#store.dispose();
  }
}
