import * as vscode from 'vscode';
import { visibleText } from '../../core/base/visible';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { KeyValueStore } from '../../core/ports/platform';
import type { ProfileStore } from '../../core/profiles/profileStore';
import type { ContextKeys } from '../settings/contextKeys';
import { runCommand } from '../manifest/commands/runCommand';

const askedKey = 'profiles.asked';

/** What the workspace wants beyond the user's own settings, by the hash of what it would allow. */
interface Wish {
  readonly hash: string;
  readonly question: string;
}

function wishOf(profiles: ProfileStore): Wish | undefined {
  const { heldBack } = profiles.configured();
  if (heldBack && profiles.activeId !== heldBack.id)
    return {
      hash: heldBack.hash,
      question: vscode.l10n.t(
        'This workspace asks for the profile "{0}", which allows more than your own settings.',
        nameOf(profiles, heldBack.id),
      ),
    };
  const pending = profiles.profiles().get(profiles.activeId)?.pendingWidening;
  if (!pending) return undefined;
  return {
    hash: pending.hash,
    question: vscode.l10n.t(
      'In the profile "{0}" this workspace allows more than your own settings.',
      nameOf(profiles, profiles.activeId),
    ),
  };
}

function nameOf(profiles: ProfileStore, id: string): string {
  return visibleText(profiles.profiles().get(id)?.profile.name ?? id).text.slice(0, 80);
}

/**
 * Tells once for each wish that the workspace wants more than the user's own settings, and keeps the key under which
 * its review can be reached. Nothing widens by not answering; the review shows what would be granted.
 */
export function askAboutWidening(profiles: ProfileStore, keys: ContextKeys, storage: KeyValueStore): Disposable {
  const store = new DisposableStore();
  const asked = (): readonly unknown[] => {
    const value = storage.get(askedKey);
    return Array.isArray(value) ? value : [];
  };
  const refresh = (): void => {
    const wish = wishOf(profiles);
    keys.set('wideningPending', wish !== undefined);
    if (!wish || asked().includes(wish.hash)) return;
    void storage.set(askedKey, [...asked().map(String), wish.hash].slice(-100));
    const review = vscode.l10n.t('Review…');
    void vscode.window.showWarningMessage(wish.question, review, vscode.l10n.t('Not Now')).then((answer) => {
      if (answer === review) return runCommand('acceptWidening');
      return undefined;
    });
  };
  store.add(profiles.onDidChange(refresh));
  refresh();
  return store;
}
