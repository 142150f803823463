import { isHiddenFrom } from '../../core/profiles/profile';
import { shownTitle } from '../../core/present/words';
import * as vscode from 'vscode';
import { inProgress } from '../notices';
import type { CommandHandler } from './context';
import { rowsOf } from './rows';
import { chosenTool, toolInput } from './toolForm';

/**
 * Runs a tool as the user, through the same gate as an agent's call, and shows its result.
 */
export const runTool: CommandHandler<'profiles' | 'registry' | 'router' | 'texts' | 'view'> = async (
  context,
  ...args
) => {
  const { registry, profiles } = context;
  const rows = args[0] === undefined ? [] : await rowsOf(context, args);
  const tool = await chosenTool(registry, args[0], rows, {
    tools: () => profiles.active().tools.filter((one) => !isHiddenFrom('user', one.definition)),
    caller: 'user',
    mode: profiles.active().mode,
    title: vscode.l10n.t('Run a tool'),
  });
  const input = tool && (await toolInput(tool, args));
  if (!tool || input === undefined) return undefined;
  const result = await inProgress(
    vscode.l10n.t('Running {0}', shownTitle(tool.definition)),
    ({ signal, tell }) =>
      context.router.invoke({
        tool: tool.id,
        input,
        actor: { type: 'user', id: 'user' },
        surface: 'palette',
        signal,
        onProgress: ({ message }) => message !== undefined && tell(message),
      }),
    { cancellable: true },
  );
  await context.texts.open(
    `${tool.definition.name} ${new Date().toTimeString().slice(0, 8).replaceAll(':', '.')}.json`,
    `${JSON.stringify(result, null, 2)}\n`,
  );
  return result;
};
