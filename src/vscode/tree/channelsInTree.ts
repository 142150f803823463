import * as vscode from 'vscode';
import { type Disposable, DisposableStore, MutableDisposable } from '../../core/base/lifecycle';
import type { ChannelPoller } from '../../core/definitions/channelPoller';
import { channelRows } from '../../core/present/channelRows';
import type { MoreRows } from './capabilityView';

/** The group "Channels" of the Capabilities view. */
export const channelsInTree = (poller: ChannelPoller): MoreRows => ({
  rows: () =>
    channelRows({
      values: poller.values(),
      when: (time) => new Date(time).toLocaleTimeString(vscode.env.language),
      t: vscode.l10n.t,
    }),
  changes: [poller.onDidChange],
});

/** Asks channels only while `view` can be seen. */
export function pollWhileSeen(poller: ChannelPoller, view: vscode.TreeView<unknown>): Disposable {
  const store = new DisposableStore();
  const watching = store.add(new MutableDisposable<Disposable>());
  const update = (): void => {
    watching.value = view.visible ? (watching.value ?? poller.watch()) : undefined;
  };
  store.add(view.onDidChangeVisibility(update));
  update();
  return store;
}
