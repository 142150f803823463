import * as vscode from 'vscode';
import { Emitter, type Event } from '../../core/base/event';
import { DisposableStore, type Disposable, MutableDisposable } from '../../core/base/lifecycle';
import type { Problem } from '../../core/base/problem';
import { leftOut } from '../../core/profiles/leftOut';
import type { MoreRows } from './capabilityView';
import type { Clock } from '../../core/ports/platform';
import type { TreeRow } from '../../core/present/treeRow';
import type { ChannelPoller } from '../../core/definitions/channelPoller';
import { channelRows } from '../../core/present/channelRows';
import type { ProfileStore } from '../../core/profiles/profileStore';
import type { CapabilityRegistry } from '../../core/registry/registry';
import { serverRows } from '../../core/present/serverRows';
import type { ServerStatus } from '../../core/foreign/serverStatus';

/** Shows in the tree what of this workspace counts for nothing. */
export class LeftOut extends DisposableStore implements MoreRows {
  readonly #changed = this.add(new Emitter<void>());
  readonly changes = [this.#changed.event];
  #folders: Parameters<typeof leftOut>[0]['folders'] = [];

  constructor() {
    super();
    const refresh = (): void => void this.#refresh();
    this.add(vscode.workspace.onDidGrantWorkspaceTrust(refresh));
    this.add(vscode.workspace.onDidChangeWorkspaceFolders(refresh));
    this.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => uri.path.endsWith('/.vscode/settings.json') && refresh()),
    );
    if ((vscode.workspace.workspaceFolders?.length ?? 0) > 1) refresh();
  }

  problems(): readonly Problem[] {
    return leftOut({ isTrusted: vscode.workspace.isTrusted, folders: this.#folders });
  }

  async #refresh(): Promise<void> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    this.#folders = folders.length < 2 ? [] : await (await import('./folderProfiles')).folderProfiles(folders);
    this.#changed.fire();
  }
}

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

interface ShownServers {
  readonly servers: { list(): readonly ServerStatus[]; readonly onDidChange: Event<void> };
  readonly registry: CapabilityRegistry;
  readonly profiles: Pick<ProfileStore, 'active'>;
}

/** The group "MCP servers" of the Capabilities view. */
export function serversInTree({ servers, registry, profiles }: ShownServers): MoreRows {
  return {
    rows: () => {
      const profile = profiles.active();
      return serverRows({
        servers: servers.list(),
        tools: (capabilityId) => ({
          isOn: profile.entries.some((one) => one.capability.id === capabilityId && one.entry.enabled),
          tools: registry.toolsOf(capabilityId).map((tool) => ({ tool, enabled: profile.isToolEnabled(tool) })),
        }),
        mode: profile.mode,
        t: vscode.l10n.t,
      });
    },
    changes: [servers.onDidChange],
  };
}

/** Several groups below the capabilities, one after the other. */
export function allRows(...parts: readonly MoreRows[]): Required<MoreRows> {
  return {
    rows: () => parts.flatMap((part) => part.rows?.() ?? []),
    problems: () => parts.flatMap((part) => part.problems?.() ?? []),
    changes: parts.flatMap((part) => part.changes),
  };
}
