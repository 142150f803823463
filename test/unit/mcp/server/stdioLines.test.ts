// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { main } from '../../../../src/cli/main';
import { temporaryWorkspace } from '../../../support/cli';
import { until } from '../../../support/mcp/harness';

describe('serve on stdio reads lines', () => {
  it('a line that is no JSON is answered with -32700, and the next one as if nothing had been', async () => {
    const { folder, dispose } = temporaryWorkspace();
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const messages: any[] = [];
    const answers = createInterface({ input: stdout }).on('line', (line) => messages.push(JSON.parse(line)));
    const io = { out: () => undefined, error: () => undefined, environment: {}, stdin, stdout };
    const ended = main(['serve', '--workspace', folder], io);
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    };
    for (const part of [
      '{"jsonrpc": "2.0", "id": 7',
      ',\n',
      '\n',
      'GET / HTTP/1.1\r\n',
      `${JSON.stringify(initialize)}\n`,
    ])
      stdin.write(part);
    await until(() => messages.some(({ id }) => id === 1));
    stdin.end();
    await ended;
    answers.close();
    dispose();
    const faults = messages.filter(({ error }) => error !== undefined);
    assert.deepEqual(
      faults.map(({ id, error }) => [id, error.code]),
      [
        [null, -32_700],
        [null, -32_700],
      ],
    );
  });

  it('a line that is JSON and no request is answered with -32600 and its id, and only once', async () => {
    const { folder, dispose } = temporaryWorkspace();
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const messages: any[] = [];
    const told: string[] = [];
    const answers = createInterface({ input: stdout }).on('line', (line) => messages.push(JSON.parse(line)));
    const io = { out: () => undefined, error: (text: string) => told.push(text), environment: {}, stdin, stdout };
    const ended = main(['serve', '--workspace', folder], io);
    const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    for (const message of [
      { foo: 1 },
      [],
      5,
      null,
      { jsonrpc: '2.0', id: 3, method: 5 },
      { jsonrpc: '1.0', id: 'a', method: 'ping' },
      { jsonrpc: '2.0', id: {}, method: 'ping' },
      { jsonrpc: '2.0', id: 4, method: 'ping', params: [] },
      { jsonrpc: '2.0', id: 1.5, method: 'ping' },
      { jsonrpc: '2.0', id: 2 ** 60, method: 'ping' },
      { jsonrpc: '2.0', id: 5, method: 'ping', params: { _meta: { progressToken: {} } } },
      { jsonrpc: '2.0', id: 6, method: 'ping', params: { _meta: 5 } },
      { jsonrpc: '2.0', id: 7, method: 'initialize', params: { ...initialize, protocolVersion: 5 } },
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize },
      { jsonrpc: '2.0', id: 8, method: 'tools/call', params: { name: 'x', arguments: [] } },
      { jsonrpc: '2.0', id: 10, method: 'tools/list', params: { cursor: 5 } },
      // A request that nobody knows has an answer of its own.
      { jsonrpc: '2.0', id: 2, method: 'nope/nope' },
      { jsonrpc: '2.0', id: 9, method: 'ping' },
    ])
      stdin.write(`${JSON.stringify(message)}\n`);
    stdin.write('{"jsonrpc":"2.0","id":1e400,"method":"ping"}\n');
    await until(() => messages.some(({ id }) => id === 9) && messages.length >= 19);
    stdin.end();
    await ended;
    answers.close();
    dispose();
    const faults = messages.filter(({ error }) => error !== undefined).map(({ id, error }) => [id, error.code]);
    const invalid = [null, null, null, null, 3, 'a', null, 4, 1.5, 2 ** 60, null].map((id) => [id, -32_600]);
    const unfit = [5, 6, 7, 8, 10].map((id) => [id, -32_602]);
    const byId = (all: (readonly [unknown, number])[]) => all.map((one) => JSON.stringify(one)).sort();
    assert.deepEqual(byId(faults as [unknown, number][]), byId([...invalid, ...unfit, [2, -32_601]] as never));
    const wordsOf = (wanted: number): string => messages.find(({ id }) => id === wanted).error.message;
    assert.deepEqual([7, 8, 10].map(wordsOf), [
      '`params.protocolVersion` must be string (got number)',
      '`params.arguments` must be object (got array)',
      '`params.cursor` must be string (got number)',
    ]);
    assert.ok(!told.some((text) => text.includes('invalid_union')), told.join('\n'));
  });
});
