import * as vscode from 'vscode';
import type { CapabilityRegistry, RegisteredTool } from '../../core/registry/registry';
import type { ProfileStore } from '../../core/profiles/profileStore';
import { dependentsOf, missingDependencies } from '../../core/profiles/dependencies';
import { switchCapabilities, switchTools } from '../../core/profiles/profileEdit';
import type { ProfileEditor } from '../../core/profiles/profileEditor';
import { showInformation, showWarning } from '../notices';

/**
 * Switches capabilities and tools of the active profile, and what has to be switched together: dependencies come along,
 * and what others need is not switched off without saying so.
 */
export class CapabilitySwitch {
  readonly #registry: CapabilityRegistry;
  readonly #profiles: Pick<ProfileStore, 'active'>;
  readonly #editor: Pick<ProfileEditor, 'change'>;

  constructor(
    registry: CapabilityRegistry,
    profiles: Pick<ProfileStore, 'active'>,
    editor: Pick<ProfileEditor, 'change'>,
  ) {
    this.#registry = registry;
    this.#profiles = profiles;
    this.#editor = editor;
  }

  /** A capability comes on with each of its tools. Nothing is switched where the person decides otherwise. */
  async change(capabilities: readonly string[], tools: readonly RegisteredTool[], on: boolean): Promise<void> {
    const { id } = this.#profiles.active();
    const all = on ? this.#withDependencies(capabilities, tools) : await this.#withDependents(capabilities);
    if (!all) return;
    const names = [...all, ...tools.map((tool) => tool.definition.name)].join(', ');
    const label = on ? vscode.l10n.t('switch on {0}', names) : vscode.l10n.t('switch off {0}', names);
    await this.#editor.change(id, label, (profile) =>
      switchTools(this.#registry, tools, on)(switchCapabilities(this.#registry, all, on)(profile)),
    );
  }

  #withDependencies(ids: readonly string[], tools: readonly RegisteredTool[]): readonly string[] {
    const wanted = [...ids, ...tools.map((tool) => tool.capability.id)];
    const brought = missingDependencies(this.#registry, this.#profiles.active().profile, wanted);
    if (brought.length > 0)
      void showInformation(vscode.l10n.t('Also switched on, because it is needed: {0}', this.#names(brought)));
    return [...ids, ...brought];
  }

  /** Undefined where the person keeps them on. */
  async #withDependents(ids: readonly string[]): Promise<readonly string[] | undefined> {
    const dependents = dependentsOf(this.#registry, this.#profiles.active().profile, ids);
    if (dependents.length === 0) return ids;
    const both = vscode.l10n.t('Switch Off All');
    const answer = await showWarning(
      vscode.l10n.t('{0} is needed by {1}. Switch off all of them?', this.#names(ids), this.#names(dependents)),
      both,
      vscode.l10n.t('Keep On'),
    );
    return answer === both ? [...ids, ...dependents] : undefined;
  }

  #names(ids: readonly string[]): string {
    return ids.map((id) => this.#registry.capability(id)?.name ?? id).join(', ');
  }
}
