import * as vscode from 'vscode';
import type { DisposableStore } from '../../core/base/lifecycle';

/** The editor has a command that begins so for each custom agent that it knows. */
export const openChat = 'workbench.action.chat.open';
/** So long the editor has to read its folders by itself, in ms. */
const lookAfterMs = 6000;
const mostRenewals = 3;

/** Whether the editor knows an agent; undefined where it has no chat. */
export async function isListed(name: string): Promise<boolean | undefined> {
  const all = await vscode.commands.getCommands(false);
  return all.includes(openChat) ? all.includes(openChat + name) : undefined;
}

/**
 * Has the file of our agent written anew while the editor does not know it: after a start its list of agents is now and
 * then empty, stays so until one of the files changes, and a chat that had ours has plain Agent. A window in the
 * background waits until it is in front, because the file says the profile of that one.
 */
export async function healList(name: string, renew: () => Promise<unknown>, store: DisposableStore): Promise<void> {
  for (let renewed = 0; ; renewed++) {
    await new Promise((resolve) => setTimeout(resolve, lookAfterMs));
    if (store.isDisposed || (await isListed(name)) !== false || renewed === mostRenewals) return;
    await inFront(store);
    if (store.isDisposed) return;
    await renew();
  }
}

async function inFront(store: DisposableStore): Promise<void> {
  if (vscode.window.state.focused) return;
  await new Promise<void>((resolve) => {
    const listener = store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (!focused) return;
        listener.dispose();
        resolve();
      }),
    );
  });
}
