import { workspaceOptions } from './args';

/** The options of commands that have many; `true` marks those that are followed by a value. */
type Options = Readonly<Record<string, boolean>>;

export const auditOptions: Options = {
  json: false,
  tool: true,
  actor: true,
  outcome: true,
  rule: true,
  risk: true,
  event: true,
  profile: true,
  text: true,
  since: true,
  until: true,
  limit: true,
  next: true,
  format: true,
  follow: false,
  out: true,
  reason: true,
  days: true,
  megabytes: true,
  from: true,
  to: true,
  home: true,
  call: true,
  bundle: true,
  'public-key': true,
};

export const bundleOptions: Options = {
  ...workspaceOptions,
  name: true,
  revision: true,
  'expires-in': true,
  key: true,
  'public-key': true,
  after: true,
  out: true,
};

export const policyOptions: Options = {
  ...workspaceOptions,
  tap: false,
  junit: true,
  coverage: false,
  mutate: false,
  'min-score': true,
  presets: false,
  watch: false,
  against: true,
  record: true,
  format: true,
  strict: false,
  out: true,
};

/** Those of `hook install`, `hook uninstall` and `hook status`. */
export const hookAgentOptions: Options = {
  agent: true,
  workspace: true,
  home: true,
  private: true,
  json: false,
  'dry-run': false,
};

/** How these commands are called. */
export const usage = {
  audit:
    'audit verify|query|export|report|why|tail|clear|retire DIR [--json] [--tool T] [--actor A] [--outcome O] [--rule R] [--risk R] [--text WORDS] [--since T] [--until T] [--limit N] [--next PAGE] [--format jsonl|csv|otlp] [--out FILE] [--follow] [--reason WHY] [--days N] [--megabytes N]\n    report DIR [--from T] [--to T] [--format markdown|html|json] [--out FILE] [--home DIR]\n    why DIR --call ID [--bundle FILE --public-key KEY] [--json]',
  bundle:
    'bundle key --out FILE | bundle make --name NAME --revision N [--expires-in 90d] [--yes] [--out FILE] | bundle sign FILE --key PRIVATE.pem [--out FILE] | bundle verify FILE --public-key KEY [--name NAME] [--after OLDER] | bundle show FILE [--public-key KEY] [--json]\n    KEY: ed25519:…, or a file that holds it',
  policy:
    'policy test [FILE…] [--tap | --json] [--junit FILE] [--coverage] [--mutate] [--min-score N] [--presets] [--watch] [--against POLICY] | policy diff POLICY POLICY [--json] [--record DIR] | policy import --format FORMAT FILE… [--out FILE] | policy export --format FORMAT [POLICY] [--strict] [--out FILE]\n    POLICY: now, a preset (strict, balanced, open) or a file of rules\n    FORMAT: vscode, claude, codex, gemini, cursor',
  hookAgents:
    'hook install|uninstall|status [--agent AGENT] [--workspace DIR] [--home DIR] [--private DIR] [--dry-run] [--json]',
} as const;
