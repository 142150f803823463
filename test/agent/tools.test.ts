import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { driver } from '../support/editor/driver/api';
import { until } from '../support/editor/until';
import { setProfile } from '../support/editor/chooseProfile';
import { ours, toolsOf } from '../support/editor/ourTools';

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
    model.script([{ text: 'ready' }]);
    const turn = await runAgentTurn({ query: 'hello' });
    assert.deepEqual(ours(turn.requests[0]?.tools ?? []), toolsOf('default'));
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
});
