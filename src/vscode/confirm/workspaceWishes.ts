import { stringsIn } from '../../core/base/json';
import * as vscode from 'vscode';
import type { PromptFiles } from '../../core/agent/promptFiles';
import type { Event } from '../../core/base/event';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import { shortName } from '../visible';
import type { KeyValueStore } from '../../core/ports/platform';
import { oneLine } from '../../core/present/approvalWords';
import type { ProfileEditor } from '../../core/profiles/profileEditor';
import type { ProfileStore } from '../../core/profiles/profileStore';
import { runCommand } from '../manifest/commands/runCommand';
import { showWarning } from '../notices';
import type { ContextKeys } from '../settings/contextKeys';

/** How many wishes are remembered as told. */
const mostAsked = 100;

/** Something that waits for the person, by the hash of what it would allow. */
interface Wish {
  readonly hash: string;
  readonly question: string;
}

interface Wishes {
  /** What waits now. */
  readonly current: () => Wish | undefined;
  readonly changes: readonly Event<unknown>[];
  /** The command that shows all of it and asks. */
  readonly review: 'acceptWidening' | 'reviewPrompt';
  /** Where the storage keeps what was told. */
  readonly askedKey: string;
}

/** Tells once of each wish of the workspace, with a way to its review. Nothing is granted by not answering. */
function askOnce({ current, changes, review, askedKey }: Wishes, storage: KeyValueStore): Disposable {
  const store = new DisposableStore();
  const refresh = (): void => {
    const wish = current();
    const value = storage.get(askedKey);
    const asked = stringsIn(value);
    if (!wish || asked.includes(wish.hash)) return;
    void storage.set(askedKey, [...asked, wish.hash].slice(-mostAsked));
    const yes = vscode.l10n.t('Review…');
    void showWarning(wish.question, yes, vscode.l10n.t('Not Now')).then((answer) =>
      answer === yes ? runCommand(review) : undefined,
    );
  };
  for (const change of changes) store.add(change(refresh));
  refresh();
  return store;
}

/**
 * Tells once for each wish that the workspace wants more than the user's own settings, and keeps the key under which
 * its review can be reached. Nothing widens by not answering; the review shows what would be granted.
 */
export function askAboutWidening(profiles: ProfileStore, keys: ContextKeys, storage: KeyValueStore): Disposable {
  const current = (): Wish | undefined => {
    const { heldBack } = profiles.configured();
    const other = heldBack && profiles.activeId !== heldBack.id ? heldBack : undefined;
    const wish = other ?? profiles.profiles().get(profiles.activeId)?.pendingWidening;
    const all = [...profiles.profiles().values()];
    keys.set('wideningPending', wish !== undefined || all.some(({ pendingWidening }) => pendingWidening));
    if (!wish) return undefined;
    const name = shortName(profiles.nameOf(other?.id ?? profiles.activeId, vscode.l10n.t));
    const question = other
      ? vscode.l10n.t('This workspace asks for the profile "{0}", which allows more than your own settings.', name)
      : vscode.l10n.t('In the profile "{0}" this workspace allows more than your own settings.', name);
    return { hash: wish.hash, question };
  };
  const changes = [profiles.onDidChange];
  return askOnce({ current, changes, review: 'acceptWidening', askedKey: 'profiles.asked' }, storage);
}

interface ReviewedPrompts {
  readonly prompts: Pick<PromptFiles, 'pending' | 'onDidChange'>;
  readonly profiles: Pick<ProfileStore, 'active' | 'onDidChange'>;
}

/**
 * Tells once for each text that a file of the workspace would become instructions of the agent. Nothing counts by not
 * answering; the review shows the text whole.
 */
export function askAboutPrompts(
  { prompts, profiles }: ReviewedPrompts,
  keys: ContextKeys,
  storage: KeyValueStore,
): Disposable {
  const current = (): Wish | undefined => {
    const pending = prompts.pending(profiles.active().profile);
    keys.set('promptPending', pending !== undefined);
    if (!pending) return undefined;
    const file = oneLine(pending.file).slice(0, 80);
    const question = vscode.l10n.t('The file {0} of this workspace would become instructions of the agent.', file);
    return { hash: pending.hash, question };
  };
  const changes = [profiles.onDidChange, prompts.onDidChange];
  return askOnce({ current, changes, review: 'reviewPrompt', askedKey: 'prompts.asked' }, storage);
}

/**
 * Tells of each change that was not written, because what the workspace made of the profile is to be reviewed first.
 */
export function tellOfHeldBack(profiles: ProfileStore, editor: Pick<ProfileEditor, 'onDidHoldBack'>): Disposable {
  return editor.onDidHoldBack((id) => {
    const review = vscode.l10n.t('Review…');
    const message = vscode.l10n.t(
      'Nothing was changed: "{0}" is held back until you have reviewed what this workspace allows in it. What takes away from it can be changed before.',
      shortName(profiles.nameOf(id, vscode.l10n.t)),
    );
    void showWarning(message, review).then((answer) => (answer === review ? runCommand('acceptWidening') : undefined));
  });
}
