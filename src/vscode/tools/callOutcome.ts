import * as vscode from 'vscode';
import { proseMarkdown } from '../../core/present/words';
import { isRefusal } from '../../core/vocabulary/errors';
import type { ToolResult } from '../../core/vocabulary/toolResult';

/** How a call ended, in a few words: a denial is somebody's decision, a failure is nobody's. */
export function callOutcome(result: ToolResult): string {
  if (result.success) return `✓ ${Math.round(result.durationMs)} ms`;
  const { code, message } = result.error;
  const why = proseMarkdown(message);
  if (code === 'declined') return `⊘ **${vscode.l10n.t('declined by you')}**`;
  return isRefusal(code) ? `⊘ **${vscode.l10n.t('denied')}**: ${why}` : `✗ **${vscode.l10n.t('failed')}**: ${why}`;
}
