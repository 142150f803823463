import { hostAgents } from '../core/hooks/hostEvent';

/** What every command on a workspace takes; `--yes` says beforehand what the command would ask. */
export const workspaceUsage =
  '[--workspace DIR] [--profile ID] [--set KEY=JSON] [--yes] [--state-dir DIR] [--audit-dir DIR]';

/** What commands take that call tools, or would: what a person said beforehand. */
export const consentUsage = '[--plan FILE] [--admin-token-file FILE]';

/** Forms of one command, each on a line of its own. */
const forms = (...lines: readonly string[]): string => lines.join('\n    ');

/**
 * How these commands are called: what is not in brackets has to be there. A name before a colon stands for what is
 * behind it in the lines above.
 */
export const usage = {
  audit: forms(
    'audit verify DIR [--json]',
    'audit query DIR FILTER [--limit N] [--next PAGE] [--json]',
    'audit export DIR FILTER [--format jsonl|csv|otlp] [--out FILE]',
    'audit report DIR [--from T] [--to T] [--format markdown|html|json] [--out FILE] [--home DIR]',
    'audit why DIR --call ID [--bundle FILE --public-key KEY] [--json]',
    'audit tail DIR FILTER [--limit N] [--follow] [--json]',
    'audit clear DIR --reason WHY',
    'audit retire DIR --days N|--megabytes N',
    'FILTER: [--tool T] [--actor A] [--outcome O] [--rule R] [--risk R] [--event E] [--profile ID] [--text WORDS] [--since T] [--until T]',
  ),
  bundle: forms(
    'bundle key --out FILE',
    `bundle make --name NAME --revision N [--expires-in 90d] [--out FILE] ${workspaceUsage}`,
    'bundle sign FILE --key PRIVATE.pem [--out FILE]',
    'bundle verify FILE --public-key KEY [--name NAME] [--after OLDER]',
    'bundle show FILE [--public-key KEY] [--json]',
    'KEY: ed25519:…, or a file that holds it',
  ),
  changes: forms(
    'changes list|show [WHICH] MORE',
    'changes diff|undo|redo WHICH MORE',
    'WHICH: --change ID|--call ID|--file PATH|--burst ID|--since ID|--all',
    `MORE: [--json] [--private DIR] ${workspaceUsage}`,
  ),
  policy: forms(
    'policy test [FILE…] [--tap | --json] [--junit FILE] [--coverage] [--mutate] [--min-score N] [--presets] [--watch] [--against POLICY] MORE',
    'policy diff POLICY POLICY [--json] [--record DIR] MORE',
    'policy import --format FORMAT FILE… [--out FILE] MORE',
    'policy export --format FORMAT [POLICY] [--strict] [--out FILE] MORE',
    'POLICY: now, a preset (strict, balanced, open) or a file of rules',
    'FORMAT: vscode, claude, codex, gemini, cursor',
    `MORE: ${workspaceUsage}`,
  ),
  hookAgents: forms(
    'hook install|uninstall --agent AGENT [--workspace DIR] [--home DIR] [--private DIR] [--dry-run] [--json]',
    'hook status [--agent AGENT] [--workspace DIR] [--home DIR] [--private DIR] [--json]',
    `AGENT: ${hostAgents.join(', ')}`,
  ),
} as const;

/**
 * The options that a command takes are those that its usage names; `true` marks those that it shows with a value
 * behind them.
 */
export function optionsOf(text: string): Readonly<Record<string, boolean>> {
  const named = text.matchAll(/--([a-z][a-z-]*)( [^\s[\]|-])?/g);
  return Object.fromEntries([...named].map(([, name = '', value]) => [name, value !== undefined]));
}
