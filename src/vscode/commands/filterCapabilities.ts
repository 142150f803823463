import * as vscode from 'vscode';
import { Debounce } from '../../core/base/debounce';
import { worded } from '../../core/base/sentence';
import { factsOf, fittingTools, parseFilter } from '../../core/present/treeFilter';
import { askFilter } from './askFilter';
import type { CommandContext, CommandHandler } from './context';
import { toolsToChoose } from './rows';

/** Who types on within this many milliseconds has not ended the word. */
const quickKeysMs = 60;

/** The filter with what can follow, explained; the view stays as it was where the person gives up. */
async function completeFilter(
  { registry, profiles, view }: Pick<CommandContext, 'profiles' | 'registry' | 'view'>,
  start: string,
): Promise<void> {
  const profile = profiles.active();
  const states = toolsToChoose({ registry, view }).map((tool) => ({ tool, enabled: profile.isToolEnabled(tool) }));
  const text = await askFilter(
    start,
    states.map((state) => factsOf(state)),
    (typed) => {
      const { fitting, faults } = fittingTools(registry, typed, states, vscode.l10n.t);
      return { found: fitting.length, of: states.length, faults };
    },
  );
  if (text !== undefined) view.setFilter(text.trim());
}

export const filterCapabilities: CommandHandler<'profiles' | 'registry' | 'view'> = async (context, ...args) => {
  const [text] = args;
  if (typeof text === 'string') return context.view.setFilter(text);
  const input = vscode.window.createInputBox();
  const clear: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('clear-all'),
    tooltip: vscode.l10n.t('Clear Filter'),
  };
  const complete: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('question'),
    tooltip: vscode.l10n.t('Complete the Filter'),
  };
  input.title = vscode.l10n.t('Filter capabilities');
  input.placeholder = vscode.l10n.t('words, asks, high, off, risk:<=medium, -effect:fs.write, source:mcp, is:on');
  input.prompt = vscode.l10n.t('Enter keeps the filter, Esc takes it away.');
  input.value = context.view.filter;
  input.buttons = [complete, clear];
  // A click on a row that was found is not to take the filter away.
  input.ignoreFocusOut = true;
  let isAccepted = false;
  let isCompleted = false;
  const done = new Promise<void>((resolve) => {
    const filter = (): void => {
      context.view.setFilter(input.value);
      const [fault] = parseFilter(context.registry, input.value, vscode.l10n.t)?.faults ?? [];
      input.validationMessage = fault && {
        message: worded(fault, vscode.l10n.t),
        severity: vscode.InputBoxValidationSeverity.Info,
      };
    };
    // Quick keys are one filter: among thousands of tools each would hold the view up.
    const typed = new Debounce(filter, quickKeysMs);
    // Once nothing fitted while somebody typed, the editor has nothing that it could give the focus back to: also where
    // the rows are on their way again as the filter is kept.
    let isFocusLost = false;
    const look = (): void => void (isFocusLost ||= context.view.isEmpty);
    input.onDidChangeValue(() => {
      look();
      typed.restart();
    });
    input.onDidTriggerButton((button) => {
      isCompleted = button === complete;
      input.hide();
    });
    input.onDidAccept(() => {
      isAccepted = true;
      look();
      filter();
      input.hide();
    });
    input.onDidHide(() => {
      typed.dispose();
      look();
      if (!isAccepted && !isCompleted) context.view.setFilter('');
      input.dispose();
      if (isCompleted) resolve(completeFilter(context, input.value));
      else resolve(isFocusLost ? context.view.focus() : undefined);
    });
  });
  input.show();
  return done;
};

export const clearFilter: CommandHandler<'view'> = (context) => context.view.setFilter('');
