import * as vscode from 'vscode';
import type { PastCall } from '../../core/audit/recentCalls';
import { defined, isObject, type Json, type JsonObject } from '../../core/base/json';
import { agentChanges, type History, isTakenBack } from '../../core/changes/history';
import type { ToolRouter } from '../../core/gate/router';
import { errorWords } from '../../core/present/chatWords';
import { type ChangeRow, takenBackWords } from '../../core/present/changeRows';
import { viewIds } from '../manifest/commands/viewIds';
import { showInformation, showWarning } from '../notices';

export type TakeBack = 'undo' | 'undoSince' | 'redo';

/** The rows of which something can be taken back or made again, by what happened up to now. */
export function ableRows(rows: readonly ChangeRow[], action: TakeBack, history: History): readonly ChangeRow[] {
  const all = agentChanges(history);
  const ids = ({ changes }: ChangeRow): ReadonlySet<string> => new Set(changes.map(({ id }) => id));
  return rows.filter((row) => {
    const own = ids(row);
    const first = all.findIndex(({ id }) => own.has(id));
    const meant = action === 'undoSince' ? (first < 0 ? [] : all.slice(first)) : all.filter(({ id }) => own.has(id));
    return meant.some((one) => isTakenBack(one) === (action === 'redo'));
  });
}

/** What became of a take-back, of all its calls together. */
export interface TakenBackRows {
  readonly text: string;
  readonly isWarning: boolean;
  /** The changes that are in the way of what others changed since, by their ids. */
  readonly conflicts: readonly string[];
}

/** What can be done when something was taken back. */
export interface TakenBackOffer {
  readonly label: string;
  run(): Promise<void>;
}

/** Tells what was taken back until that is answered, and offers to put together what is in the way. */
export async function tellTakenBack(
  told: TakenBackRows,
  putTogether: (conflicts: readonly string[]) => Promise<void>,
  more?: TakenBackOffer,
): Promise<void> {
  const solve = vscode.l10n.t('Put Together…');
  const show = told.isWarning ? showWarning : showInformation;
  const offers = [...(told.conflicts.length > 0 ? [solve] : []), ...(more ? [more.label] : [])];
  const picked = await show(told.text, ...offers);
  if (more && picked === more.label) await more.run();
  else if (picked === solve) await putTogether(told.conflicts);
}

/** The gate that take-backs pass, and what is known of a call that ended. */
export interface TakeBackGate {
  readonly router: Pick<ToolRouter, 'invoke' | 'preview'>;
  readonly pastCall: (call: string) => PastCall | undefined;
}

/** Takes rows back, or makes them again. */
export const takeBackRows = (
  gate: TakeBackGate,
  rows: readonly ChangeRow[],
  action: TakeBack,
): Promise<TakenBackRows> => pass(gate, inputsOf(rows, action), action === 'redo');

/** Takes back what a call changed, or makes it again. @param call its invocation id. */
export const takeBackCall = (gate: TakeBackGate, call: string, action: TakeBack): Promise<TakenBackRows> =>
  pass(gate, [action === 'redo' ? { call, redo: true } : { call }], action === 'redo');

/** Passes the gate as the person's own calls. */
async function pass(
  { router, pastCall }: TakeBackGate,
  inputs: readonly JsonObject[],
  isRedo: boolean,
): Promise<TakenBackRows> {
  const payloads: JsonObject[] = [];
  const failures: string[] = [];
  await vscode.window.withProgress({ location: { viewId: viewIds.changes } }, async () => {
    for (const input of inputs) {
      const call = {
        tool: 'cap:changes:undo_change',
        input,
        actor: { type: 'user', id: 'user' },
        surface: 'tree',
      } as const;
      const result = await router.invoke(call);
      if (!result.success) {
        const { reasons } = await router.preview(call);
        const { said } = pastCall(result.invocationId) ?? {};
        const words = errorWords({ ...result.error, ...defined({ said }) }, reasons, vscode.l10n.t);
        failures.push(
          isRedo ? vscode.l10n.t('Not made again: {0}', words) : vscode.l10n.t('Not taken back: {0}', words),
        );
      } else if (isObject(result.payload)) payloads.push(result.payload);
    }
  });
  if (payloads.length === 0) return { text: failures.join('\n'), isWarning: true, conflicts: [] };
  const all = (key: string): readonly JsonObject[] => payloads.flatMap((one) => listOf(one[key]));
  const paths = (key: string): readonly string[] => all(key).map((one) => String(one['path']));
  const words = takenBackWords(
    {
      done: payloads.reduce((sum, one) => sum + Number(one['taken_back'] ?? 0), 0),
      paths: payloads.flatMap((one) => namesOf(one['paths'])),
      merged: paths('merged'),
      conflicts: paths('conflicts'),
      impossible: paths('impossible'),
      kept: paths('kept'),
      notReached: payloads.reduce((sum, one) => sum + Number(one['not_reached'] ?? 0), 0),
      isRedo,
    },
    vscode.l10n.t,
  );
  return {
    text: [words.text, ...failures].join('\n'),
    isWarning: words.isWarning || failures.length > 0,
    conflicts: all('conflicts').map((one) => String(one['change'])),
  };
}

function inputsOf(rows: readonly ChangeRow[], action: TakeBack): readonly JsonObject[] {
  if (action === 'undoSince') {
    // From the earliest of them on, which holds the others.
    const first = rows.flatMap(({ changes }) => changes).sort((a, b) => a.at - b.at)[0];
    return first ? [{ since: first.id }] : [];
  }
  const bursts = new Set(rows.flatMap(({ burst, file }) => (file ? [] : [burst])));
  const redo = action === 'redo' ? { redo: true } : {};
  const chosen = rows.filter(({ burst, file }) => !file || !bursts.has(burst));
  const newestFirst = [...chosen].sort((a, b) => (b.changes.at(-1)?.at ?? 0) - (a.changes.at(-1)?.at ?? 0));
  return (action === 'redo' ? newestFirst.reverse() : newestFirst).map(({ burst, file }) =>
    file ? { file: file.path, burst, ...redo } : { burst, ...redo },
  );
}

function namesOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((one: Json): one is JsonObject => isObject(one)) : [];
}
