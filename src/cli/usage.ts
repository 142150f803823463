/** What every command on a workspace takes; `--yes` says beforehand what the command would ask. */
export const workspaceUsage =
  '[--workspace DIR] [--profile ID] [--set KEY=JSON] [--yes] [--state-dir DIR] [--audit-dir DIR]';

/** What commands take that call tools, or would: what a person said beforehand. */
export const consentUsage = '[--plan FILE] [--admin-token-file FILE]';

/** How these commands are called. */
export const usage = {
  audit:
    'audit verify|query|export|report|why|tail|clear|retire DIR [--json] [--tool T] [--actor A] [--outcome O] [--rule R] [--risk R] [--event E] [--profile ID] [--text WORDS] [--since T] [--until T] [--limit N] [--next PAGE] [--format jsonl|csv|otlp] [--out FILE] [--follow] [--reason WHY] [--days N] [--megabytes N]\n    report DIR [--from T] [--to T] [--format markdown|html|json] [--out FILE] [--home DIR]\n    why DIR --call ID [--bundle FILE --public-key KEY] [--json]',
  bundle:
    'bundle key --out FILE | bundle make --name NAME --revision N [--expires-in 90d] [--out FILE] | bundle sign FILE --key PRIVATE.pem [--out FILE] | bundle verify FILE --public-key KEY [--name NAME] [--after OLDER] | bundle show FILE [--public-key KEY] [--json]\n    KEY: ed25519:…, or a file that holds it',
  policy:
    'policy test [FILE…] [--tap | --json] [--junit FILE] [--coverage] [--mutate] [--min-score N] [--presets] [--watch] [--against POLICY] | policy diff POLICY POLICY [--json] [--record DIR] | policy import --format FORMAT FILE… [--out FILE] | policy export --format FORMAT [POLICY] [--strict] [--out FILE]\n    POLICY: now, a preset (strict, balanced, open) or a file of rules\n    FORMAT: vscode, claude, codex, gemini, cursor',
  hookAgents:
    'hook install|uninstall|status [--agent AGENT] [--workspace DIR] [--home DIR] [--private DIR] [--dry-run] [--json]',
} as const;

/**
 * The options that a command takes are those that its usage names; `true` marks those that it shows with a value
 * behind them.
 */
export function optionsOf(text: string): Readonly<Record<string, boolean>> {
  const named = text.matchAll(/--([a-z][a-z-]*)( [^\s[\]|-])?/g);
  return Object.fromEntries([...named].map(([, name = '', value]) => [name, value !== undefined]));
}
