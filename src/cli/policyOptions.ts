import { workspaceOptions } from './args';

/** The options of `policy`; `true` marks those that are followed by a value. */
export const policyOptions: Readonly<Record<string, boolean>> = {
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

export const policyUsage =
  'policy test [FILE…] [--tap | --json] [--junit FILE] [--coverage] [--mutate] [--min-score N] [--presets] [--watch] [--against POLICY] | policy diff POLICY POLICY [--json] [--record DIR] | policy import --format FORMAT FILE… [--out FILE] | policy export --format FORMAT [POLICY] [--strict] [--out FILE]\n    POLICY: now, a preset (strict, balanced, open) or a file of rules\n    FORMAT: vscode, claude, codex, gemini, cursor';
