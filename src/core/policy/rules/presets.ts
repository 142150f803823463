import { say, type Sentence } from '../../base/sentence';
import type { Boundary, BoundaryDecision, BoundaryMatch } from '../../vocabulary/boundary';
import {
  buildPaths,
  freePaths,
  governingPaths,
  installedPaths,
  pipelinePaths,
  type PresetPathRow,
  secretPaths,
} from './presetPaths';

export const presetNames = ['strict', 'balanced', 'open'] as const;
export type PresetName = (typeof presetNames)[number];

export interface PresetOptions {
  /** Hosts of `network.allowedPrivateHosts`, which the rule about private addresses leaves alone. */
  readonly allowedPrivateHosts?: readonly string[];
  /** `policy.adminApproval`: the risk from which a confirmation also needs the admin token. */
  readonly adminApproval?: 'never' | 'critical' | 'high';
}

const everything = '**';

type Row = {
  readonly id: string;
  readonly match: BoundaryMatch;
  readonly reason: Sentence;
  readonly steer?: Sentence;
  readonly decisions: Readonly<Record<PresetName, BoundaryDecision | undefined>>;
  readonly more?: Partial<Boundary>;
};

const changing = ['fs.write', 'fs.delete', 'fs.chmod'];

const anywhere = (paths: readonly string[]): readonly string[] => paths.map((path) => `**/${path}`);
const pathsOf = (table: readonly PresetPathRow[]): readonly string[] => table.flatMap((row) => anywhere(row.paths));
const reasonsOf = (table: readonly PresetPathRow[]): NonNullable<Boundary['reasons']> =>
  table.map((row) => ({ path: anywhere(row.paths), reason: row.reason }));

function rows(options: PresetOptions): readonly Row[] {
  const allowed = options.allowedPrivateHosts ?? [];
  return [
    {
      id: 'preset.secrets',
      match: { accessAny: ['fs.*'], path: pathsOf(secretPaths), pathNot: anywhere(freePaths) },
      reason: say('usual_secrets'),
      steer: say('steer_example'),
      decisions: { strict: 'deny', balanced: 'deny', open: 'require_approval' },
      more: { reasons: reasonsOf(secretPaths) },
    },
    {
      id: 'preset.governing-files',
      match: { accessAny: changing, path: pathsOf(governingPaths) },
      reason: say('governing_file'),
      steer: say('steer_describe'),
      decisions: { strict: 'deny', balanced: 'require_approval', open: 'require_approval' },
      more: { reasons: reasonsOf(governingPaths) },
    },
    {
      id: 'preset.pipeline-files',
      match: { accessAny: changing, path: pathsOf(pipelinePaths), pathNot: anywhere(installedPaths) },
      reason: say('pipeline_file'),
      steer: say('steer_describe'),
      decisions: { strict: 'deny', balanced: 'require_approval', open: 'require_approval' },
      more: { reasons: reasonsOf(pipelinePaths) },
    },
    {
      // Ordinary work changes these every day, and they run when somebody builds: only strict asks.
      id: 'preset.build-files',
      match: { accessAny: changing, path: pathsOf(buildPaths), pathNot: anywhere(installedPaths) },
      reason: say('build_file'),
      decisions: { strict: 'require_approval', balanced: undefined, open: undefined },
      more: { reasons: reasonsOf(buildPaths) },
    },
    {
      id: 'preset.private-addresses',
      match: { accessAny: ['network.*'], privateHost: true, ...(allowed.length > 0 ? { hostNot: allowed } : {}) },
      reason: say('private_addresses'),
      steer: say('steer_public_address'),
      decisions: { strict: 'deny', balanced: 'deny', open: 'deny' },
    },
    {
      id: 'preset.other-hosts',
      match: { accessAny: ['network.*'], host: '*', ...(allowed.length > 0 ? { hostNot: allowed } : {}) },
      reason: say('host_once'),
      decisions: { strict: 'require_approval', balanced: undefined, open: undefined },
      more: { oncePer: 'host' },
    },
    {
      id: 'preset.recursive-delete',
      match: { accessAny: ['fs.delete'], path: everything, recursive: true },
      reason: say('whole_folder'),
      decisions: { strict: 'require_approval', balanced: 'require_approval', open: undefined },
    },
    {
      id: 'preset.permanent-delete',
      match: { accessAny: ['fs.delete'], path: everything, permanent: true },
      reason: say('past_the_trash'),
      decisions: { strict: 'require_approval', balanced: 'require_approval', open: undefined },
    },
    {
      id: 'preset.high-risk',
      match: { riskLevel: 'high' },
      reason: say('high_risk'),
      decisions: { strict: 'require_approval', balanced: undefined, open: undefined },
    },
    {
      id: 'preset.critical-risk',
      match: { riskLevel: 'critical' },
      reason: say('critical_risk'),
      decisions: { strict: 'require_approval', balanced: 'require_approval', open: undefined },
      more: { waivable: false },
    },
  ];
}

/**
 * The boundaries of a preset, which people can read like their own. They judge calls of tools, not the resolver's
 * capabilities. Their confirmations may be waived by an `allow` of the user, except the one for critical risk, which
 * strict ties to the admin token.
 */
export function presetBoundaries(preset: PresetName, options: PresetOptions = {}): readonly Boundary[] {
  return [...adminBoundaries(options.adminApproval ?? 'never'), ...tableBoundaries(preset, options)];
}

function adminBoundaries(from: 'never' | 'critical' | 'high'): readonly Boundary[] {
  if (from === 'never') return [];
  return [
    {
      id: 'admin-approval',
      severity: 'hard',
      match: { riskAtLeast: from },
      exceptions: [],
      decision: 'require_approval',
      reason: say(from === 'high' ? 'admin_from_high' : 'admin_for_critical'),
      scope: 'builtin',
      admin: true,
    },
  ];
}

function tableBoundaries(preset: PresetName, options: PresetOptions): readonly Boundary[] {
  return rows(options).flatMap((row): Boundary[] => {
    const decision = row.decisions[preset];
    if (decision === undefined) return [];
    return [
      {
        id: row.id,
        severity: 'hard',
        match: row.match,
        exceptions: [],
        decision,
        reason: row.reason,
        ...(row.steer === undefined ? {} : { steer: row.steer }),
        scope: 'builtin',
        sparesMentions: true,
        ...(decision === 'require_approval' ? { waivable: true } : {}),
        ...row.more,
        ...(row.id === 'preset.critical-risk' && preset === 'strict' ? { admin: true } : {}),
      },
    ];
  });
}
