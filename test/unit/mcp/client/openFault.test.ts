import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { saidBy, worded } from '../../../../src/core/base/sentence';
import { plainWords, type Translate } from '../../../../src/core/base/translate';
import { examine } from '../../../../src/core/explain/doctor';
import type { ServerStatus } from '../../../../src/core/foreign/serverStatus';
import type { McpServerSpec } from '../../../../src/core/foreign/serverSpec';
import { toolError } from '../../../../src/core/vocabulary/errors';
import { serverRows } from '../../../../src/core/present/serverRows';
import { openFault } from '../../../../src/mcp/client/openFault';

const program: Pick<McpServerSpec, 'transport'> = {
  transport: { type: 'stdio', command: 'notes-server', args: [], env: {}, cwd: 'tools' },
};
const address: Pick<McpServerSpec, 'transport'> = {
  transport: { type: 'http', url: 'http://127.0.0.1:9/mcp', headers: {}, oauth: false },
};
const coded = (message: string, code: string, syscall: string): Error =>
  Object.assign(new Error(message), { code, syscall });

describe('why an MCP server could not be started or reached', () => {
  const words = (error: unknown, spec: Pick<McpServerSpec, 'transport'>): string =>
    String((openFault(error, spec) as Error).message);

  it("is told in words of the person's entry, also where a library wrapped the code", () => {
    const wrapped = new Error('Version negotiation probe failed', {
      cause: new TypeError('fetch failed', { cause: coded('x', 'ECONNREFUSED', 'connect') }),
    });
    assert.deepEqual(
      [
        words(coded('spawn notes-server ENOENT', 'ENOENT', 'spawn notes-server'), program),
        words(new Error('spawn notes-server EACCES'), program),
        words(wrapped, address),
        words(new Error('probe failed: connect ECONNREFUSED 127.0.0.1:9'), address),
        words(new Error('getaddrinfo ENOTFOUND nowhere.example'), address),
      ],
      [
        'the program `notes-server` was not found, or the folder `tools` that it starts in; check `command` in its entry and that the program is installed',
        'the program `notes-server` may not be run; check its permissions',
        'nothing answers at `http://127.0.0.1:9/mcp`; check `url` in its entry and that the server runs',
        'nothing answers at `http://127.0.0.1:9/mcp`; check `url` in its entry and that the server runs',
        'the host of `http://127.0.0.1:9/mcp` was not found; check `url` in its entry and the network',
      ],
    );
  });

  it('S1.mcp: is told of a program that ends or says nothing, and not of a server that is reached by HTTP', () => {
    const closed = new Error(
      'Version negotiation probe failed: Connection closed during the version negotiation probe',
    );
    const late = new Error('Version negotiation probe timed out after 5000ms');
    assert.equal(words(coded('Request timed out', 'REQUEST_TIMEOUT', ''), program), words(late, program));
    assert.deepEqual(
      [closed, new Error('MCP error -32000: Connection closed'), late].map((error) => words(error, program)),
      [
        'the program `notes-server` ended before it answered as an MCP server; check `command` and `args` in its entry',
        'the program `notes-server` ended before it answered as an MCP server; check `command` and `args` in its entry',
        'the program `notes-server` runs and does not answer as an MCP server; check `command` and `args` in its entry',
      ],
    );
    assert.equal(openFault(closed, address), closed);
  });

  it('is told in the language of the person by the tree and the doctor', () => {
    const bundle = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8')) as Record<string, string>;
    const german: Translate = (text, ...values) => plainWords(bundle[text] ?? text, ...values);
    const server: ServerStatus = {
      ...{ name: 'notes', capabilityId: 'mcp_notes', origin: 'user', state: 'failed', tools: 0, faults: [] },
      detail: saidBy(openFault(new Error('spawn notes-server EACCES'), program)),
    };
    const [group] = serverRows({ servers: [server], tools: () => ({ isOn: true, tools: [] }), t: german });
    assert.equal(
      group?.children()[0]?.description,
      'ist ausgefallen: das Programm "notes-server" darf nicht ausgeführt werden; prüfen Sie seine Berechtigungen',
    );
    const checks = examine({
      ...{ version: '1', missingParts: [], profile: 'p', mode: 'execute', capabilities: 1, tools: 1, isTrusted: true },
      ...{ problems: [], servers: [server], definitions: 0, pendingDefinitions: 0, channels: [], preset: 'x' },
      ...{ rules: 0, meters: [] },
    });
    assert.deepEqual(
      checks.flatMap(({ area, said }) => (area === 'reachable' ? [worded(said, german), worded(said)] : [])),
      [
        'der MCP-Server notes antwortet nicht: das Programm `notes-server` darf nicht ausgeführt werden; prüfen Sie seine Berechtigungen',
        'the MCP server notes does not answer: the program `notes-server` may not be run; check its permissions',
      ],
    );
  });

  it('stays as it is where the server itself failed', () => {
    const own = [
      new Error("it ended: ENOENT: no such file or directory, open 'notes.json'"),
      coded('read', 'ENOENT', 'open'),
      toolError('mcp_error', 'x'),
      'text',
      undefined,
    ];
    assert.deepEqual(
      own.map((error) => openFault(error, program) === error),
      own.map(() => true),
    );
  });
});
