import * as vscode from 'vscode';
import type { ResolvedProfile } from '../../core/profiles/profile';
import type { AgentSystem } from '../../core/gate/runningSystem';
import { type Budget, budgetLine, budgetOf, budgetWords } from '../../core/present/budget';
import type { ContextKeys } from '../settings/contextKeys';

/**
 * What stands around the rows of the Capabilities view: the budget meter in its title and above the rows, and the
 * number of problems.
 */
export class CapabilityViewTitle {
  readonly #core: AgentSystem;
  readonly #keys: ContextKeys;
  readonly #otherTools: () => number;
  #counted:
    | {
        readonly profile: ResolvedProfile;
        readonly basePrompt: string;
        readonly found: ReadonlySet<string>;
        readonly budget: Budget;
      }
    | undefined;

  /** @param parts.otherTools the number of tools that the editor knows from elsewhere. */
  constructor(parts: { readonly core: AgentSystem; readonly keys: ContextKeys; readonly otherTools: () => number }) {
    this.#core = parts.core;
    this.#keys = parts.keys;
    this.#otherTools = parts.otherTools;
  }

  /** Counted once for each state of the profile, of the file that holds its prompt and of what searches found. */
  budget(): Budget {
    const profile = this.#core.profiles.active();
    const others = this.#otherTools();
    const basePrompt = this.#core.basePrompt();
    const known = this.#counted;
    const found = this.#core.found.names;
    const isSame =
      known?.profile === profile &&
      known.basePrompt === basePrompt &&
      known.found === found &&
      known.budget.others === others;
    if (isSame) return known.budget;
    const budget = budgetOf(profile, others, basePrompt, found);
    this.#counted = { profile, basePrompt, found, budget };
    return budget;
  }

  /** @param isEmpty an empty view has its own words, which a message would hide. */
  show(view: vscode.TreeView<unknown>, isEmpty: boolean): void {
    const budget = this.budget();
    const line = budgetLine(this.#core.profiles.active(), budget, vscode.l10n.t);
    if (view.description !== line) view.description = line;
    const problems = this.#core.problems().filter((problem) => problem.severity !== 'information').length;
    view.badge = problems > 0 ? { value: problems, tooltip: problemCount(problems) } : undefined;
    // The description is cut off in a narrow side bar; the message wraps.
    const message = isEmpty ? '' : [budgetWords(budget, vscode.l10n.t), ...warning(budget)].join(' ');
    // Setting it holds back the next drawing of rows for a while, so it is set only where it changes.
    if ((view.message ?? '') !== message) view.message = message;
    this.#keys.set('agentCapabilities.nearLimit', budget.state !== 'ok');
  }
}

function problemCount(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 problem in profiles and settings')
    : vscode.l10n.t('{0} problems in profiles and settings', count);
}

function warning(budget: Budget): readonly string[] {
  switch (budget.state) {
    case 'ok':
      return [];
    case 'near':
      return [
        vscode.l10n.t(
          '⚠ This profile and the editor together may send {0} tools, and a request may carry 128. Switch some off here or in the tool picker of the chat.',
          budget.own + budget.others,
        ),
      ];
    case 'over':
      return [
        vscode.l10n.t(
          '⚠ More than 128 tools: models refuse such a request. Switch some off here or in the tool picker of the chat.',
        ),
      ];
  }
}
