import fc from 'fast-check';
import type { formatNames } from '../../src/core/exchange/formats';
import { folder } from './otherPolicies';

/** Another tool whose rules can be read and written here. */
export type FormatName = (typeof formatNames)[number];

const some = <T>(...values: T[]) => fc.constantFrom(...values);

const specs = some(
  '.env',
  '**/.env',
  '/src/**',
  'src/**',
  './src/b',
  'keys',
  'keys/',
  '*.pem',
  '~/x',
  `/${folder}/src/**`,
  '//etc/**',
  '//**/.env',
  'src/*.ts',
  '!x',
  'k[ae]ys',
  '*',
);

const lines = some(
  'git push',
  'git push:*',
  'git push *',
  'git *',
  'npm run *',
  'npm run build',
  'npm',
  'rm *',
  '*',
  'cat *',
  'ls',
  'npm test',
  'git pu*',
);

const hosts = some('x.test', 'y.test', '127.0.0.1', '*.x.test', '*');

const list = <T>(entry: fc.Arbitrary<T>) => fc.array(entry, { maxLength: 4 });

const claudeEntry = fc.oneof(
  some('Bash', 'Read', 'Edit', 'WebFetch', 'mcp__s__t'),
  lines.map((line) => `Bash(${line})`),
  specs.map((spec) => `Read(${spec})`),
  specs.map((spec) => `Edit(${spec})`),
  hosts.map((host) => `WebFetch(domain:${host})`),
);

const cursorEntry = fc.oneof(
  some('git', 'npm:*', 'rm', 'cat', 'npm:run *', '**', 'git:push*').map((spec) => `Shell(${spec})`),
  some('.env*', '**/.env', 'src/**', 'keys', '**', '/etc/passwd', `${folder}/src/**`, 'src/*.ts').chain((spec) =>
    some('Read', 'Write').map((tool) => `${tool}(${spec})`),
  ),
  hosts.map((host) => `WebFetch(${host})`),
);

/** Files of rules as the other tools read them. */
export const theirFiles: Readonly<Record<FormatName, fc.Arbitrary<string>>> = {
  claude: fc
    .record({ deny: list(claudeEntry), ask: list(claudeEntry), allow: list(claudeEntry) })
    .map((permissions) => JSON.stringify({ permissions })),
  cursor: fc
    .record({ deny: list(cursorEntry), allow: list(cursorEntry) })
    .map((permissions) => JSON.stringify({ permissions })),
  codex: list(
    fc.record({
      pattern: some<(string | string[])[]>(
        ['git', 'push'],
        ['git', ['push', 'pull']],
        ['npm'],
        ['rm'],
        ['npm', 'run', 'build'],
        ['cat'],
      ),
      decision: some('forbidden', 'prompt', 'allow'),
    }),
  ).map((rules) =>
    rules
      .map((one) => `prefix_rule(pattern = ${JSON.stringify(one.pattern)}, decision = "${one.decision}")`)
      .join('\n'),
  ),
  gemini: list(
    fc
      .tuple(
        fc.oneof(
          some('git push', 'npm', 'rm', 'git', 'cat').map((prefix) => `commandPrefix = "${prefix}"`),
          some('run_shell_command', 'read_file', 'write_file', 'web_fetch', '*').map((tool) => `toolName = "${tool}"`),
          some('"file_path":"[^"]*[.]env"').map((pattern) => `toolName = "read_file"\nargsPattern = '${pattern}'`),
        ),
        some('deny', 'ask_user', 'allow'),
        some(10, 100, 500),
      )
      .map(([what, decision, priority]) => `[[rule]]\n${what}\ndecision = "${decision}"\npriority = ${priority}`),
  ).map((rules) => rules.join('\n\n')),
  vscode: fc
    .record({
      'chat.tools.edits.autoApprove': fc.dictionary(
        some('**/*', '**/.env', 'src/**', '**/keys/**', '*.pem', 'README.md'),
        fc.boolean(),
      ),
      'chat.tools.terminal.autoApprove': fc.dictionary(
        some('git', 'npm run', 'rm', '/^git push\\b/', '/^npm/', '/push/', 'cat', 'ls'),
        fc.boolean(),
      ),
      'chat.tools.urls.autoApprove': fc.dictionary(
        some('https://x.test', 'https://x.test/*', 'https://*.x.test/*', 'http://y.test/a*'),
        fc.boolean(),
      ),
    })
    .map((settings) => JSON.stringify(settings)),
};

/** A rule as it stands in our settings. */
export const ourRule = fc.record({
  match: fc.oneof(
    fc.record(
      {
        accessAny: some(['fs.read'], ['fs.write'], ['fs.*'], ['fs.read', 'fs.write'], ['*']),
        path: some<string | string[]>(
          '.env',
          '**/.env',
          'src/**',
          ['keys/**', '**/*.pem'],
          '{a,src}/**',
          'src/*.ts',
          '**',
          '**/[k]eys/**',
        ),
        pathNot: some('src/b/**'),
      },
      { requiredKeys: ['path'] },
    ),
    fc.record(
      {
        accessAny: some(['network.*'], ['*']),
        host: some<string | string[]>('x.test', '*.x.test', '*', ['x.test', 'y.test'], '10.0.0.0/8'),
      },
      { requiredKeys: ['host'] },
    ),
    fc.record({ command: some('git push*', 'git *', 'npm run build', '* push', 'rm *', 'npm *') }),
    fc.record({ accessAny: some(['system.*'], ['fs.delete'], ['network.*'], ['database.*'], ['*']) }),
    some(
      { privateHost: true },
      { tool: 'write_file' },
      { tool: 'Bash' },
      { tool: '{Edit,replace_string_in_file}' },
      { tool: '{Glob,glob,MultiEdit,create_file,shell}' },
      { riskAtLeast: 'medium' },
      { source: 'host' },
      {},
      { actor: 'user' },
    ),
  ),
  decision: some('deny', 'require_approval', 'allow', 'advise'),
  severity: some('hard', 'hard', 'soft'),
});
