import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { driver } from '../support/editor/driver/api';
import { until } from '../support/editor/until';
import { setProfile } from '../support/editor/chooseProfile';
import { ours, toolsOf } from '../support/editor/ourTools';
import { drawnSecret } from '../support/secretSamples';

async function switchTo(profile: string): Promise<void> {
  await setProfile(vscode, profile);
}

describe('agent mode with Agent Capabilities', () => {
  let server: Server;
  let url = '';

  before(async () => {
    server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<html><body><main><h1>Timetable</h1><p>The ferry leaves at <b>08:00</b>.</p></main></body></html>');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await vscode.extensions.getExtension('agent-capabilities.agent-capabilities')?.activate();
    await vscode.workspace
      .getConfiguration('agentCapabilities')
      .update('network.allowedPrivateHosts', ['127.0.0.1'], vscode.ConfigurationTarget.Global);
  });

  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('D.tools: the request carries exactly the tools of the active profile', async () => {
    const { model, runAgentTurn } = driver();
    await switchTo('default');
    await until(async () => {
      model.script([{ text: 'ready' }]);
      const turn = await runAgentTurn({ query: 'hello' });
      assert.deepEqual(ours(turn.requests[0]?.tools ?? []), toolsOf('default'));
    }, 30_000);
  });

  it('D.tools: Read only takes what writes out of the next request', async () => {
    const { model, runAgentTurn } = driver();
    await switchTo('readOnly');
    try {
      await until(async () => {
        model.script([{ text: 'ready' }]);
        const turn = await runAgentTurn({ query: 'hello again' });
        assert.deepEqual(ours(turn.requests[0]?.tools ?? []), toolsOf('readOnly'));
      });
    } finally {
      await switchTo('default');
    }
  });

  it('S3.agent-loop: each of the five capabilities is called and its result reaches the model', async () => {
    const { model, runAgentTurn } = driver();
    await switchTo('default');
    model.script([
      { tool: 'cap_read_file', input: { path: 'README.md' } },
      { tool: 'cap_web_fetch', input: { url, format: 'markdown' } },
      { tool: 'cap_write_todos', input: { todos: [{ content: 'Say the time', status: 'in_progress' }] } },
      { tool: 'cap_get_current_time', input: { timezone: 'Asia/Tokyo' } },
      { tool: 'cap_multiply', input: { a: 6, b: 7 } },
      { text: 'All five answered.' },
    ]);
    const turn = await runAgentTurn({ query: 'use everything' });
    const texts = turn.toolResults.map((result) => result.text);
    assert.equal(texts.length, 5, JSON.stringify(texts));
    const [file = '', page = '', todos = '', time = '', product = ''] = texts;
    assert.match(file, /\S/);
    assert.match(page, /# Timetable[\s\S]*The ferry leaves at \*\*08:00\*\*/);
    assert.match(todos, /in_progress|"inProgress"|1/);
    assert.match(time, /Asia\/Tokyo|\+09:00/);
    assert.match(product, /42/);
    assert.equal(model.pending.length, 0);
  });

  it('S0.validation: wrong input comes back as a sentence that says what was expected', async () => {
    const { model, runAgentTurn } = driver();
    model.script([
      { tool: 'cap_read_file', input: { path: '../outside.txt' } },
      { tool: 'cap_divide', input: { a: 1, b: 0 } },
      { tool: 'cap_web_fetch', input: { url: 'file:///etc/passwd' } },
      { tool: 'cap_get_current_time', input: { timezone: 'Mars/Olympus' } },
      { text: 'I see.' },
    ]);
    const turn = await runAgentTurn({ query: 'do it wrong' });
    const [outside = '', zero = '', scheme = '', zone = ''] = turn.toolResults.map((result) => result.text);
    assert.match(outside, /outside|workspace/);
    assert.match(zero, /zero/);
    assert.match(scheme, /http/);
    assert.match(zone, /time zone/);
    for (const text of [outside, zero, scheme, zone])
      assert.doesNotMatch(text, /Please check your input and try again/);
  });

  it('D.redaction: over many calls in a workspace of many secrets not one stands in the body of a request', async function () {
    this.timeout(300_000);
    const { model, runAgentTurn } = driver();
    const folder = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'many-secrets');
    const drawn = Array.from({ length: 62 }, (_, at) => drawnSecret(at).secret);
    const password = 'Tr0ub4dor-of-the-house';
    // JSON writes some of them in another way.
    const hidden = [...drawn, password].map((one) => JSON.stringify(one).slice(1, -1));
    mkdirSync(folder, { recursive: true });
    const files = drawn.map((one, at) => [`f${at}.ts`, `// file ${at}\nexport const key = '${one}';\n`] as const);
    for (const [name, text] of [
      ...files,
      ['.env', `DB_PASSWORD=${password}\n`],
      ['c.yml', `db: ${password}\n`],
    ] as const)
      writeFileSync(join(folder, name), text);
    const call = (at: number): { tool: string; input: object } => {
      const path = `many-secrets/${at % 9 === 8 ? 'c.yml' : `f${at % files.length}.ts`}`;
      const calls = [
        { tool: 'cap_read_file', input: { path, max_bytes: 1000 + at } },
        { tool: 'cap_read_file', input: { path, start_line: 1, end_line: 2 + at } },
        { tool: 'cap_read_file', input: { path, offset: at % 40, length: 20 + at } },
        { tool: 'cap_read_files', input: { paths: [path, `many-secrets/f${(at * 7) % files.length}.ts`] } },
        { tool: 'cap_grep_files', input: { pattern: 'key = ', path, max_results: 1 + at } },
      ] as const;
      return calls[at % calls.length] ?? calls[0];
    };
    let [bodies, placeholders] = [0, 0];
    const leaked = new Set<string>();
    model.onBody = (body) => {
      bodies++;
      for (const one of hidden) if (body.includes(one)) leaked.add(one);
      placeholders = body.split('{{secret:').length - 1;
    };
    const settings = vscode.workspace.getConfiguration('agentCapabilities');
    await settings.update('limits', { repetition: 0, all: '10000 per 1m' }, vscode.ConfigurationTarget.Global);
    try {
      await switchTo('default');
      // Each call costs the editor 0.2 s: 500 in five turns were run once (`test/bench/README.md`).
      const turns = 1;
      for (let turn = 0; turn < turns; turn++) {
        const steps = [0, 1, 2, 3].map((step) => {
          const from = turn * 100 + step * 25;
          return { tools: Array.from({ length: 25 }, (_, at) => call(from + at)) };
        });
        model.script([...steps, { text: 'seen' }]);
        const { toolResults } = await runAgentTurn({ query: 'look at the keys', timeoutMs: 120_000 });
        assert.equal(toolResults.length, 100);
        assert.ok(placeholders >= 60, `${placeholders} placeholders`);
      }
      assert.ok(bodies >= turns * 5, `${bodies} bodies`);
      assert.deepEqual([...leaked], []);
    } finally {
      model.onBody = undefined;
      await settings.update('limits', undefined, vscode.ConfigurationTarget.Global);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
