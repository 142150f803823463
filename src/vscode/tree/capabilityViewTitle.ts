import * as vscode from 'vscode';
import type { FoundTools } from '../../core/registry/foundTools';
import type { ProfileStore } from '../../core/profiles/profileStore';
import type { Problem } from '../../core/base/problem';
import { type Budget, budgetLine, budgetOf, budgetWords } from '../../core/present/budget';
import type { ContextKeys } from '../settings/contextKeys';

interface TitleContext {
  readonly profiles: Pick<ProfileStore, 'active'>;
  readonly found: Pick<FoundTools, 'names'>;
  readonly problems: () => readonly Problem[];
  readonly basePrompt: () => string;
  readonly keys: ContextKeys;
  /** The number of tools that the editor knows from elsewhere. */
  readonly otherTools: () => number;
}

/**
 * What stands around the rows of the Capabilities view: the budget meter in its title and above the rows, and the
 * number of problems.
 */
export class CapabilityViewTitle {
  readonly #context: TitleContext;
  /** What was counted last, and the state of which it was the count. */
  #counted: { readonly of: readonly unknown[]; readonly budget: Budget } | undefined;

  constructor(context: TitleContext) {
    this.#context = context;
  }

  /** Counted once for each state of the profile, of the file that holds its prompt and of what searches found. */
  budget(): Budget {
    const { profiles, otherTools, basePrompt, found } = this.#context;
    const of = [profiles.active(), otherTools(), basePrompt(), found.names] as const;
    const known = this.#counted;
    if (known && of.every((one, at) => one === known.of[at])) return known.budget;
    this.#counted = { of, budget: budgetOf(...of) };
    return this.#counted.budget;
  }

  /** @param isEmpty an empty view has its own words, which a message would hide. */
  show(view: vscode.TreeView<unknown>, isEmpty: boolean): void {
    const budget = this.budget();
    const line = budgetLine(this.#context.profiles.active(), budget, vscode.l10n.t);
    if (view.description !== line) view.description = line;
    const problems = this.#context.problems().filter((problem) => problem.severity !== 'information').length;
    view.badge = problems > 0 ? { value: problems, tooltip: problemCount(problems) } : undefined;
    // The description is cut off in a narrow side bar; the message wraps.
    const message = isEmpty ? '' : [budgetWords(budget, vscode.l10n.t), ...warning(budget)].join(' ');
    // Setting it holds back the next drawing of rows for a while, so it is set only where it changes.
    if ((view.message ?? '') !== message) view.message = message;
    this.#context.keys.set('nearLimit', budget.state !== 'ok');
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
