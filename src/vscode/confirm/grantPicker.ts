import { visible } from '../../core/base/visible';
import * as vscode from 'vscode';
import type { ApprovalRequest } from '../../core/call/gateCall';
import { grantableFolders } from '../../core/policy/grants/fileChanges';
import { isFromRepository } from '../../core/policy/grants/grantBinding';
import { suggestedPattern, uncovered } from '../../core/policy/grants/grantPattern';
import type { GrantDraft } from '../../core/policy/grants/grants';
import { folderName } from '../../core/present/approvalText';
import { lifetimeUntil } from '../../core/present/grantTerm';
import { saidToPerson } from '../saidToPerson';

type Cover = Pick<GrantDraft, 'cover' | 'pattern' | 'folder'>;
type Term = Pick<GrantDraft, 'scope' | 'uses' | 'lifetimeMs'>;

/**
 * Asks what to remember and for how long, from the narrowest to the widest. Undefined where the person left without a
 * choice.
 */
export async function pickGrant(request: ApprovalRequest, now: () => number): Promise<GrantDraft | undefined> {
  const cover = await pickCover(request);
  if (!cover) return undefined;
  if (cover.folder !== undefined) return { ...cover, scope: 'session' };
  const term = await pickTerm(isFromRepository(request.call.tool), now);
  return term && { ...cover, ...term };
}

async function pickCover(request: ApprovalRequest): Promise<Cover | undefined> {
  const name = request.call.tool.definition.name;
  const resources = request.accesses.map((access) => visible(access.resource)).filter(Boolean);
  const { call, accesses, reasons } = request;
  const folders = grantableFolders({ tool: call.tool, actor: call.actor.type, accesses, reasons });
  const items: (vscode.QuickPickItem & Cover)[] = [
    { label: vscode.l10n.t('This call'), description: vscode.l10n.t('exactly these arguments'), cover: 'arguments' },
    ...(resources.length > 0
      ? [
          { label: vscode.l10n.t('These resources'), description: shortList(resources), cover: 'resources' as const },
          {
            label: vscode.l10n.t('This pattern…'),
            description: vscode.l10n.t('such as src/** or *.example.com'),
            cover: 'pattern' as const,
          },
        ]
      : []),
    {
      label: vscode.l10n.t('This tool'),
      description: vscode.l10n.t('every call of {0} that asks for the same reasons', name),
      cover: 'tool',
    },
    ...folders.map((folder) => ({
      label: vscode.l10n.t('All file changes below {0}', folderName(folder)),
      description: vscode.l10n.t('write, edit, move and delete to the trash, in this session'),
      cover: 'files' as const,
      folder,
    })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Always allow {0} (1/2): what?', name),
    ignoreFocusOut: true,
  });
  if (!picked) return undefined;
  if (picked.folder !== undefined) return { cover: 'files', folder: picked.folder };
  if (picked.cover !== 'pattern') return { cover: picked.cover };
  const pattern = await vscode.window.showInputBox({
    title: vscode.l10n.t('A glob for the resources'),
    prompt: vscode.l10n.t('** stands for any folders. The pattern has to cover this call.'),
    value: suggestedPattern(request.accesses),
    ignoreFocusOut: true,
    validateInput: (text) => patternProblem(text.trim(), request),
  });
  return pattern === undefined ? undefined : { cover: 'pattern', pattern: pattern.trim() };
}

const mostListed = 3;

function shortList(names: readonly string[]): string {
  const shown = names.slice(0, mostListed).join(', ');
  return names.length > mostListed ? `${shown}, ${vscode.l10n.t('{0} more', names.length - mostListed)}` : shown;
}

/**
 * Why a pattern cannot be remembered for this call; a grant that does not cover the call that it was made for would be
 * a surprise later.
 */
function patternProblem(pattern: string, { accesses }: ApprovalRequest): string | undefined {
  if (pattern === '') return vscode.l10n.t('A pattern is needed');
  try {
    const missed = uncovered(pattern, accesses);
    return missed && vscode.l10n.t('It does not cover {0}, which this call touches', visible(missed.resource));
  } catch (error) {
    return saidToPerson(error);
  }
}

/** What a repository brings can be allowed in it alone. */
async function pickTerm(isHereOnly: boolean, now: () => number): Promise<Term | undefined> {
  const hour = 3_600_000;
  const items: (vscode.QuickPickItem & { ask: () => Promise<Term | undefined> })[] = [
    { label: vscode.l10n.t('Until the window is reloaded'), ask: async () => ({ scope: 'session' }) },
    {
      label: vscode.l10n.t('For a number of calls…'),
      description: vscode.l10n.t('until the window is reloaded'),
      ask: () => askUses(),
    },
    {
      label: vscode.l10n.t('For 1 hour'),
      description: vscode.l10n.t('in this workspace'),
      ask: async () => ({ scope: 'workspace', lifetimeMs: hour }),
    },
    {
      label: vscode.l10n.t('Until a time…'),
      description: vscode.l10n.t('in this workspace'),
      ask: () => askUntil(now),
    },
    {
      label: vscode.l10n.t('In this workspace'),
      description: vscode.l10n.t('until you revoke it'),
      ask: async () => ({ scope: 'workspace' }),
    },
    ...(isHereOnly
      ? []
      : [
          {
            label: vscode.l10n.t('In every workspace'),
            description: vscode.l10n.t('until you revoke it'),
            ask: async () => ({ scope: 'always' as const }),
          },
        ]),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Always allow (2/2): for how long?'),
    ignoreFocusOut: true,
  });
  return picked?.ask();
}

const mostUses = 1000;

async function askUses(): Promise<Term | undefined> {
  const read = (text: string): number | undefined => {
    const uses = Number(text.trim());
    return /^\d+$/.test(text.trim()) && uses >= 1 && uses <= mostUses ? uses : undefined;
  };
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('For how many calls?'),
    prompt: vscode.l10n.t('This call is the first of them.'),
    value: '5',
    ignoreFocusOut: true,
    validateInput: (value) =>
      read(value) === undefined ? vscode.l10n.t('A whole number from 1 to {0}', mostUses) : undefined,
  });
  const uses = text === undefined ? undefined : read(text);
  return uses === undefined ? undefined : { scope: 'session', uses };
}

async function askUntil(now: () => number): Promise<Term | undefined> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Until when?'),
    prompt: vscode.l10n.t(
      'A time of today or tomorrow (17:30), or a date with a time (2026-12-31 17:30), in local time.',
    ),
    placeHolder: '17:30',
    ignoreFocusOut: true,
    validateInput: (value) =>
      lifetimeUntil(value, now()) === undefined
        ? vscode.l10n.t('A time that is still to come, such as 17:30')
        : undefined,
  });
  const lifetimeMs = text === undefined ? undefined : lifetimeUntil(text, now());
  return lifetimeMs === undefined ? undefined : { scope: 'workspace', lifetimeMs };
}
