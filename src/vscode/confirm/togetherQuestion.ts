import * as vscode from 'vscode';
import { withoutIcons } from '../../core/present/words';
import type { ApprovalRequest } from '../../core/call/gateCall';
import type { ApprovalQueue } from '../../core/policy/approvals/approvals';
import type { Clock } from '../../core/ports/platform';
import { describeApproval } from '../../core/present/approvalText';
import {
  tickedTogether,
  type TogetherAnswers,
  togetherAnswers,
  togetherDetail,
  togetherRows,
  type TogetherRow,
} from '../../core/present/together';
import { steeredPick } from '../steeredPick';
import type { DecisionEditors } from './decisionEditors';
import { type ModalQuestions, tooSoonMs } from './modalQuestions';

interface TogetherParts {
  readonly clock: Clock;
  readonly questions: ModalQuestions;
  readonly editors: Pick<DecisionEditors, 'open' | 'hasShown'>;
}

/**
 * Asks about calls that wait at the same moment in one list, each with its own yes and no, and shows what is allowed
 * before it is. Undefined where the person left, or `signal` aborted, so that nothing is answered.
 */
export async function decideTogether(
  requests: readonly ApprovalRequest[],
  { clock, questions, editors }: TogetherParts,
  signal?: AbortSignal,
): Promise<TogetherAnswers | undefined> {
  const show = (one: ApprovalRequest): Promise<void> =>
    editors.open(one, describeApproval(one, vscode.l10n.t), { keepsKeyboard: true });
  const ticked = await tickTogether(requests, clock, show, signal);
  if (!ticked) return undefined;
  const answers = togetherAnswers(requests, ticked, (id) => editors.hasShown(id), vscode.l10n.t);
  const { allowed, denied } = answers;
  if (allowed.length === 0) return answers;
  const label =
    denied.length === 0
      ? vscode.l10n.t('Allow {0} Once', allowed.length)
      : vscode.l10n.t('Allow {0} Once, Deny {1}', allowed.length, denied.length);
  const title = vscode.l10n.t('Answer {0} calls?', allowed.length + denied.length);
  const isMeant = await questions.confirms(title, togetherDetail(answers, vscode.l10n.t), label, signal);
  return isMeant ? answers : undefined;
}

/** Gives the answers to calls that wait; to one of them somebody else may give its own. */
export async function answerAll(
  queue: Pick<ApprovalQueue, 'answer'> | undefined,
  { allowed, denied }: TogetherAnswers,
  except?: ApprovalRequest,
): Promise<void> {
  const idsOf = (some: readonly ApprovalRequest[]): readonly string[] =>
    some.flatMap((one) => (one === except ? [] : [one.id]));
  await queue?.answer(idsOf(allowed), { outcome: 'allow-once' });
  await queue?.answer(idsOf(denied), { outcome: 'deny' });
}

interface Item extends vscode.QuickPickItem {
  readonly row: TogetherRow;
}

/** The list; answers the ids that are ticked, undefined where it was left. `show` leaves the keyboard with the list. */
function tickTogether(
  requests: readonly ApprovalRequest[],
  clock: Clock,
  show: (request: ApprovalRequest) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string> | undefined> {
  const button = { iconPath: new vscode.ThemeIcon('open-preview'), tooltip: vscode.l10n.t('Show in Editor') };
  const items = togetherRows(requests, vscode.l10n.t).map((row): Item => ({
    label: withoutIcons(row.label),
    description: withoutIcons(row.description),
    ...(row.detail === undefined || row.detail === '' ? {} : { detail: withoutIcons(row.detail) }),
    ...(row.members ? {} : { buttons: [button] }),
    row,
  }));
  const rows = items.map(({ row }) => row);
  const byId = new Map(items.map((item) => [item.row.id, item]));
  const openedAt = clock.monotonic();
  let ticked: ReadonlySet<string> = new Set();
  const showOf = (item: Item | undefined): void => {
    const request = requests.find(({ id }) => id === item?.row.id);
    if (request) void show(request).catch(() => undefined);
  };
  return steeredPick<Item, ReadonlySet<string>>((pick, done) => {
    pick.title = vscode.l10n.t('{0} calls wait: those ticked are allowed once, all others are denied', requests.length);
    pick.placeholder = vscode.l10n.t('Tick what may run, then Enter; Escape asks one by one');
    pick.canSelectMany = true;
    pick.ignoreFocusOut = true;
    pick.matchOnDescription = true;
    pick.buttons = [button];
    // The items of one list never change: events of the editor name them by their number.
    pick.items = items;
    const leave = (): void => pick.hide();
    signal?.addEventListener('abort', leave, { once: true });
    pick.onDidChangeSelection((selected) => {
      const after = new Set(selected.map(({ row }) => row.id));
      const wanted = tickedTogether(rows, ticked, after);
      ticked = wanted;
      const isSame = wanted.size === after.size && [...wanted].every((id) => after.has(id));
      if (!isSame) pick.selectedItems = [...wanted].flatMap((id) => byId.get(id) ?? []);
    });
    pick.onDidTriggerItemButton(({ item }) => showOf(item));
    pick.onDidTriggerButton(() => showOf(pick.activeItems[0]));
    pick.onDidAccept(() => {
      if (clock.monotonic() - openedAt < tooSoonMs) return;
      done(new Set(requests.map(({ id }) => id).filter((id) => ticked.has(id))));
    });
    pick.onDidHide(() => signal?.removeEventListener('abort', leave));
  });
}
