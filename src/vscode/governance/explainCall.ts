import * as vscode from 'vscode';
import { explanationText } from '../../core/explain/explain';
import { chosenTool, toolInput } from '../commands/toolForm';
import { preview } from '../files/readOnlyText';
import { clickedRows, type GovernanceCommand } from './governanceCommand';

/**
 * Says what the gate would do with an agent's call and why: every step, the rules that fired and those that nearly did.
 * Nothing runs.
 */
export const explainCall: GovernanceCommand<'profile' | 'registry' | 'resolver' | 'selection' | 'texts'> = async (
  context,
  ...args
) => {
  const { registry } = context;
  const tool = await chosenTool(registry, args[0], clickedRows(context, args), {
    tools: () => registry.tools(),
    caller: 'agent',
    mode: context.profile().mode,
    title: vscode.l10n.t('Explain a call'),
    placeHolder: vscode.l10n.t('Which tool would the agent call?'),
  });
  const input = tool && (await toolInput(tool, args));
  if (!tool || input === undefined) return undefined;
  const { governance } = context.resolver;
  const explanation = await governance.why(tool.modelName, input, vscode.l10n.t);
  await preview(context.texts, 'Explanation.md', explanationText(explanation, vscode.l10n.t));
  // A program that asks reads English.
  return governance.why(tool.modelName, input);
};
