import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { CapabilityRegistry } from '../../core/registry/registry';
import type { FoundTools } from '../../core/registry/foundTools';
import type { ProfileStore } from '../../core/profiles/profileStore';
import { listedTools } from '../../core/profiles/offeredTools';
import { sourceKind } from '../../core/vocabulary/toolSource';
import { type ContextKey, contextKey } from '../manifest/commands/contextKey';

/** Sets context keys, telling the editor only of those that changed. */
export class ContextKeys {
  readonly #last = new Map<ContextKey, boolean>();

  set(key: ContextKey, value: boolean): void {
    if (this.#last.get(key) === value) return;
    this.#last.set(key, value);
    void vscode.commands.executeCommand('setContext', contextKey(key), value);
  }
}

/** What decides which tools a model is shown. */
interface ListedTools {
  readonly registry: CapabilityRegistry;
  readonly profiles: Pick<ProfileStore, 'active' | 'onDidChange'>;
  readonly found: FoundTools;
}

/** Lets the keys that hide tools from models follow the active profile. */
export function followTools({ registry, profiles, found }: ListedTools, keys: ContextKeys): Disposable {
  const store = new DisposableStore();
  const refresh = (): void => {
    const offered = new Set(listedTools(profiles.active(), found.names).map((tool) => tool.id));
    for (const tool of registry.tools().filter(({ source }) => sourceKind(source).isInManifest))
      keys.set(`tool.${tool.definition.name}`, offered.has(tool.id));
  };
  store.add(profiles.onDidChange(refresh));
  store.add(found.onDidChange(refresh));
  refresh();
  return store;
}
