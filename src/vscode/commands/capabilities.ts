import * as vscode from 'vscode';
import { didYouMean } from '../../core/base/nearest';
import { moveCapabilities } from '../../core/profiles/profileEdit';
import type { Grouping } from '../../core/present/capabilityTree';
import { shownName, toolCount } from '../../core/present/words';
import { summaryWords } from '../../core/present/capabilityRow';
import { chooseTools } from './chooseTools';
import type { CommandContext, CommandHandler } from './context';
import { type Choice, pickOther } from './pickOther';
import { capabilityIds, rowsOf } from './rows';
import { namedTool } from './namedTool';
import { showInformation, showWarning } from '../notices';

/** Capability ids that are on in the active profile. */
function enabled(context: Pick<CommandContext, 'profiles'>): ReadonlySet<string> {
  return new Set(
    context.profiles
      .active()
      .entries.filter((one) => one.entry.enabled)
      .map((one) => one.capability.id),
  );
}

async function pickCapabilities(
  context: Pick<CommandContext, 'profiles' | 'registry' | 'view'>,
  on: boolean,
): Promise<readonly string[]> {
  const isOn = enabled(context);
  const items = context.registry
    .capabilities()
    .filter((one) => one.status !== 'coming_soon' && isOn.has(one.id) !== on && context.view.isShown(one))
    .map((capability) => ({
      label: `$(${capability.icon ?? 'symbol-method'}) ${shownName(capability)}`,
      description: toolCount(capability.tools.length, vscode.l10n.t),
      detail: summaryWords(capability, vscode.l10n.t),
      id: capability.id,
    }));
  if (items.length === 0) {
    void showInformation(on ? vscode.l10n.t('Every capability is on.') : vscode.l10n.t('Every capability is off.'));
    return [];
  }
  const title = on ? vscode.l10n.t('Enable capabilities') : vscode.l10n.t('Disable capabilities');
  const picked = await vscode.window.showQuickPick(items, {
    title,
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.map((item) => item.id) ?? [];
}

function switchTo(on: boolean): CommandHandler<'capabilitySwitch' | 'profiles' | 'registry' | 'view'> {
  return async (context, ...args) => {
    const isOn = enabled(context);
    const fromRow = args[0] !== undefined;
    const given = (fromRow ? await capabilityIds(context, args) : []).filter(
      (id) => isOn.has(id) !== on || typeof args[0] === 'string',
    );
    const ids = given.length > 0 && fromRow ? given : await pickCapabilities(context, on);
    const { registry } = context;
    const unknown = ids.find((id) => !registry.capability(id));
    if (unknown !== undefined)
      throw new Error(`there is no capability \`${unknown}\`${didYouMean(unknown, registry.capabilityIds())}`);
    if (ids.length > 0) await context.capabilitySwitch.change(ids, [], on);
  };
}

export const enableCapability = switchTo(true);
export const disableCapability = switchTo(false);

/** Toggles tools: named by a program, chosen in the tree, or picked from a list. */
export const toggleTool: CommandHandler<'capabilitySwitch' | 'profiles' | 'registry' | 'view'> = async (
  context,
  ...args
) => {
  const { registry, profiles } = context;
  const profile = profiles.active();
  const [first] = args;
  const named = typeof first === 'string' ? namedTool(registry, first) : undefined;
  const rows = first === undefined || typeof first === 'string' ? [] : await rowsOf(context, args);
  const tools = named ? [named] : rows.flatMap((row) => (row.kind === 'tool' ? [row.tool] : []));
  if (tools.length === 0) await chooseTools(context);
  for (const tool of tools) await context.capabilitySwitch.change([], [tool], !profile.isToolEnabled(tool));
};

/** Space in the tree: what is selected changes to the opposite of the first selected row. */
export const toggleSelected: CommandHandler<'view'> = async (context, ...args) => {
  const rows = (await rowsOf(context, args)).filter((row) => row.checkbox !== undefined);
  const first = rows[0];
  if (first) await context.view.setEnabled(rows, !context.view.isChecked(first));
};

/** One of the capabilities that are on, in the order of the prompt, where none is selected. */
async function pickToMove({ profiles }: Pick<CommandContext, 'profiles'>, delta: -1 | 1): Promise<readonly string[]> {
  const picked = await vscode.window.showQuickPick(
    profiles
      .active()
      .entries.filter((one) => one.entry.enabled)
      .map(({ capability: { icon, name, description, id } }) => ({
        label: `$(${icon ?? 'symbol-method'}) ${name}`,
        detail: description,
        id,
      })),
    {
      title: delta < 0 ? vscode.l10n.t('Move a capability up') : vscode.l10n.t('Move a capability down'),
      matchOnDetail: true,
    },
  );
  return picked ? [picked.id] : [];
}

function move(delta: -1 | 1): CommandHandler<'editor' | 'profiles' | 'registry' | 'view'> {
  return async (context, ...args) => {
    const chosen = await capabilityIds(context, args);
    const ids = chosen.length > 0 || args.length > 0 ? chosen : await pickToMove(context, delta);
    if (ids.length === 0) return;
    const label = vscode.l10n.t('move {0}', ids.join(', '));
    await context.editor.change(context.profiles.active().id, label, moveCapabilities(context.registry, ids, delta));
  };
}

export const moveUp = move(-1);
export const moveDown = move(1);

export const undo: CommandHandler<'editor'> = async (context) => {
  // A change that is still on its way is the one that is meant.
  await context.editor.settled();
  const label = context.editor.undoLabel;
  const done = await context.editor.undo();
  if (done === 'nothing') void showInformation(vscode.l10n.t('There is nothing to undo.'));
  else if (done === 'changed-since')
    void showWarning(vscode.l10n.t('Not undone ({0}): the settings were edited since.', label ?? ''));
  else void vscode.window.setStatusBarMessage(vscode.l10n.t('Undone: {0}', label ?? ''), 4000);
  return done;
};

export const groupBy: CommandHandler<'view'> = async (context, ...args) => {
  const choices: readonly Choice<Grouping>[] = [
    { label: vscode.l10n.t('Order of the prompt'), id: 'order' },
    { label: vscode.l10n.t('Category'), id: 'category' },
    { label: vscode.l10n.t('Source'), id: 'source' },
  ];
  const given = choices.find((choice) => choice.id === args[0])?.id;
  const grouping = given ?? (await pickOther(choices, context.view.grouping, vscode.l10n.t('Group capabilities by')));
  if (grouping) context.view.setGrouping(grouping);
};
