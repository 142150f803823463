import type { Boundary, BoundaryDecision, BoundaryMatch } from './boundary';

export const presetNames = ['strict', 'balanced', 'open'] as const;
export type PresetName = (typeof presetNames)[number];

export interface PresetOptions {
  /** Hosts of `network.allowedPrivateHosts`, which the rule about private addresses leaves alone. */
  readonly allowedPrivateHosts?: readonly string[];
  /** `policy.adminApproval`: the risk from which a confirmation also needs the admin token. */
  readonly adminApproval?: 'never' | 'critical' | 'high';
}

/** Files that hold secrets by their usual names. Examples of them (`.env.example`) hold none. */
const secretFiles = [
  '**/.env*',
  '**/*.env',
  '**/*.{pem,key,p12,pfx,jks,keystore,kdbx,ppk,gpg}',
  '**/id_{rsa,dsa,ecdsa,ed25519,ed25519_sk,ecdsa_sk}',
  '**/.ssh/**',
  '**/.gnupg/**',
  '**/.aws/**',
  '**/.azure/**',
  '**/.kube/**',
  '**/.config/gcloud/**',
  '**/.docker/config.json',
  '**/{.npmrc,.pypirc,.netrc,_netrc,.pgpass,.my.cnf,.htpasswd,.git-credentials}',
  '**/{credentials,credentials.json,credentials.toml,credentials.xml,secrets.json,secrets.yaml,secrets.yml,secrets.toml}',
  '**/{service-account,service_account}*.json',
];
const exampleFiles = ['**/.env.{example,sample,template,dist,defaults}', '**/{example,sample,template}.env', '**/*.pub'];

/** Files that decide what runs or what is allowed: a change to them is a change of the rules. */
const governingFiles = [
  '**/.git/**',
  '**/{.gitmodules,.gitattributes,.gitconfig}',
  '**/.vscode/**',
  '**/*.code-workspace',
  '**/.idea/**',
  '**/.devcontainer/**',
  '**/.github/{workflows,agents,prompts,instructions,hooks,chatmodes,skills}/**',
  '**/.github/copilot-instructions.md',
  '**/{.agents,.claude,.cursor,.roo,.kiro,.windsurf,.gemini,.codex}/**',
  '**/{AGENTS,AGENT,CLAUDE,GEMINI}.md',
  '**/*.{agent,chatmode,prompt,instructions}.md',
  '**/{.mcp.json,mcp.json,.rooignore,.roomodes,.cursorrules,.windsurfrules,.clinerules}',
  '**/{.bashrc,.bash_profile,.bash_login,.profile,.zshrc,.zprofile,.zshenv,.envrc}',
  '**/.husky/**',
];

const everything = '**';

type Row = {
  readonly id: string;
  readonly match: BoundaryMatch;
  readonly reason: string;
  readonly steer?: string;
  readonly decisions: Readonly<Record<PresetName, BoundaryDecision | undefined>>;
  readonly more?: Partial<Boundary>;
};

function rows(options: PresetOptions): readonly Row[] {
  const allowed = options.allowedPrivateHosts ?? [];
  return [
    {
      id: 'preset.secrets',
      match: { accessAny: ['fs.*'], path: secretFiles, pathNot: exampleFiles },
      reason: 'this file usually holds secrets',
      steer: 'read the example beside it (.env.example), or ask the user for the one value that is needed',
      decisions: { strict: 'deny', balanced: 'deny', open: 'require_approval' },
    },
    {
      id: 'preset.governing-files',
      match: { accessAny: ['fs.write', 'fs.delete', 'fs.chmod'], path: governingFiles },
      reason: 'this file decides what runs or what is allowed',
      steer: 'describe the change and let the user make it',
      decisions: { strict: 'deny', balanced: 'require_approval', open: 'require_approval' },
    },
    {
      id: 'preset.private-addresses',
      match: { accessAny: ['network.*'], privateHost: true, ...(allowed.length > 0 ? { hostNot: allowed } : {}) },
      reason: 'private, loopback, link-local and metadata addresses are closed',
      steer: 'use a public address, or ask the user to add the host to agentCapabilities.network.allowedPrivateHosts',
      decisions: { strict: 'deny', balanced: 'deny', open: 'deny' },
    },
    {
      id: 'preset.other-hosts',
      match: { accessAny: ['network.*'], host: '*', ...(allowed.length > 0 ? { hostNot: allowed } : {}) },
      reason: 'every host is asked for once per session',
      decisions: { strict: 'require_approval', balanced: undefined, open: undefined },
      more: { oncePer: 'host' },
    },
    {
      id: 'preset.recursive-delete',
      match: { accessAny: ['fs.delete'], path: everything, recursive: true },
      reason: 'a whole folder would be deleted',
      decisions: { strict: 'require_approval', balanced: 'require_approval', open: undefined },
    },
    {
      id: 'preset.permanent-delete',
      match: { accessAny: ['fs.delete'], path: everything, permanent: true },
      reason: 'the file would not go to the trash',
      decisions: { strict: 'require_approval', balanced: 'require_approval', open: undefined },
    },
    {
      id: 'preset.high-risk',
      match: { riskLevel: 'high' },
      reason: 'the tool has high risk',
      decisions: { strict: 'require_approval', balanced: undefined, open: undefined },
    },
    {
      id: 'preset.critical-risk',
      match: { riskLevel: 'critical' },
      reason: 'the tool has critical risk',
      decisions: { strict: 'require_approval', balanced: 'require_approval', open: undefined },
      more: { waivable: false },
    },
  ];
}

/**
 * The boundaries of a preset (design.md 4), which people can read like their own. They judge calls of tools, not the resolver's capabilities.
 * Their confirmations may be waived by an `allow` of the user, except the one for critical risk, which strict ties to the admin token.
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
      reason: `tools of ${from === 'high' ? 'high and critical' : 'critical'} risk need the admin token`,
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
        ...(decision === 'require_approval' ? { waivable: true } : {}),
        ...row.more,
        ...(row.id === 'preset.critical-risk' && preset === 'strict' ? { admin: true } : {}),
      },
    ];
  });
}
