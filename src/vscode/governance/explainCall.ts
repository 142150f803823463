import * as vscode from 'vscode';
import { isObject, type JsonObject } from '../../core/base/json';
import { didYouMean } from '../../core/base/nearest';
import { explanationText } from '../../core/explain/explain';
import type { RegisteredTool } from '../../core/registry/registry';
import { riskAndPermission } from '../../core/present/words';
import { askInput } from '../commands/runTool';
import { clickedRows, type GovernanceCommand, type GovernanceContext } from './governanceCommand';

/**
 * Says what the gate would do with an agent's call and why: every step, the rules that fired and those that nearly did.
 * Nothing runs.
 */
export const explainCall: GovernanceCommand<'registry' | 'resolver' | 'selection' | 'texts'> = async (
  context,
  ...args
) => {
  const tool = await chosenTool(context, args);
  if (!tool) return undefined;
  const given = args[1];
  const input = typeof args[0] === 'string' && isObject(given) ? (given as JsonObject) : await askInput(tool); // reason: commands carry JSON
  if (input === undefined) return undefined;
  const explanation = await context.resolver.governance.why(tool.modelName, input);
  await vscode.commands.executeCommand(
    'markdown.showPreview',
    context.texts.put('Explanation.md', explanationText(explanation)),
  );
  return explanation;
};

async function chosenTool(
  context: Pick<GovernanceContext, 'registry' | 'selection'>,
  args: readonly unknown[],
): Promise<RegisteredTool | undefined> {
  const { registry } = context;
  const [first] = args;
  if (typeof first === 'string') {
    const named = registry.tool(first);
    if (!named) throw new Error(`there is no tool \`${first}\`${didYouMean(first, registry.toolNames())}`);
    return named;
  }
  const row = clickedRows(context, args).find((one) => one.kind === 'tool');
  if (row?.kind === 'tool') return row.tool;
  const items = registry.tools().map((tool) => ({
    label: tool.definition.title,
    description: `${tool.definition.name} · ${riskAndPermission(tool.definition.riskLevel, tool.definition.permissions.agent, vscode.l10n.t)}`,
    detail: tool.definition.userDescription,
    tool,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Explain a call'),
    placeHolder: vscode.l10n.t('Which tool would the agent call?'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.tool;
}
