import * as vscode from 'vscode';
import { Debounce } from '../../core/base/debounce';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { GovernanceContext } from './governanceCommand';

/** Typing comes in bursts. */
const burstMs = 300;

/** A longer text is no plan that anybody reads before it is frozen. */
const mostCharacters = 200_000;

/** What both forms of a plan hold; whether one is right is found out when it is frozen. */
const mark = /"tool"\s*:/;

/** Offers to freeze a plan only where the text in front may hold one, and to end one only where one is in force. */
export function followPlans({ keys, plans }: Pick<GovernanceContext, 'keys' | 'plans'>): Disposable {
  const store = new DisposableStore();
  const refresh = (): void => keys.set('hasFrozenPlan', plans.active !== undefined);
  const look = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    const text = document?.getText() ?? '';
    keys.set('hasPlan', text.length <= mostCharacters && mark.test(text));
  };
  const looking = store.add(new Debounce(look, burstMs));
  store.add(plans.onDidChange(refresh));
  store.add(vscode.window.onDidChangeActiveTextEditor(() => looking.restart()));
  store.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document === vscode.window.activeTextEditor?.document) looking.restart();
    }),
  );
  refresh();
  look();
  return store;
}
