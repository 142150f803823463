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
};

export const policyUsage =
  'policy test [FILE…] [--tap | --json] [--junit FILE] [--coverage] [--mutate] [--min-score N] [--presets] [--watch] [--against POLICY] | policy diff POLICY POLICY [--json] [--record DIR]\n    POLICY: now, a preset (strict, balanced, open) or a file of rules';
