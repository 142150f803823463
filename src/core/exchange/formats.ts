import type { RuleFormat } from './statement';

export const formatNames = ['vscode', 'claude', 'codex', 'gemini', 'cursor'] as const;
type FormatName = (typeof formatNames)[number];

/** The reader and writer of a format, loaded when it is asked for. */
export async function ruleFormat(name: FormatName): Promise<RuleFormat> {
  switch (name) {
    case 'vscode':
      return (await import('./vscode')).vscode;
    case 'claude':
      return (await import('./claude')).claude;
    case 'codex':
      return (await import('./codex')).codex;
    case 'gemini':
      return (await import('./gemini')).gemini;
    case 'cursor':
      return (await import('./cursor')).cursor;
  }
}
