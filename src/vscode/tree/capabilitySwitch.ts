import * as vscode from 'vscode';
import type { CapabilityRegistry } from '../../core/registry/registry';
import type { ProfileStore } from '../../core/profiles/profileStore';
import { dependentsOf, missingDependencies } from '../../core/profiles/dependencies';

/**
 * Settles what has to be switched together: dependencies come along, and what others need is not switched off without
 * saying so.
 */
export class CapabilitySwitch {
  readonly #registry: CapabilityRegistry;
  readonly #profiles: Pick<ProfileStore, 'active'>;

  constructor(registry: CapabilityRegistry, profiles: Pick<ProfileStore, 'active'>) {
    this.#registry = registry;
    this.#profiles = profiles;
  }

  /**
   * @param viaTools capabilities that come on because one of their tools does.
   * @returns the capabilities to switch, or undefined where the person decided otherwise.
   */
  async settle(
    ids: readonly string[],
    viaTools: readonly string[],
    on: boolean,
  ): Promise<readonly string[] | undefined> {
    const registry = this.#registry;
    const { profile } = this.#profiles.active();
    if (on) {
      const brought = missingDependencies(registry, profile, [...ids, ...viaTools]);
      if (brought.length > 0) {
        const names = brought.map((id) => registry.capability(id)?.name ?? id).join(', ');
        void vscode.window.showInformationMessage(vscode.l10n.t('Also switched on, because it is needed: {0}', names));
      }
      return [...ids, ...brought];
    }
    const dependents = dependentsOf(registry, profile, ids);
    if (dependents.length === 0) return ids;
    const name = (id: string): string => registry.capability(id)?.name ?? id;
    const both = vscode.l10n.t('Switch Off All');
    const answer = await vscode.window.showWarningMessage(
      vscode.l10n.t(
        '{0} is needed by {1}. Switch off all of them?',
        ids.map(name).join(', '),
        dependents.map(name).join(', '),
      ),
      both,
      vscode.l10n.t('Keep On'),
    );
    return answer === both ? [...ids, ...dependents] : undefined;
  }
}
