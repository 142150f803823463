import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { AgentSystem } from '../../core/gate/runningSystem';
import { listedTools } from '../../core/profiles/offeredTools';
import { toolContextKey } from '../manifest/tools';

/** Sets context keys, telling the editor only of those that changed. */
export class ContextKeys {
  readonly #last = new Map<string, unknown>();

  set(key: string, value: boolean | string | number): void {
    if (this.#last.get(key) === value) return;
    this.#last.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }

  get(key: string): unknown {
    return this.#last.get(key);
  }
}

/** Lets the keys that hide tools from models follow the active profile. */
export function followTools(core: AgentSystem, keys: ContextKeys): Disposable {
  const store = new DisposableStore();
  const refresh = (): void => {
    const offered = new Set(listedTools(core.profiles.active(), core.found.names).map((tool) => tool.id));
    for (const tool of core.registry.tools({ sources: ['builtin'] }))
      keys.set(toolContextKey(tool.definition.name), offered.has(tool.id));
  };
  store.add(core.profiles.onDidChange(refresh));
  store.add(core.found.onDidChange(refresh));
  refresh();
  return store;
}
