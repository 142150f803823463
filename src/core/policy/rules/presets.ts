import { say, type Sentence } from '../../base/sentence';
import type { Settings } from '../../settings/settings';
import type { Boundary, BoundaryDecision } from '../../vocabulary/boundary';
import { isOwnFilesId } from './ownFiles';
import {
  anywhere,
  buildPaths,
  builtPaths,
  freePaths,
  governingPaths,
  installedPaths,
  pipelinePaths,
  type PresetPathRow,
  secretPaths,
} from './presetPaths';

export const presetNames = ['strict', 'balanced', 'open'] as const;
export type PresetName = (typeof presetNames)[number];

interface PresetOptions {
  /** Hosts of `network.allowedPrivateHosts`, which the rule about private addresses leaves alone. */
  readonly allowedPrivateHosts?: readonly string[];
  /** `policy.adminApproval`: the risk from which a confirmation also needs the admin token. */
  readonly adminApproval?: 'never' | 'critical' | 'high';
}

type PresetId = `preset.${string}`;

/** True for the id of a rule that a preset brings. */
export const isPresetId = (id: string): id is PresetId => id.startsWith('preset.');

type Row = Pick<Boundary, 'match' | 'oncePer' | 'reasons' | 'waivable'> & {
  readonly id: PresetId;
  readonly reason: Sentence;
  readonly steer?: Sentence;
  /** What strict, balanced and open decide; a preset without a decision has no such rule. */
  readonly decisions: readonly [BoundaryDecision, BoundaryDecision?, BoundaryDecision?];
};

const changing = ['fs.write', 'fs.delete', 'fs.chmod'];

/** The files of a table, each with the reason of its row; `except` names folders and files that are left alone. */
function filesOf(
  accessAny: readonly string[],
  table: readonly PresetPathRow[],
  except?: readonly string[],
): Pick<Row, 'match' | 'reasons'> {
  const path = table.flatMap((row) => anywhere(row.paths));
  return {
    match: { accessAny, path, ...(except ? { pathNot: anywhere(except) } : {}) },
    reasons: table.map(({ paths, ...said }) => ({ path: anywhere(paths), ...said })),
  };
}

function rows({ allowedPrivateHosts: hostNot = [] }: PresetOptions): readonly Row[] {
  const network = { accessAny: ['network.*'], ...(hostNot.length > 0 ? { hostNot } : {}) };
  // What a build makes it makes again.
  const deletes = { accessAny: ['fs.delete'], path: '**', pathNot: builtPaths };
  return [
    {
      id: 'preset.secrets',
      ...filesOf(['fs.*'], secretPaths, freePaths),
      reason: say('usual_secrets'),
      steer: say('steer_secret'),
      decisions: ['deny', 'deny', 'require_approval'],
    },
    {
      id: 'preset.governing-files',
      ...filesOf(changing, governingPaths),
      reason: say('governing_file'),
      steer: say('steer_describe'),
      decisions: ['deny', 'require_approval', 'require_approval'],
    },
    {
      id: 'preset.pipeline-files',
      ...filesOf(changing, pipelinePaths, installedPaths),
      reason: say('pipeline_file'),
      steer: say('steer_describe'),
      decisions: ['deny', 'require_approval', 'require_approval'],
    },
    {
      // Ordinary work changes these every day, and they run when somebody builds: only strict asks.
      id: 'preset.build-files',
      ...filesOf(changing, buildPaths, installedPaths),
      reason: say('build_file'),
      decisions: ['require_approval'],
    },
    {
      id: 'preset.private-addresses',
      match: { ...network, privateHost: true },
      reason: say('private_addresses'),
      steer: say('steer_public_address'),
      decisions: ['deny', 'deny', 'deny'],
    },
    {
      id: 'preset.other-hosts',
      match: { ...network, host: '*' },
      reason: say('host_once'),
      decisions: ['require_approval'],
      oncePer: 'host',
    },
    {
      id: 'preset.recursive-delete',
      match: { ...deletes, recursive: true },
      reason: say('whole_folder'),
      decisions: ['require_approval', 'require_approval'],
    },
    {
      id: 'preset.permanent-delete',
      match: { ...deletes, permanent: true },
      reason: say('past_the_trash'),
      decisions: ['require_approval', 'require_approval'],
    },
    {
      id: 'preset.database-delete',
      match: { accessAny: ['database.delete'] },
      reason: say('rows_without_trash'),
      decisions: ['require_approval', 'require_approval'],
    },
    {
      // A call that names it shows that the hook answers; nothing is there.
      id: 'preset.hook-canary',
      match: { source: 'host', accessAny: ['fs.*'], path: '**/.agent-capabilities-canary' },
      reason: say('hook_canary'),
      decisions: ['deny', 'deny', 'deny'],
    },
    {
      // Whose result decides what runs nobody can judge, whoever asks.
      id: 'preset.fetched-code',
      match: { accessAny: ['system.exec_fetched'] },
      reason: say('fetched_code'),
      steer: say('steer_fetched_code'),
      decisions: ['deny', 'deny', 'require_approval'],
    },
    {
      id: 'preset.hidden-shell',
      match: { accessAny: ['system.exec_interactive'] },
      reason: say('hidden_shell'),
      steer: say('steer_hidden_shell'),
      decisions: ['deny', 'deny', 'deny'],
    },
    {
      id: 'preset.terminal',
      match: { source: 'host', accessAny: ['system.exec'] },
      reason: say('not_understood_line'),
      decisions: ['require_approval', 'require_approval'],
    },
    {
      id: 'preset.flow',
      match: { actor: 'agent', flow: { private: true, untrusted: true, out: 'data' } },
      reason: say('private_and_stranger'),
      steer: say('steer_flow'),
      decisions: ['require_approval', 'require_approval', 'advise'],
      waivable: false,
    },
    {
      id: 'preset.private-out',
      match: { actor: 'agent', flow: { private: true, out: 'any' } },
      reason: say('private_and_out'),
      steer: say('steer_flow'),
      decisions: ['require_approval'],
      waivable: false,
    },
    {
      id: 'preset.high-risk',
      match: { riskLevel: 'high' },
      reason: say('high_risk'),
      decisions: ['require_approval'],
    },
    {
      id: 'preset.critical-risk',
      match: { riskLevel: 'critical' },
      reason: say('critical_risk'),
      decisions: ['require_approval', 'require_approval', 'require_approval'],
      waivable: false,
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

/** What settings say to a preset. */
export const presetOptions = (settings: Settings): PresetOptions => ({
  allowedPrivateHosts: settings.get('network.allowedPrivateHosts'),
  adminApproval: settings.get('policy.adminApproval'),
});

/** The rules in force with another preset in place of theirs. */
export const withPreset = (now: readonly Boundary[], preset: PresetName, settings: Settings): readonly Boundary[] => [
  ...presetBoundaries(preset, presetOptions(settings)),
  ...now.filter(({ id, scope }) => scope !== 'builtin' || isOwnFilesId(id)),
];

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
  return rows(options).flatMap(({ decisions, ...row }): Boundary[] => {
    const decision = decisions[presetNames.indexOf(preset)];
    if (decision === undefined) return [];
    return [
      {
        ...(decision === 'require_approval' ? { waivable: true } : {}),
        ...row,
        severity: 'hard',
        exceptions: [],
        decision,
        scope: 'builtin',
        sparesMentions: true,
        ...(row.id === 'preset.critical-risk' && preset === 'strict' ? { admin: true } : {}),
      },
    ];
  });
}
