import fc from 'fast-check';
import { settingSpecs } from '../../src/core/settings/settingTable';

// Settings as anybody may write them, for properties over all layers.

export type Raw = Record<string, unknown>;

const refs = [
  'files',
  'old_files',
  'database',
  'guard',
  'old_guard',
  'limited',
  'sums',
  'old_sums',
  'rules',
  'writer',
  'old_writer',
  'unknown_one',
  'templated',
];
const tools = ['read_it', 'write_it', 'query', 'do_it', 'add', 'divide', 'overwrite'];
const values = fc.constantFrom<unknown>('workspace', 'session', 'Session', 'mine', '', null, 1, true, ['session'], {
  a: 1,
});
const config = fc.dictionary(fc.constantFrom('root', 'note', 'toString', 'extra', 'word'), values, { maxKeys: 3 });
const entry = fc.oneof(
  fc.constantFrom<unknown>(...refs),
  fc.record(
    {
      ref: fc.constantFrom(...refs),
      enabled: fc.constantFrom<unknown>(true, true, false, 'yes'),
      tools: fc.dictionary(fc.constantFrom(...tools), fc.constantFrom<unknown>(true, false, 1), { maxKeys: 3 }),
      config,
    },
    { requiredKeys: ['ref'] },
  ),
);
const profile = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record(
      {
        mode: fc.constantFrom<unknown>('plan', 'execute', 'execution', 'fast', 7),
        scopes: fc.oneof(
          fc.subarray(['file:read', 'file:write', 'database:read', 'database:write', '*']),
          fc.constant<unknown>('all'),
        ),
        systemPrompt: fc.constantFrom('', 'Never push.', 'Do as you like.'),
        systemPromptFile: fc.constantFrom('', 'docs/prompt.md', '.env'),
        name: fc.constantFrom('P', 'Q'),
        capabilities: fc.array(entry, { maxLength: 7 }),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, 'text', [], 3) },
);
const ids = ['p', 'q', 'default', 'readOnly', 'nobody'];
const rate = fc.constantFrom<unknown>(
  '1 per 1h',
  '5 per 1m',
  { requests: 0, window: '1s' },
  { requests: 1e9, window: '1d' },
  'nonsense',
  -1,
);
export const limits = fc.oneof(
  fc.record(
    {
      perTool: rate,
      all: rate,
      tools: fc.dictionary(fc.constantFrom('read_it', 'add'), rate),
      budget: fc.record({ calls: fc.constantFrom<unknown>(0, 5, 1e9, 'x') }, { requiredKeys: [] }),
      concurrency: fc.record({ all: fc.constantFrom<unknown>(0, 1, 1e6) }, { requiredKeys: [] }),
      repetition: fc.constantFrom<unknown>(0, 1, 100),
      circuit: fc.record(
        { failures: fc.constantFrom(0, 1, 99), cooldownSeconds: fc.constantFrom(0, 1, 9999) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  ),
  fc.constantFrom<unknown>(null, [], 'none'),
);
export const boundary = fc.record(
  {
    id: fc.constantFrom('a', 'b', 'preset.secrets'),
    severity: fc.constantFrom('hard', 'soft'),
    match: fc.record(
      {
        accessAny: fc.constant(['fs.write']),
        path: fc.constantFrom('src/**', '**', '.env'),
        tool: fc.constantFrom('*', 'cap:files:*'),
      },
      { requiredKeys: [] },
    ),
    exceptions: fc.subarray(['files', 'cap:files:read_it']),
    decision: fc.constantFrom('deny', 'require_approval', 'advise', 'allow', 'deny_unless_account'),
    scope: fc.constantFrom('builtin', 'user', 'managed'),
    waivable: fc.boolean(),
    admin: fc.boolean(),
    account: fc.constantFrom('', 'x'),
    reason: fc.constant('because'),
  },
  { requiredKeys: ['id', 'match', 'decision'] },
);
/** One layer of settings, in which every setting may stand. */
export const layer: fc.Arbitrary<Raw> = fc.record(
  {
    profiles: fc.dictionary(fc.constantFrom(...ids), profile, { maxKeys: 4 }),
    activeProfile: fc.constantFrom<unknown>(...ids, 7),
    limits,
    'policy.boundaries': fc.array(boundary, { maxLength: 3 }),
    'policy.preset': fc.constantFrom('strict', 'balanced', 'open'),
    'policy.adminApproval': fc.constantFrom('never', 'critical', 'high'),
    'policy.requireFrozenSpec': fc.constantFrom('never', 'high'),
    'network.allowedPrivateHosts': fc.subarray(['127.0.0.1', '*']),
    fileSystem: fc.record(
      { root: fc.constantFrom('workspace', 'session'), respectIgnoreFiles: fc.boolean(), deleteToTrash: fc.boolean() },
      { requiredKeys: [] },
    ),
    'definitions.enabled': fc.boolean(),
    extensionTools: fc.constant({ 'some.extension': { risk: 'low' } }),
    'database.connections': fc.constant({ default: { type: 'sqlite', path: '/etc/x' } }),
  },
  { requiredKeys: [] },
);
export const managed = fc.oneof({ weight: 3, arbitrary: fc.constant<Raw>({}) }, { weight: 1, arbitrary: layer });

export const calls: readonly (readonly [string, Raw])[] = [
  ['read_file', { path: 'a.txt' }],
  ['read_file', { path: '.env' }],
  ['write_file', { path: 'src/a.ts', content: 'x' }],
  ['write_file', { path: '.vscode/settings.json', content: 'x' }],
  ['delete_file', { path: 'src', recursive: true }],
  ['move_file', { from: 'a.txt', to: 'b.txt' }],
  ['web_fetch', { url: 'http://127.0.0.1/' }],
  ['web_fetch', { url: 'https://example.com/' }],
  ['calculate', { expression: '1+1' }],
  ['get_current_time', {}],
  ['db_query', { query: 'drop table users' }],
];
const real = [
  'file_system',
  'session_file_system',
  'web_fetch',
  'database',
  'math',
  'test_math',
  'current_time',
  'capabilities',
];
const realProfile = fc.record(
  {
    mode: fc.constantFrom('plan', 'execute'),
    scopes: fc.subarray(['file:read', 'file:write', 'http:read', 'database:read', 'database:write']),
    systemPrompt: fc.constantFrom('Mine.', 'Theirs.'),
    capabilities: fc.array(
      fc.oneof(
        fc.constantFrom<unknown>(...real),
        fc.record(
          {
            ref: fc.constantFrom(...real),
            enabled: fc.boolean(),
            tools: fc.dictionary(fc.constantFrom('write_file', 'delete_file', 'read_file'), fc.boolean(), {
              maxKeys: 2,
            }),
            config: fc.constantFrom({}, { root: 'session' }, { root: 'workspace' }),
          },
          { requiredKeys: ['ref'] },
        ),
      ),
      { maxLength: 5 },
    ),
  },
  { requiredKeys: ['capabilities'] },
);
export const realLayer = fc.record(
  {
    profiles: fc.dictionary(fc.constantFrom('p', 'q', 'default'), realProfile, { maxKeys: 3 }),
    activeProfile: fc.constantFrom('p', 'q', 'default', 'readOnly'),
    'policy.boundaries': fc.array(boundary, { maxLength: 2 }),
    'policy.preset': fc.constantFrom('strict', 'balanced', 'open'),
    'mcp.servers': fc.constant({ evil: { command: 'node', args: ['x.js'] } }),
    channels: fc.constant({ evil: 'http://127.0.0.1:9/' }),
  },
  { requiredKeys: [] },
);

const strange = fc.constantFrom<unknown>(true, false, 0, 1, 1e9, '', 'x', null, {}, ['*']);

/** A layer of settings by their keys: each has one of its own values as a rule, so that the layers' values meet. */
export const anyValues: fc.Arbitrary<Raw> = fc.record(
  Object.fromEntries(
    settingSpecs.map(({ key, schema, default: standard }) => {
      const own = fc.constantFrom<unknown>(...(schema.enum ?? [true, false]), standard);
      return [key, fc.oneof({ weight: 4, arbitrary: own }, { weight: 1, arbitrary: strange })];
    }),
  ),
  { requiredKeys: [] },
);
