import { strict as assert } from 'node:assert';
import { readEditorServers } from '../../../src/core/foreign/editorConfig';
import { parseServers } from '../../../src/core/foreign/serverSpec';
import { workspaceServers } from '../../support/mcp/workspaceServers';
import { stdio, http } from '../../support/mcp/serverEntries';

/** What a question about an entry shows. */
async function shown(entry: object, environment?: Readonly<Record<string, string>>): Promise<string> {
  const w = workspaceServers({ workspace: { s: entry }, ...(environment ? { environment } : {}) });
  try {
    await w.servers.discover();
    assert.equal(
      w.state(),
      'unapproved',
      w.servers
        .problems()
        .map(({ message }) => message)
        .join(),
    );
    return w.texts()[0] ?? assert.fail('nobody was asked');
  } finally {
    w.servers.dispose();
  }
}

const everything: readonly (readonly [title: string, entry: object, ...texts: string[]])[] = [
  ['a plain variable', { ...stdio, env: { MODE: 'all' } }, 'env.MODE: "all"'],
  [
    'a secret of a variable, and where it goes',
    { ...stdio, env: { T: '${secret:GITHUB_TOKEN}' } },
    'T of no-such-program gets the secret GITHUB_TOKEN',
  ],
  [
    'a variable of the environment as a secret',
    { ...stdio, env: { T: 'x${env:GITHUB_TOKEN}' } },
    'environment variable T of no-such-program gets the variable GITHUB_TOKEN of your environment',
  ],
  [
    'a secret of an argument',
    { ...stdio, args: ['-k', '${secret:key}'] },
    'argument 2 of no-such-program gets the secret key',
  ],
  [
    'a secret of a header, and where it goes',
    { ...http, headers: { Authorization: 'Bearer ${secret:GITHUB_TOKEN}' } },
    'header Authorization of https://x.example/mcp gets the secret GITHUB_TOKEN',
  ],
  ['every header', { ...http, headers: { 'X-A': 'one', 'X-B': 'two' } }, 'headers.X-A: "one"', 'headers.X-B: "two"'],
  [
    'a secret of the address',
    { ...http, url: 'https://x.example/${env:HOME}' },
    'the address https://x.example/${env:HOME} gets the variable HOME',
  ],
  [
    'the sign-in',
    { ...http, oauth: { clientId: 'c', clientSecret: '${secret:s}', scope: 'all' } },
    'oauth.clientId: "c"',
    'oauth.scope: "all"',
    'the sign-in clientSecret of https://x.example/mcp gets the secret s',
  ],
  ['that nobody signs in', { ...http, oauth: false }, 'oauth: false'],
  ['where it starts', { ...stdio, cwd: 'deep/down' }, 'cwd: "deep/down"', 'It starts in /nowhere/deep/down'],
  ['that it starts elsewhere', { ...stdio, cwd: '../../tmp' }, 'It starts in /tmp'],
  ['that it is told the folders', stdio, 'It is told the folders of the workspace'],
  [
    'that a server with an address is told the folders',
    { ...http, roots: true },
    'roots: true',
    'It is told the folders of the workspace',
  ],
  ['its time', { ...stdio, timeoutMs: 86_400_000 }, 'timeoutMs: 86400000'],
  ['its protocol', { ...stdio, protocol: '2026-07-28' }, 'protocol: "2026-07-28"'],
  ['that it is switched off', { ...stdio, enabled: false }, 'enabled: false'],
  ['a lowered risk', { ...stdio, tools: { wipe: { risk: 'low' } } }, 'tools.wipe.risk: "low"', 'you may be asked less'],
  [
    'a permission for all tools',
    { ...stdio, tools: { '*': { permission: 'allowed' } } },
    'tools."*".permission: "allowed"',
  ],
  ['effects that are taken away', { ...stdio, tools: { wipe: { sideEffects: [] } } }, 'tools.wipe.sideEffects: []'],
  [
    'what arguments touch',
    { ...stdio, accessMapping: { 'read_*': { path: 'none' } } },
    'accessMapping."read_*".path: "none"',
    'you may be asked less',
  ],
  ['keys that nobody knows', { ...stdio, extra: { deep: [{ er: 1 }] } }, 'extra.deep[1].er: 1'],
  ['a file of variables, which nobody reads', { ...stdio, envFile: '.env' }, 'envFile: ".env"'],
  ['invisible characters', { ...stdio, args: ['a\u202Eb', '\u200B'] }, 'args[1]: "a⟨U+202E⟩b"', 'args[2]: "⟨U+200B⟩"'],
  [
    'a value that looks like two lines',
    { ...stdio, args: ['a\nIt starts in /safe'] },
    'args[1]: "a\\nIt starts in /safe"',
  ],
  ['a key that looks like another line', { ...stdio, env: { A: '1' }, 'x: 1\nenv.B': 2 }, '"x: 1\\nenv.B": 2'],
  ['a long value to its end', { ...stdio, args: [`${'x'.repeat(20_000)}END`] }, 'END"'],
  [
    'the three hundredth argument',
    { ...stdio, args: Array.from({ length: 300 }, (_, i) => `arg${i}`) },
    'args[300]: "arg299"',
  ],
  ['an address by its origin', { ...http, url: 'HTTPS://X.example:443/a' }, 'It speaks to "https://x.example"'],
  ['the program that is found', { command: 'sh' }, '/sh'],
  ['a program that is not found', stdio, '"no-such-program", which was not found'],
];

const refused: readonly (readonly [title: string, entry: object, code: string])[] = [
  ['NODE_OPTIONS', { ...stdio, env: { NODE_OPTIONS: '--require ./x.cjs' } }, 'code_loading_variable'],
  ['node_options', { ...stdio, env: { node_options: '--require ./x.cjs' } }, 'code_loading_variable'],
  ['LD_PRELOAD', { ...stdio, env: { A: '1', LD_PRELOAD: './x.so' } }, 'code_loading_variable'],
  ['BASH_ENV that is empty', { ...stdio, env: { BASH_ENV: '' } }, 'code_loading_variable'],
  ['PATH', { ...stdio, env: { Path: '.' } }, 'code_loading_variable'],
  ['PYTHONPATH as a number', { ...stdio, env: { PYTHONPATH: 1 } }, 'code_loading_variable'],
  ['HTTPS_PROXY', { ...stdio, env: { https_proxy: 'http://evil.example' } }, 'code_loading_variable'],
  ['a variable in a variable’s name', { ...stdio, env: { 'X=1 NODE_OPTIONS': 'y' } }, 'code_loading_variable'],
  ['an input of the editor', { ...stdio, args: ['${input:token}'] }, 'unknown_reference'],
  ['a command of the editor', { ...stdio, command: '${command:evil}' }, 'unknown_reference'],
  ['a setting of the editor', { ...stdio, env: { A: '${config:a.b}' } }, 'unknown_reference'],
  ['another folder', { ...stdio, cwd: '${workspaceFolder:b}' }, 'unknown_reference'],
  ['an input in a header', { ...http, headers: { A: 'x ${input:t}' } }, 'unknown_reference'],
  ['a secret in capitals', { ...http, headers: { A: '${SECRET:t}' } }, 'unknown_reference'],
  ['a program that a variable names', { ...stdio, command: '${env:SHELL}' }, 'secret_program'],
  ['a program that a secret names', { ...stdio, command: '${secret:p}' }, 'secret_program'],
  ['a folder that a variable names', { ...stdio, cwd: '${env:D}' }, 'secret_program'],
  ['a password in the address', { ...http, url: 'https://a:b@x.example/mcp' }, 'invalid_mcp_server'],
  ['a host that a variable names', { ...http, url: 'https://${env:HOST}/mcp' }, 'invalid_mcp_server'],
  ['a host that a variable goes on', { ...http, url: 'https://x.example${env:REST}/mcp' }, 'invalid_mcp_server'],
  ['a port that a secret names', { ...http, url: 'https://x.example:8443${secret:p}/mcp' }, 'invalid_mcp_server'],
  [
    'a host that a secret is told',
    { ...http, url: 'https://${secret:GITHUB_TOKEN}.x.example/mcp' },
    'invalid_mcp_server',
  ],
  ['a secret in the address’s password', { ...http, url: 'https://${env:T}@x.example/mcp' }, 'invalid_mcp_server'],
];

describe('D.approval-binding: the question about a server that a workspace brings', () => {
  for (const [title, entry, ...texts] of everything)
    it(`D.approval-binding: the question shows ${title}`, async () => {
      const text = await shown(entry);
      for (const one of texts) assert.ok(text.includes(one), `${one}\n---\n${text}`);
    });

  for (const [title, entry, code] of refused)
    it(`D.approval-binding S3.configuration: an entry with ${title} is a problem and nobody is asked`, async () => {
      const w = workspaceServers({ workspace: { s: entry }, answers: { approveServer: async () => true } });
      try {
        await w.servers.discover();
        assert.deepEqual([w.state(), w.asked.length], [undefined, 0]);
        assert.ok(w.codes().includes(code), w.codes().join());
      } finally {
        w.servers.dispose();
      }
    });

  it('D.approval-binding: what is taken over from a file of a workspace says no more, and goes on meaning that folder', () => {
    const taken = (entry: object) => readEditorServers({ servers: { s: entry } }, '/repo').servers[0]?.entry;
    assert.deepEqual(taken({ command: 'node', args: ['./x.js', '${workspaceFolder}/y'] }), {
      command: 'node',
      args: ['./x.js', '/repo/y'],
      cwd: '/repo',
    });
    assert.equal(taken({ command: 'node', cwd: 'tools' })?.['cwd'], '/repo/tools');
    assert.equal(taken({ command: 'node', cwd: '/elsewhere' })?.['cwd'], '/elsewhere');
    assert.equal(taken(http)?.['cwd'], undefined);
    for (const bad of [
      { ...stdio, env: { NODE_OPTIONS: '-r x' } },
      { ...stdio, command: '${env:X}' },
      { ...stdio, args: ['${command:x}'] },
    ])
      assert.equal(taken(bad), undefined);
    const own = readEditorServers({ servers: { s: { ...stdio, env: { NODE_OPTIONS: '-r x' } } } }).servers[0]?.entry;
    assert.deepEqual(own, { ...stdio, env: { NODE_OPTIONS: '-r x' } }, 'a file of the user’s own is the user’s');
  });

  it('D.approval-binding: what a workspace may not set, the user may', () => {
    const entry = { ...stdio, env: { NODE_OPTIONS: '--max-old-space-size=99', HTTPS_PROXY: 'http://proxy' } };
    assert.deepEqual(parseServers({ s: entry }, 'user').problems, []);
    assert.equal(parseServers({ s: { ...stdio, command: '${env:SHELL}' } }, 'user').servers.length, 1);
  });
});
