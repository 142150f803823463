import * as vscode from 'vscode';
import { Emitter } from '../../core/base/event';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { ChannelPoller } from '../../core/definitions/channelPoller';
import { channelRows } from '../../core/present/channelRows';
import type { MoreRows } from './capabilityView';

/** The group "Channels" of the Capabilities view. Channels are asked only while the view can be seen. */
export class ChannelsInTree implements Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #poller: ChannelPoller;
  #watching: Disposable | undefined;

  constructor(poller: ChannelPoller) {
    this.#poller = poller;
    this.#store.add(poller.onDidChange(() => this.#changed.fire()));
  }

  get rows(): MoreRows {
    return {
      rows: () =>
        channelRows({
          values: this.#poller.values(),
          when: (time) => new Date(time).toLocaleTimeString(vscode.env.language),
          t: vscode.l10n.t,
        }),
      problems: () => [],
      changes: [this.#changed.event],
    };
  }

  /** Asks channels while `view` can be seen. */
  follow(view: vscode.TreeView<unknown>): void {
    const update = (): void => {
      if (view.visible) this.#watching ??= this.#poller.watch();
      else {
        this.#watching?.dispose();
        this.#watching = undefined;
      }
    };
    this.#store.add(view.onDidChangeVisibility(update));
    update();
  }

  dispose(): void {
    this.#watching?.dispose();
    this.#store.dispose();
  }
}
