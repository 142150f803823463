import * as vscode from 'vscode';
import { pause } from '../../core/base/pause';
import type { ListedAgent } from './agentFileKeeper';

export const openChatCommand = 'workbench.action.chat.open';
/** What is done after the agent was chosen, and how long after, in ms: the last ones once it is listed. */
const afterwards = [
  { atMs: 700, step: 'choose' },
  { atMs: 1200, step: 'renew' },
  { atMs: 2200, step: 'choose' },
  { atMs: 3700, step: 'choose' },
] as const;
/** How long an agent that came into the editor's list may be missing in an open chat's, in ms. */
const freshForMs = 15_000;
/** Who asks again within this time has not seen it come, in ms. */
const askedAgainWithinMs = 20_000;

/**
 * Opens this window's chat with an agent. Choosing an agent that the chat's own list does not have does nothing, and an
 * extension is not told what is in that list: the editor's commands of agents come from the list of some earlier chat,
 * or never. The list lacks ours while it is read, and for good where the chat took another conversation while it was
 * read, as it does when it opens: then the editor keeps an empty list until a file of an agent changes. So where ours
 * may be missing (the first time in a window, just after it was listed, when a person asks again) it is chosen a few
 * times, and its file is written anew in between. A person who went on in an editor meanwhile is left there.
 */
export class AgentChooser {
  readonly #renew: () => Promise<void>;
  #askedAt = -Infinity;
  #wasChosen = false;

  /** @param renew writes the agent's file again, so that the editor reads its agents anew. */
  constructor(renew: () => Promise<void>) {
    this.#renew = renew;
  }

  async open({ name, listedAt }: ListedAgent): Promise<void> {
    const began = Date.now();
    const isThere = this.#wasChosen && began > listedAt + freshForMs && began > this.#askedAt + askedAgainWithinMs;
    this.#askedAt = began;
    await choose(name);
    if (isThere) return;
    let isElsewhere = false;
    const watching = vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
      isElsewhere ||=
        kind === vscode.TextEditorSelectionChangeKind.Mouse || kind === vscode.TextEditorSelectionChangeKind.Keyboard;
    });
    try {
      for (const { atMs, step } of afterwards) {
        await pause(began + atMs - Date.now());
        if (isElsewhere || this.#askedAt !== began) return;
        await (step === 'renew' ? this.#renew() : choose(name));
      }
      this.#wasChosen = true;
    } finally {
      watching.dispose();
    }
  }
}

async function choose(name: string): Promise<void> {
  await vscode.commands.executeCommand(openChatCommand, { mode: name });
}
