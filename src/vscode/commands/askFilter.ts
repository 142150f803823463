import * as vscode from 'vscode';
import { type Sentence, worded } from '../../core/base/sentence';
import { filterCompletions } from '../../core/registry/filterCompletions';
import type { FilterKey, ToolFacts } from '../../core/registry/toolFilter';
import { steeredPick } from '../steeredPick';

/** What a filter finds, for the line that keeps it. */
interface FilterAnswer {
  readonly found: number;
  readonly of: number;
  readonly faults: readonly Sentence[];
}

interface FilterItem extends vscode.QuickPickItem {
  /** The filter once this line is chosen; unset on the line that keeps what is typed. */
  readonly text?: string;
}

/**
 * Asks for a filter over tools. The first line tells what is found so far, or what is wrong, and keeps the filter; the
 * others complete and explain its last part.
 * @param answer asked with each text that is typed.
 * @returns undefined where the person gave up.
 */
export function askFilter(
  start: string,
  tools: readonly ToolFacts[],
  answer: (text: string) => FilterAnswer,
): Promise<string | undefined> {
  return steeredPick<FilterItem, string>((pick, done) => {
    pick.title = vscode.l10n.t('Filter tools');
    pick.placeholder = vscode.l10n.t('words, asks, high, off, risk:<=medium, -effect:fs.write, source:mcp, is:on');
    pick.value = start;
    const draw = (): void => {
      pick.items = [keeping(pick.value, answer(pick.value)), ...completing(pick.value, tools)];
    };
    draw();
    pick.onDidChangeValue(draw);
    pick.onDidAccept(() => {
      const text = pick.activeItems[0]?.text;
      if (text === undefined) return done(pick.value);
      pick.value = text;
      draw();
    });
  });
}

/** The editor sorts what it finds by the label: the whole text that is typed comes before what completes it. */
function keeping(typed: string, { found, of, faults }: FilterAnswer): FilterItem {
  const [fault] = faults;
  return {
    label: `$(filter) ${typed.trim() || vscode.l10n.t('All tools')}`,
    description: fault ? worded(fault, vscode.l10n.t) : vscode.l10n.t('Show {0} of {1} tools', found, of),
    alwaysShow: true,
  };
}

const completing = (typed: string, tools: readonly ToolFacts[]): readonly FilterItem[] =>
  filterCompletions(typed, tools).map(({ text, part, key, isWhole }) => ({
    label: part,
    description: about()[key],
    // A space begins the next part.
    text: isWhole ? `${text} ` : text,
    alwaysShow: true,
  }));

/** What a part of a filter asks about. */
const about = (): Readonly<Record<FilterKey, string>> => ({
  agent: vscode.l10n.t('what an agent meets, on or off: allowed, asks, forbidden'),
  category: vscode.l10n.t('its category'),
  effect: vscode.l10n.t('a side effect; fs stands for all of files'),
  is: vscode.l10n.t('what its row shows: on, off, asks, allowed, forbidden or a risk'),
  kind: vscode.l10n.t('what it does: data, state, action, control, status'),
  risk: vscode.l10n.t('its risk; <=medium is at most, >=high at least'),
  scope: vscode.l10n.t('a permission that it needs'),
  source: vscode.l10n.t('where it comes from'),
});
