import type { RuleFormat } from './statement';

export const formatNames = ['vscode', 'claude', 'codex', 'gemini', 'cursor'] as const;
type FormatName = (typeof formatNames)[number];

const formats: Readonly<Record<FormatName, () => Promise<RuleFormat>>> = {
  vscode: async () => (await import('./vscode')).vscode,
  claude: async () => (await import('./claude')).claude,
  codex: async () => (await import('./codex')).codex,
  gemini: async () => (await import('./gemini')).gemini,
  cursor: async () => (await import('./cursor')).cursor,
};

/** The reader and writer of a format, loaded when it is asked for. */
export const ruleFormat = (name: FormatName): Promise<RuleFormat> => formats[name]();
