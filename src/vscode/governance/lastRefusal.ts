import * as vscode from 'vscode';
import { withoutIcons } from '../../core/present/words';
import type { PastCall, RecentCalls } from '../../core/audit/recentCalls';
import { type Disposable, DisposableStore, toDisposable } from '../../core/base/lifecycle';
import { oneLine } from '../../core/present/approvalWords';
import { failureWords } from '../../core/present/chatWords';
import { commandId } from '../manifest/commands/commandId';

/** How long the status bar tells of a call that came to nothing. */
const shownMs = 120_000;

/**
 * Tells in the status bar of an agent's last call where it was denied or failed: the chat's line was written before the
 * call ran, and cannot say so. A click explains it. The next success of the same tool takes away what failed, and any
 * success what was denied, which the chat tells of; what the person declined stays.
 */
export function showLastRefusal(recent: Pick<RecentCalls, 'list' | 'onDidChange'>, now = Date.now): Disposable {
  const store = new DisposableStore();
  const item = store.add(
    vscode.window.createStatusBarItem('agentCapabilities.lastCall', vscode.StatusBarAlignment.Left, 9),
  );
  item.name = vscode.l10n.t('Last call that came to nothing');
  item.command = commandId('whyCall');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hide = (): void => {
    clearTimeout(timer);
    item.hide();
  };
  store.add(toDisposable(hide));
  const show = (): void => {
    hide();
    const last = refusalOf(recent.list());
    const leftMs = last ? last.time + shownMs - now() : 0;
    if (!last || leftMs <= 0) return;
    const name = withoutIcons(oneLine(last.toolName));
    item.text = `$(${last.outcome === 'denied' ? 'circle-slash' : 'error'}) ${name}: ${wordsOf(last)}`;
    const about = last.accesses.map(({ resource }) => oneLine(resource)).filter((one) => one !== '');
    const label = [name, wordsOf(last), ...about.slice(0, 2)].join(', ');
    item.tooltip = vscode.l10n.t('{0}. Click to see why, and to turn it into a rule.', label);
    item.accessibilityInformation = { label: item.tooltip, role: 'button' };
    item.show();
    timer = setTimeout(hide, leftMs);
  };
  store.add(recent.onDidChange(show));
  show();
  return store;
}

/** What is told of these calls, the newest of which is first. What the person calls takes nothing away. */
function refusalOf(calls: readonly PastCall[]): PastCall | undefined {
  const ranLater = new Set<string>();
  for (const call of calls) {
    if (!call.isAgents) continue;
    if (call.outcome === 'ran') ranLater.add(call.tool);
    else if (call.code === 'declined' || ranLater.size === 0) return call;
    else if (call.outcome === 'failed' && !ranLater.has(call.tool)) return call;
  }
  return undefined;
}

function wordsOf(call: PastCall): string {
  const { outcome, code } = call;
  if (code === 'declined') return vscode.l10n.t('declined by you');
  if (outcome === 'denied') return vscode.l10n.t('denied');
  const words = failureWords(call, vscode.l10n.t);
  return words.length <= 40 ? words : vscode.l10n.t('failed');
}
