import * as vscode from 'vscode';
import { addLearned } from '../../core/learning/addLearned';
import { coverageWords } from '../../core/present/suggestionText';
import { oneLine } from '../../core/present/approvalWords';
import { LearnedGrants } from '../confirm/learnedGrants';
import type { GovernanceCommand } from './governanceCommand';
import { showInformation } from '../notices';

/** Lists what would have saved questions of the record, and makes the grant that the person picks. */
export const suggestRules: GovernanceCommand<'grants' | 'learned' | 'registry'> = async ({
  grants,
  learned: parts,
  registry,
}) => {
  const learned = new LearnedGrants(parts);
  const held = grants.list();
  const items = (await learned.all()).flatMap((suggestion) => {
    const tool = registry.tool(suggestion.tool);
    const isHeld = held.some(
      ({ toolId, cover }) =>
        toolId === suggestion.tool &&
        cover.type === 'resources' &&
        cover.accesses.some(({ pattern }) => pattern === suggestion.pattern),
    );
    if (!tool || isHeld) return [];
    return [
      {
        label: `$(law) ${oneLine(suggestion.toolName)}: ${coverageWords(suggestion)}`,
        description: vscode.l10n.t('would have saved {0} of {1} questions', suggestion.saved, suggestion.asked),
        suggestion,
        tool,
      },
    ];
  });
  if (items.length === 0) {
    void showInformation(
      vscode.l10n.t('The record holds no three questions alike that one narrow grant would have saved.'),
    );
    return;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Suggest rules'),
    placeHolder: vscode.l10n.t('Pick one to see what else it would allow, and what not'),
    matchOnDescription: true,
  });
  if (!picked) return;
  const scope = await learned.offer(picked.suggestion);
  if (scope) addLearned(grants, picked.tool, picked.suggestion, scope);
};
