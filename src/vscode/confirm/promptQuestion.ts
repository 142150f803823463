import * as vscode from 'vscode';
import type { PromptFiles } from '../../core/agent/promptFiles';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import { oneLine } from '../../core/present/approvalWords';
import type { KeyValueStore } from '../../core/ports/platform';
import type { ProfileStore } from '../../core/profiles/profileStore';
import type { ContextKeys } from '../settings/contextKeys';
import { runCommand } from '../manifest/commands/runCommand';

const askedKey = 'prompts.asked';
const mostAsked = 100;

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
  const store = new DisposableStore();
  const asked = (): readonly string[] => {
    const value = storage.get(askedKey);
    return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
  };
  const refresh = (): void => {
    const pending = prompts.pending(profiles.active().profile);
    keys.set('promptPending', pending !== undefined);
    if (!pending || asked().includes(pending.hash)) return;
    void storage.set(askedKey, [...asked(), pending.hash].slice(-mostAsked));
    const review = vscode.l10n.t('Review…');
    const text = vscode.l10n.t(
      'The file {0} of this workspace would become instructions of the agent.',
      oneLine(pending.file).slice(0, 80),
    );
    void vscode.window.showWarningMessage(text, review, vscode.l10n.t('Not Now')).then((answer) => {
      if (answer === review) return runCommand('reviewPrompt');
      return undefined;
    });
  };
  store.add(profiles.onDidChange(refresh));
  store.add(prompts.onDidChange(refresh));
  refresh();
  return store;
}
