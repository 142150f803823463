import { visible } from '../../core/base/visible';
import * as vscode from 'vscode';
import { agrees } from '../confirm/modalSurface';
import type { Grant } from '../../core/policy/grants/grant';
import { explainGrant, grantName, localTime, scopeWords } from '../../core/present/grantWords';
import { clickedRows, type GovernanceCommand, type GovernanceContext } from './governanceCommand';
import { showInformation } from '../notices';

type GrantItem = vscode.QuickPickItem & { readonly grant?: Grant };

/** Lists what people allowed for longer than one call; each can be explained and revoked, and all at once. */
export const manageGrants: GovernanceCommand<'clock' | 'grants' | 'texts'> = async (context) => {
  for (;;) {
    const { grants } = context;
    const list = grants.list();
    if (list.length === 0) {
      void showInformation(vscode.l10n.t('Nothing is granted beyond single calls.'));
      return;
    }
    const now = context.clock.now();
    const all: GrantItem = { label: `$(trash) ${vscode.l10n.t('Revoke all of them')}`, alwaysShow: true };
    const items: GrantItem[] = list.map((grant) => ({
      label: visible(grantName(grant, vscode.l10n.t)),
      description: scopeWords(grant.scope, vscode.l10n.t),
      detail: visible(explainGrant(grant, now, vscode.l10n.t)),
      grant,
    }));
    const picked = await vscode.window.showQuickPick([...items, ...(list.length > 1 ? [all] : [])], {
      title: vscode.l10n.t('Grants'),
      placeHolder: vscode.l10n.t('Pick a grant to look at or revoke it'),
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (!picked) return;
    if (picked === all) {
      await revokeAll(context, list.length);
      return;
    }
    if (picked.grant) await openGrant(context, picked.grant);
  }
};

/** Revokes the grants of the clicked rows, or one by its id. */
export const revokeGrant: GovernanceCommand<'grants' | 'selection'> = (context, ...args) => {
  const [first] = args;
  if (typeof first === 'string') return context.grants.revoke(first);
  const ids = clickedRows(context, args).flatMap((row) => (row.kind === 'grant' ? [row.grantId] : []));
  for (const id of ids) context.grants.revoke(id);
  return ids.length;
};

async function revokeAll(context: Pick<GovernanceContext, 'grants'>, count: number): Promise<void> {
  const question = vscode.l10n.t('Revoke all grants ({0})?', count);
  const detail = vscode.l10n.t('Agents ask again from their next call on.');
  if (await agrees(question, detail, vscode.l10n.t('Revoke All'))) context.grants.revokeAll();
}

async function openGrant(context: Pick<GovernanceContext, 'clock' | 'grants' | 'texts'>, grant: Grant): Promise<void> {
  const back: vscode.QuickPickItem = { label: `$(arrow-left) ${vscode.l10n.t('Back')}` };
  const revoke: vscode.QuickPickItem = {
    label: `$(trash) ${vscode.l10n.t('Revoke')}`,
    description: vscode.l10n.t('agents ask again from their next call on'),
  };
  const explain: vscode.QuickPickItem = {
    label: `$(info) ${vscode.l10n.t('Explain')}`,
    description: vscode.l10n.t('what it covers, why it was asked, how long it holds'),
  };
  const picked = await vscode.window.showQuickPick([revoke, explain, back], {
    title: visible(explainGrant(grant, context.clock.now(), vscode.l10n.t)).slice(0, 200),
  });
  if (picked === revoke) context.grants.revoke(grant.id);
  if (picked === explain)
    await context.texts.open(`Grant ${grant.toolName}.json`, grantText(grant, context.clock.now()));
}

function grantText(grant: Grant, now: number): string {
  const facts = {
    ...grant,
    createdAt: localTime(grant.createdAt),
    ...(grant.expiresAt === undefined ? {} : { expiresAt: localTime(grant.expiresAt) }),
  };
  return `// ${visible(explainGrant(grant, now, vscode.l10n.t))}\n${JSON.stringify(facts, null, 2)}\n`;
}
