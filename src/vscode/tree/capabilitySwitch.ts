import * as vscode from 'vscode';
import type { CapabilityRegistry, RegisteredTool } from '../../core/registry/registry';
import type { ProfileStore } from '../../core/profiles/profileStore';
import { dependentsOf, missingDependencies } from '../../core/profiles/dependencies';
import { switchCapabilities, switchTools } from '../../core/profiles/profileEdit';
import type { ProfileEditor } from '../../core/profiles/profileEditor';
import { shownName } from '../../core/present/words';
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

  /**
   * A capability comes on with each of its tools. Nothing is switched where the person decides otherwise. Where nobody
   * has to be asked the change takes its turn before this returns: the next click, which may ask for the opposite,
   * comes after it.
   */
  async change(capabilities: readonly string[], tools: readonly RegisteredTool[], on: boolean): Promise<void> {
    const { id, profile } = this.#profiles.active();
    const others = (on ? missingDependencies : dependentsOf)(this.#registry, profile, [
      ...capabilities,
      ...(on ? tools.map((tool) => tool.capability.id) : []),
    ]);
    if (others.length > 0 && on)
      void showInformation(vscode.l10n.t('Also switched on, because it is needed: {0}', this.#names(others)));
    if (others.length > 0 && !on && !(await this.#switchesOffAll(capabilities, others))) return;
    const all = [...capabilities, ...others];
    const names = [...all, ...tools.map((tool) => tool.definition.name)].join(', ');
    const label = on ? vscode.l10n.t('switch on {0}', names) : vscode.l10n.t('switch off {0}', names);
    await this.#editor.change(id, label, (before) =>
      switchTools(this.#registry, tools, on)(switchCapabilities(this.#registry, all, on)(before)),
    );
  }

  /** False where the person keeps them on. */
  async #switchesOffAll(ids: readonly string[], dependents: readonly string[]): Promise<boolean> {
    const both = vscode.l10n.t('Switch Off All');
    const answer = await showWarning(
      vscode.l10n.t('{0} is needed by {1}. Switch off all of them?', this.#names(ids), this.#names(dependents)),
      both,
      vscode.l10n.t('Keep On'),
    );
    return answer === both;
  }

  #names(ids: readonly string[]): string {
    return ids
      .map((id) => {
        const capability = this.#registry.capability(id);
        return capability ? shownName(capability) : id;
      })
      .join(', ');
  }
}
