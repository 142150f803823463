import * as vscode from 'vscode';
import { visibleText } from '../../core/base/visible';
import type { Disposable } from '../../core/base/lifecycle';
import type { KeyValueStore } from '../../core/ports/platform';
import type { ProfileEditor } from '../../core/profiles/profileEditor';
import type { ProfileStore } from '../../core/profiles/profileStore';
import type { ContextKeys } from '../settings/contextKeys';
import { runCommand } from '../manifest/commands/runCommand';
import { askOnce } from './askOnce';
import { showWarning } from '../notices';

/**
 * Tells once for each wish that the workspace wants more than the user's own settings, and keeps the key under which
 * its review can be reached. Nothing widens by not answering; the review shows what would be granted.
 */
export function askAboutWidening(profiles: ProfileStore, keys: ContextKeys, storage: KeyValueStore): Disposable {
  return askOnce({
    current: () => {
      const { heldBack } = profiles.configured();
      const other = heldBack && profiles.activeId !== heldBack.id ? heldBack : undefined;
      const wish = other ?? profiles.profiles().get(profiles.activeId)?.pendingWidening;
      const all = [...profiles.profiles().values()];
      keys.set('wideningPending', wish !== undefined || all.some(({ pendingWidening }) => pendingWidening));
      if (!wish) return undefined;
      const question = other
        ? vscode.l10n.t(
            'This workspace asks for the profile "{0}", which allows more than your own settings.',
            nameOf(profiles, other.id),
          )
        : vscode.l10n.t(
            'In the profile "{0}" this workspace allows more than your own settings.',
            nameOf(profiles, profiles.activeId),
          );
      return { hash: wish.hash, question };
    },
    changes: [profiles.onDidChange],
    review: 'acceptWidening',
    askedKey: 'profiles.asked',
    storage,
  });
}

/** Tells of each change that was not written, because what the workspace made of the profile is to be reviewed first. */
export function tellOfHeldBack(profiles: ProfileStore, editor: Pick<ProfileEditor, 'onDidHoldBack'>): Disposable {
  return editor.onDidHoldBack((id) => {
    const review = vscode.l10n.t('Review…');
    const message = vscode.l10n.t(
      'Nothing was changed: "{0}" is held back until you have reviewed what this workspace allows in it. What takes away from it can be changed before.',
      nameOf(profiles, id),
    );
    void showWarning(message, review).then((answer) => (answer === review ? runCommand('acceptWidening') : undefined));
  });
}

const nameOf = (profiles: ProfileStore, id: string): string => visibleText(profiles.nameOf(id)).text.slice(0, 80);
