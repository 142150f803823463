/** Why a call failed, where a word or two say it. */
const failures = {
  tool_not_found: 'not found',
  not_found: 'not found',
  no_match: 'no match',
  already_exists: 'exists already',
  conflict: 'changed meanwhile',
  path_outside: 'outside the workspace',
  timeout: 'took too long',
  cancelled: 'cancelled',
  invalid_input: 'its input is not valid',
  approval_timeout: 'nobody answered in time',
} as const;

/** What people read in place of a code: for each kind of code its words. */
export const codeWords = {
  /** A step of the gate, as a person would ask for it. */
  step: {
    find: 'The tool exists',
    enabled: 'The profile has it switched on',
    permission: 'Who may call it',
    scopes: 'Scopes of the profile',
    input: 'The arguments are valid',
    mode: 'Mode',
    plan: 'Frozen plan',
    boundaries: 'Rules',
    requirements: 'Requirements',
    limits: 'Limits',
    approval: 'Approval',
    run: 'The run itself',
    output: 'The result',
    audit: 'The record',
  },
  /** What a step answered. */
  effect: { pass: 'passed', ask: 'asks', deny: 'denied' },
  /** Why a call came to nothing, or a step stopped it. */
  refusal: {
    ...failures,
    not_available: 'not available',
    not_enabled: 'switched off',
    not_visible: 'not offered',
    permission_denied: 'forbidden to whoever called',
    scope_missing: 'a scope is missing',
    plan_mode: 'plan mode only reads',
    plan_required: 'needs a frozen plan',
    outside_plan: 'not in the frozen plan',
    denied_by_policy: 'by a rule',
    secret_elsewhere: 'a secret would go elsewhere',
    requirement_failed: 'a requirement is not met',
    rate_limit_exceeded: 'called too often',
    budget_exceeded: 'the budget is used up',
    circuit_open: 'it failed too often',
    too_many_calls: 'too many calls at once',
    declined: 'declined by a person',
    approval_unavailable: 'nobody could be asked',
  },
  /** The same for whoever sits there, where all else is told by the error's message. */
  failure: { ...failures, declined: 'declined by you' },
  /** What a rule does to a call that it is about. */
  decision: {
    deny: 'denies',
    require_approval: 'asks',
    advise: 'only notes',
    allow: 'allows',
    deny_unless_account: 'denies unless an account is there',
  },
  /** Where a rule comes from, where neither its file nor the preset is known. */
  ruleScope: {
    builtin: 'built in',
    managed: 'your administrator',
    user: 'your settings',
    bundle: 'a signed bundle',
    workspace: 'this workspace',
    profile: 'a capability that is on',
  },
  /** What a record tells. */
  event: {
    'invocation.started': 'started',
    'approval.asked': 'waits for an answer',
    'profile.changed': 'profile changed',
    'policy.changed': 'rules changed',
    'definition.changed': 'definition changed',
    'grant.changed': 'grant changed',
    'pin.changed': 'pin of a server changed',
    'plan.changed': 'plan changed',
    'secret.changed': 'showing of a secret',
    'label.changed': 'label cleared',
    'settings.changed': 'setting changed',
    probe: 'requirement checked',
    'server.started': 'server started',
    'server.stopped': 'server stopped',
    'server.failed': 'server failed',
    'audit.lost': 'records lost',
    'audit.recovered': 'log repaired',
    'audit.retired': 'old records removed',
    'audit.cleared': 'log cleared',
  },
  /** How a requirement stood when it was checked. */
  requirement: { fresh: 'fresh', stale: 'stale', red: 'red', unknown: 'unknown' },
  /** How a call went. */
  outcome: {
    success: 'done',
    tool_error: 'failed',
    internal_error: 'internal error',
    denied: 'denied',
    allowed: 'allowed',
  },
  /** Who or what answered a question. */
  answerer: {
    user: 'you',
    grant: 'a grant',
    plan: 'the frozen plan',
    'command-line': 'the command line',
    timeout: 'nobody: the question was not answered in time',
    cancellation: 'nobody: the call was cancelled',
    unavailable: 'nobody: nobody could be asked',
    editor: "the editor's own confirmation (how it was answered is not told)",
    'editor-skipped': 'nobody: the editor skipped its own confirmation',
    reader: 'the second reader',
  },
  /** The heading above what calls did with an effect. */
  doing: {
    'fs.write': 'Changed',
    'fs.delete': 'Deleted',
    'fs.chmod': 'Changed the permissions of',
    'system.exec': 'Ran',
    'database.write': 'Wrote to the database',
    'database.delete': 'Deleted from the database',
    payments: 'Paid through',
  },
  /** How much a problem matters. */
  severity: { error: 'error', warning: 'warning', information: 'information' },
  /** Who called. */
  actor: { agent: 'agent', user: 'you' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;
