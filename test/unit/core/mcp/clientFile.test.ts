import { strict as assert } from 'node:assert';
import { parse } from 'jsonc-parser';
import { worded } from '../../../../src/core/base/sentence';
import { clientConfiguration, type ClientName } from '../../../../src/core/foreign/clientConfiguration';
import { clientFile, mergedClientFile } from '../../../../src/core/foreign/clientFile';
import { readEnvironment, readHeaders, splitCommand } from '../../../../src/core/foreign/entryText';
import { inGerman } from '../../../support/german';

const make = (client: ClientName) =>
  clientConfiguration(client, { command: ['node', '/x/cli.js'], workspace: '/w s', profile: 'p' });
const merged = (client: ClientName, before: string): string => {
  const result = mergedClientFile(make(client), before);
  assert.ok('text' in result, JSON.stringify(result));
  return result.text;
};

describe("another client's file", () => {
  it('stands where the client looks', () => {
    const places = { workspace: '/w', user: { home: '/h' } };
    assert.deepEqual(
      (['claude-code', 'codex', 'copilot-cli', 'generic'] as const).map((client) => clientFile(client, places)),
      ['/w/.mcp.json', '/h/.codex/config.toml', '/h/.copilot/mcp-config.json', undefined],
    );
  });

  it('is written whole where there is none, and stays the same when it is written again', () => {
    for (const client of ['claude-code', 'codex', 'copilot-cli'] as const) {
      const text = merged(client, '');
      assert.equal(text, make(client).text);
      assert.equal(merged(client, text), text, client);
    }
  });

  it('keeps comments, other servers and other keys of a JSON file', () => {
    const before = `{\n    // mine\n    "mcpServers": {\n        "other": { "command": "x" }, // kept\n        "agent-capabilities": { "command": "old" }\n    },\n    "more": 1\n}\n`;
    const text = merged('claude-code', before);
    const value: any = parse(text);
    assert.deepEqual(value.mcpServers['agent-capabilities'].args, [
      '/x/cli.js',
      'serve',
      '--workspace',
      '/w s',
      '--profile',
      'p',
    ]);
    assert.deepEqual([value.mcpServers.other, value.more], [{ command: 'x' }, 1]);
    assert.match(text, /\/\/ mine/);
    assert.match(text, /\/\/ kept/);
  });

  it('keeps the other tables of a TOML file, before and after ours', () => {
    const before =
      'model = "o3"\n\n[mcp_servers.agent-capabilities]\ncommand = "old"\nargs = []\n\n[mcp_servers.other]\ncommand = "x"\n';
    const text = merged('codex', before);
    assert.equal(
      text,
      'model = "o3"\n\n[mcp_servers.agent-capabilities]\ncommand = "node"\nargs = ["/x/cli.js", "serve", "--workspace", "/w s", "--profile", "p"]\n\n[mcp_servers.other]\ncommand = "x"\n',
    );
    assert.equal(merged('codex', 'model = "o3"'), `model = "o3"\n\n${make('codex').text}`);
  });

  it('is left alone where it cannot be read', () => {
    for (const before of ['{ "mcpServers": ', '[]', '{ "mcpServers": [] }']) {
      const merged = mergedClientFile(make('copilot-cli'), before);
      assert.ok('fault' in merged, before);
      assert.doesNotMatch(worded(merged.fault, inGerman), /UNTRANSLATED|\b(it|is|at|expected)\b/, before);
    }
  });
});

describe('what a person types of a server', () => {
  it('reads commands with quotes, environments and headers', () => {
    assert.deepEqual(splitCommand(`node "my server.js" '{"a": 1}' --x=1`), [
      'node',
      'my server.js',
      '{"a": 1}',
      '--x=1',
    ]);
    assert.deepEqual(readEnvironment('A=1 B="two words" C=\'x y\' D=${secret:k} E='), {
      pairs: { A: '1', B: 'two words', C: 'x y', D: '${secret:k}', E: '' },
    });
    assert.deepEqual(readEnvironment(''), { pairs: {} });
    assert.deepEqual(readEnvironment('A=1 oops'), { fault: 'oops' });
    assert.deepEqual(readHeaders('Authorization: Bearer ${secret:t}; X-A: b:c'), {
      pairs: { Authorization: 'Bearer ${secret:t}', 'X-A': 'b:c' },
    });
    assert.deepEqual(readHeaders('no colon'), { fault: 'no colon' });
  });
});
