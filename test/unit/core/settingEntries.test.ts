import { strict as assert } from 'node:assert';
import { readSettings } from '../../../src/core/settings/readSettings';
import { placeInSettings } from '../../../src/core/settings/settingsPlaces';
import type { SettingKey } from '../../../src/core/settings/settingTable';
import { inGerman } from '../../support/german';
import { worded } from '../../../src/core/base/sentence';

/** What is told of a value of the user's settings, and what then counts. */
function told(key: SettingKey, value: unknown, scope: 'managed' | 'user' | 'workspace' = 'user') {
  const settings = readSettings({ managed: {}, user: {}, workspace: {}, [scope]: { [key]: value } });
  return {
    value: settings.get(key),
    problems: settings.problems,
    messages: settings.problems.map(({ message }) => message),
  };
}

describe('the entries of a setting', () => {
  const faulty: readonly (readonly [key: SettingKey, value: unknown, message: RegExp])[] = [
    [
      'network.allowedPrivateHosts',
      ['http://127.0.0.1:8080'],
      /is a URL and matches no host; write host: "127\.0\.0\.1:8080"/,
    ],
    ['network.allowedPrivateHosts', ['10.0.0.0/8'], /`10\.0\.0\.0\/8` in .*names several hosts.*write each by itself/],
    ['network.allowedPrivateHosts', ['*.intranet.example'], /names several hosts/],
    ['network.allowedPrivateHosts', ['intranet.example:80800'], /no number up to 65535/],
    [
      'redaction.hosts',
      { 'stripe-key': 'api.stripe.com' },
      /`stripe-key` in .*must be a list of hosts.*got "api\.stripe\.com".*left out/,
    ],
    [
      'redaction.hosts',
      { 'stripe-key': ['https://api.stripe.com/v1'] },
      /holds a path and matches no host; write host: "api/,
    ],
    ['redaction.hosts', { 'stripe-key': ['*.stripe.com'] }, /names several hosts/],
    [
      'redaction.sources',
      { file: 'off' },
      /`file` in .*not a known property here; did you mean `files`.*"hide" is used/,
    ],
    [
      'redaction.sources',
      { files: 'none' },
      /`files` in .*must be one of `hide`, `mark`, `off` \(got "none"\).*"hide" is used/,
    ],
    [
      'flow.trustedHosts',
      ['https://api.example.com/x'],
      /is a URL and matches no host; write host: "api\.example\.com"/,
    ],
    ['flow.trustedHosts', ['mailto:me@example.com'], /is no mail address/],
    ['flow.trustedHosts', ['mcp:'], /names no MCP server/],
    [
      'flow.privatePaths',
      ['src/[ab'],
      /`src\/\[ab` in .*cannot be used: the `\[` is never closed; .*every file counts as private/,
    ],
    ['flow.privatePaths', ['https://example.com/x'], /is a URL and matches no path.*every file counts as private/],
    ['flow.publicPaths', ['{a,b'], /the `\{` is never closed; .*every folder counts as one that others see/],
    [
      'database.connections',
      { a: { type: 'mysql' } },
      /`a\/type` in .*must be one of `sqlite`, `postgres` \(got "mysql"\)/,
    ],
    ['database.connections', { a: { type: 'sqlite', file: 'x' } }, /`a\/path` in .*is required/],
    ['database.connections', { a: { type: 'postgres', url: 'mysql://u:geheim@h/d' } }, /`a\/url` in .*postgres:\/\//],
    [
      'database.connections',
      { a: { type: 'postgres', url: 'postgres://h/d', pasword: 'X' } },
      /`a\/pasword` in .*not a known/,
    ],
    ['database.connections', { a: 'data.sqlite' }, /`a` in .*must be an object \(got string\)/],
    [
      'audit.otlpEndpoint',
      'nonsense',
      /`agentCapabilities\.audit\.otlpEndpoint` cannot be used: it must start with http/,
    ],
    ['research.searchEndpoint', 'search.example/?q={query}', /cannot be used: it must start with http/],
    ['email.host', 'smtp://mail.example.com', /must be a server by its name or address alone.*got `smtp:\/\/mail/],
    ['email.host', 'mail.example.com:25', /must be a server by its name or address alone/],
    ['email.port', 587.5, /must be a whole number \(got 587\.5\)/],
    ['webFetch.firstByteTimeoutMs', [50, 50, 50, 50, 50, 50, 50, 50], /must hold 5 or fewer items \(got 8\)/],
  ];
  for (const [key, value, message] of faulty)
    it(`no silent skip: \`${key}\` of ${JSON.stringify(value)} is a problem that says what is wrong`, () => {
      for (const scope of ['user', 'managed'] as const) {
        const { problems, messages } = told(key, value, scope);
        assert.equal(messages.length >= 1, true, 'nothing is told');
        assert.match(messages[0] ?? '', message);
        for (const one of problems) {
          assert.deepEqual([one.code, one.subject], ['invalid_setting', key]);
          assert.doesNotMatch(one.message, /geheim/);
          assert.doesNotMatch(worded(one.said, inGerman), /UNTRANSLATED/);
        }
      }
    });

  const fine: readonly (readonly [key: SettingKey, value: unknown])[] = [
    ['network.allowedPrivateHosts', ['127.0.0.1', 'intranet.example:8080', '[::1]:3000', 'fd00::1', ' localhost ']],
    [
      'redaction.hosts',
      { 'stripe-key': ['api.stripe.com', 'https://api.stripe.com/', 'http://localhost:8080'], own: [] },
    ],
    ['redaction.sources', { files: 'off', web: 'mark', databases: 'hide', others: 'hide' }],
    [
      'flow.trustedHosts',
      ['api.example.com', '*.example.com', '10.0.0.0/8', '*@example.com', 'me@example.com', 'mcp:*'],
    ],
    ['flow.privatePaths', ['contracts/**', '/home/me/**', 'src/[ab]/{c,d}', '~/x']],
    [
      'database.connections',
      { a: { type: 'sqlite', path: ':memory:' }, b: { type: 'postgres', url: 'postgresql://h/d' } },
    ],
    ['audit.otlpEndpoint', 'http://localhost:4318'],
    ['research.searchEndpoint', 'https://search.example/?q={query}&n={count}'],
    ['research.searchEndpoint', 'https://search.example/'],
    ['email.host', 'mail'],
    ['email.host', '::1'],
    ['webFetch.firstByteTimeoutMs', [50]],
  ];
  for (const [key, value] of fine)
    it(`\`${key}\` of ${JSON.stringify(value)} is fine`, () => {
      assert.deepEqual(told(key, value), { value, problems: [], messages: [] });
    });

  it('a valid one beside a faulty one keeps its effect, and the problem leads to the faulty one', () => {
    const hosts = told('network.allowedPrivateHosts', ['localhost', 'http://127.0.0.1']);
    assert.deepEqual(hosts.value, ['localhost', 'http://127.0.0.1']);
    assert.deepEqual(
      hosts.problems.map(({ pointer }) => pointer),
      ['/1'],
    );
    const kinds = told('redaction.hosts', { a: 'x', b: ['api.example.com', 'x/y'] });
    assert.deepEqual(
      kinds.problems.map(({ pointer }) => pointer),
      ['/a', '/b/1'],
    );
  });

  it('leads to the line of the entry in a settings file', () => {
    const text = `{
  "agentCapabilities.redaction.hosts": {
    "a": ["api.example.com"],
    "b": [
      "api.example.com/x"
    ]
  }
}`;
    const [problem] = told('redaction.hosts', JSON.parse(text)['agentCapabilities.redaction.hosts']).problems;
    assert.ok(problem);
    const { line, column } = placeInSettings(problem, text, 'settings.json');
    assert.deepEqual([line, column], [5, 7]);
  });

  it('of what counts nowhere, as a workspace says it of a setting of the user, nothing is told but that', () => {
    const { problems } = told('flow.trustedHosts', ['https://x/y'], 'workspace');
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['setting_ignored'],
    );
  });
});
