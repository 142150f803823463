import * as vscode from 'vscode';
import type { Event } from '../../core/base/event';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { KeyValueStore } from '../../core/ports/platform';
import { runCommand } from '../manifest/commands/runCommand';
import { showWarning } from '../notices';

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
  readonly storage: KeyValueStore;
}

/** Tells once of each wish of the workspace, with a way to its review. Nothing is granted by not answering. */
export function askOnce({ current, changes, review, askedKey, storage }: Wishes): Disposable {
  const store = new DisposableStore();
  const refresh = (): void => {
    const wish = current();
    const value = storage.get(askedKey);
    const asked = Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
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
