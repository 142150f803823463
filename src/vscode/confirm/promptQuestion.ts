import * as vscode from 'vscode';
import type { PromptFiles } from '../../core/agent/promptFiles';
import type { Disposable } from '../../core/base/lifecycle';
import { oneLine } from '../../core/present/approvalWords';
import type { KeyValueStore } from '../../core/ports/platform';
import type { ProfileStore } from '../../core/profiles/profileStore';
import type { ContextKeys } from '../settings/contextKeys';
import { askOnce } from './askOnce';

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
  return askOnce({
    current: () => {
      const pending = prompts.pending(profiles.active().profile);
      keys.set('promptPending', pending !== undefined);
      if (!pending) return undefined;
      const question = vscode.l10n.t(
        'The file {0} of this workspace would become instructions of the agent.',
        oneLine(pending.file).slice(0, 80),
      );
      return { hash: pending.hash, question };
    },
    changes: [profiles.onDidChange, prompts.onDidChange],
    review: 'reviewPrompt',
    askedKey: 'prompts.asked',
    storage,
  });
}
