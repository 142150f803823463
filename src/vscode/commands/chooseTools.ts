import * as vscode from 'vscode';
import { factsOf, fittingTools } from '../../core/present/treeFilter';
import type { ToolState } from '../../core/present/treeRow';
import { meetingAndRisk } from '../../core/present/toolRow';
import { shortCount, shownName } from '../../core/present/words';
import type { Mode } from '../../core/vocabulary/decision';
import { toolTokens } from '../../core/profiles/runtimeAgent';
import { hasFacet } from '../../core/registry/toolFilter';
import { askFilter } from './askFilter';
import { steeredPick } from '../steeredPick';
import type { CommandHandler } from './context';
import { toolsToChoose } from './rows';
import { profileWords } from '../../core/profiles/shippedProfiles';

/** What a person did with the list: the boxes that are ticked, and by what it is to be narrowed. */
interface Picked {
  readonly ticked: ReadonlySet<ToolState['tool']>;
  /** The next filter, or that one is asked for; unset where the person is done. */
  readonly filter?: string | typeof ask;
}

const ask = Symbol('a filter is asked for');

/**
 * Every tool in one list, in which those that are on are checked, each with what it costs in every request. The list is
 * narrowed by the filter of the Capabilities view; a box that is not shown stays as it was left.
 */
export const chooseTools: CommandHandler<'capabilitySwitch' | 'profiles' | 'registry' | 'view'> = async (context) => {
  const { registry, profiles } = context;
  const profile = profiles.active();
  const tools = toolsToChoose(context);
  const before = new Set(tools.filter((tool) => profile.isToolEnabled(tool)));
  const wanted = new Set(before);
  const fitting = (text: string) =>
    fittingTools(
      registry,
      text,
      tools.map((tool) => ({ tool, enabled: wanted.has(tool) })),
      vscode.l10n.t,
    );
  let filter = '';
  for (;;) {
    const { fitting: shown } = fitting(filter);
    const title = vscode.l10n.t('Tools of {0}', profileWords(profile.profile, vscode.l10n.t).name);
    const of = vscode.l10n.t('{0} ({1} of {2})', filter, shown.length, tools.length);
    const picked = await pickTools(filter === '' ? title : `${title} · ${of}`, shown, profile.mode);
    if (!picked) return;
    for (const { tool } of shown) {
      if (picked.ticked.has(tool)) wanted.add(tool);
      else wanted.delete(tool);
    }
    if (picked.filter === undefined) break;
    if (typeof picked.filter === 'string') filter = picked.filter;
    else {
      const facts = fitting('').fitting.map((state) => factsOf(state));
      const asked = await askFilter(filter, facts, (text) => {
        const { fitting: found, faults } = fitting(text);
        return { found: found.length, of: tools.length, faults };
      });
      filter = asked?.trim() ?? filter;
    }
  }
  const off = [...before].filter((tool) => !wanted.has(tool));
  const on = [...wanted].filter((tool) => !before.has(tool));
  if (off.length > 0) await context.capabilitySwitch.change([], off, false);
  if (on.length > 0) await context.capabilitySwitch.change([], on, true);
};

/**
 * One list to tick. The editor searches it in its own way; a filter with a key, such as `risk:low`, narrows it anew.
 */
function pickTools(title: string, states: readonly ToolState[], mode: Mode): Promise<Picked | undefined> {
  const items = states.map(({ tool, enabled }) => ({
    label: tool.definition.name,
    description: [
      shownName(tool.capability),
      meetingAndRisk(tool, mode, vscode.l10n.t),
      vscode.l10n.t('~{0} tokens', shortCount(toolTokens(tool), vscode.l10n.t)),
    ].join(' · '),
    detail: tool.definition.userDescription,
    tool,
    enabled,
  }));
  return steeredPick<(typeof items)[number], Picked>((pick, done) => {
    pick.title = title;
    pick.placeholder = vscode.l10n.t('Words search; risk:<=medium or is:off and Enter narrows the list');
    pick.canSelectMany = true;
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.buttons = [{ iconPath: new vscode.ThemeIcon('filter'), tooltip: vscode.l10n.t('Filter tools') }];
    // The items of one list never change: events of the editor name them by their number.
    pick.items = items;
    pick.selectedItems = items.filter(({ enabled }) => enabled);
    const leave = (filter?: Picked['filter']): void => {
      const ticked = new Set(pick.selectedItems.map(({ tool }) => tool));
      done(filter === undefined ? { ticked } : { ticked, filter });
    };
    pick.onDidAccept(() => leave(hasFacet(pick.value) ? pick.value.trim() : undefined));
    pick.onDidTriggerButton(() => leave(ask));
  });
}
