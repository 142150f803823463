import * as vscode from 'vscode';
import { visibleText } from '../../core/base/visible';
import type { Disposable } from '../../core/base/lifecycle';
import type { KeyValueStore } from '../../core/ports/platform';
import type { ProfileStore } from '../../core/profiles/profileStore';
import type { ContextKeys } from '../settings/contextKeys';
import { askOnce } from './askOnce';

/**
 * Tells once for each wish that the workspace wants more than the user's own settings, and keeps the key under which
 * its review can be reached. Nothing widens by not answering; the review shows what would be granted.
 */
export function askAboutWidening(profiles: ProfileStore, keys: ContextKeys, storage: KeyValueStore): Disposable {
  const nameOf = (id: string): string => visibleText(profiles.profiles().get(id)?.profile.name ?? id).text.slice(0, 80);
  return askOnce({
    current: () => {
      const { heldBack } = profiles.configured();
      const other = heldBack && profiles.activeId !== heldBack.id ? heldBack : undefined;
      const wish = other ?? profiles.profiles().get(profiles.activeId)?.pendingWidening;
      keys.set('wideningPending', wish !== undefined);
      if (!wish) return undefined;
      const question = other
        ? vscode.l10n.t(
            'This workspace asks for the profile "{0}", which allows more than your own settings.',
            nameOf(other.id),
          )
        : vscode.l10n.t(
            'In the profile "{0}" this workspace allows more than your own settings.',
            nameOf(profiles.activeId),
          );
      return { hash: wish.hash, question };
    },
    changes: [profiles.onDidChange],
    review: 'acceptWidening',
    askedKey: 'profiles.asked',
    storage,
  });
}
