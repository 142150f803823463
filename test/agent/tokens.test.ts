// @window own
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import * as vscode from 'vscode';
import { driver } from '../support/editor/driver/api';
import {
  callTokens,
  definitionTokens,
  readTokenRows,
  tokenRows,
  usualFolder,
  usualUrl,
} from '../support/tokenTasks/count';
import { type TaskCall, taskSources, tokenTasks } from '../support/tokenTasks/tasks';

describe('tokens of our calls and results against those of the editor’s own tools', () => {
  let folder = '';
  let server: Server;
  let url = '';
  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('agentCapabilities');

  before(async () => {
    folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const page = readFileSync(path.join(driver().plan.root, 'test/support/sample-site/reference.html'));
    server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/reference`;
    await vscode.extensions.getExtension('agent-capabilities.agent-capabilities')?.activate();
    const match = { accessAny: ['fs.*'], path: '**' };
    const allow = { id: 'test.allow', match, decision: 'allow', reason: 'a test works here' };
    await settings().update('policy.boundaries', [allow], vscode.ConfigurationTarget.Global);
    await settings().update('network.allowedPrivateHosts', ['127.0.0.1'], vscode.ConfigurationTarget.Global);
  });

  after(async () => {
    for (const name of ['policy.boundaries', 'network.allowedPrivateHosts'])
      await settings().update(name, undefined, vscode.ConfigurationTarget.Global);
    server.closeAllConnections();
    server.close();
  });

  /** The sources as they are in the package, whatever a run before made of them. */
  function freshSources(): void {
    for (const name of ['src', 'notes']) rmSync(path.join(folder, name), { recursive: true, force: true });
    cpSync(path.join(driver().plan.root, taskSources), path.join(folder, 'src'), { recursive: true });
  }

  const usual = (text: string): string => text.replaceAll(url, usualUrl).replaceAll(folder, usualFolder);

  interface Cost {
    readonly tokens: number;
    readonly answers: readonly string[];
  }

  /** What the calls of each task cost, all of them in one turn of agent mode; `answers` are what the model read. */
  async function costs(tasks: readonly (readonly TaskCall[])[]): Promise<readonly Cost[]> {
    const { model, runAgentTurn } = driver();
    const calls = tasks.flat();
    model.script([...calls, { text: 'done' }]);
    const { toolResults } = await runAgentTurn({ query: 'work', confirm: 'accept', timeoutMs: 180_000 });
    assert.equal(toolResults.length, calls.length, JSON.stringify(toolResults));
    const texts = toolResults.map(({ text }) => usual(text));
    let at = 0;
    return tasks.map((task) => {
      const answers = texts.slice(at, (at += task.length));
      const seen = task.map(({ tool, input }) => ({ tool, input: JSON.parse(usual(JSON.stringify(input))) }));
      return { tokens: seen.reduce((sum, call, index) => sum + callTokens(call, answers[index] ?? ''), 0), answers };
    });
  }

  it('D.tokens: are at most 0.8 of them over the scripted tasks, and no more than the table of the benchmarks says', async function () {
    this.timeout(400_000);
    const tasks = tokenTasks({ folder, url });
    assert.ok(tasks.length >= 20);
    const { model, runAgentTurn } = driver();
    model.script([{ text: 'ready' }]);
    const { requests } = await runAgentTurn({ query: 'hello' });
    const definitions = (requests[0]?.tools ?? []).map(({ name, description, inputSchema }) => ({
      name,
      tokens: definitionTokens(name, description, inputSchema),
    }));
    freshSources();
    const ours = await costs(tasks.map((task) => task.ours.map((call) => ({ ...call, tool: `cap_${call.tool}` }))));
    freshSources();
    const host = await costs(tasks.map((task) => task.host));
    const sides = { ours, host };
    const counted = tasks.map(({ name }, at) => ({
      name,
      ours: sides.ours[at]?.tokens ?? 0,
      host: sides.host[at]?.tokens ?? 0,
    }));
    const used = (side: 'ours' | 'host'): number => {
      const names = new Set(
        tasks.flatMap((task) => task[side].map(({ tool }) => (side === 'ours' ? `cap_${tool}` : tool))),
      );
      return definitions.filter(({ name }) => names.has(name)).reduce((sum, { tokens }) => sum + tokens, 0);
    };
    const all = (mine: boolean): number =>
      definitions.filter(({ name }) => name.startsWith('cap_') === mine).reduce((sum, { tokens }) => sum + tokens, 0);
    const report = [
      ...tokenRows(counted),
      `definitions of the tools used: ours ${used('ours')}, host ${used('host')}`,
      `definitions of all tools: ours ${all(true)}, host ${all(false)}`,
    ];
    console.log(report.join('\n'));
    const kept = path.join(driver().plan.root, '.build', 'tokens');
    mkdirSync(kept, { recursive: true });
    writeFileSync(path.join(kept, 'table.md'), `${report.join('\n')}\n`);
    writeFileSync(
      path.join(kept, 'answers.json'),
      JSON.stringify(
        tasks.map(({ name }, at) => ({
          name,
          ours: sides.ours[at],
          host: sides.host[at],
        })),
        undefined,
        1,
      ),
    );
    const total = (side: 'ours' | 'host'): number => counted.reduce((sum, one) => sum + one[side], 0);
    assert.ok(total('ours') <= 0.8 * total('host'), `${total('ours')} of ours, ${total('host')} of the host's`);
    const rows = readTokenRows(readFileSync(path.join(driver().plan.root, 'test/bench/README.md'), 'utf8'));
    for (const { name, ours } of counted) {
      const row = rows.get(name);
      assert.ok(row, `the table of test/bench/README.md has no row for ${name}`);
      assert.ok(ours <= row.ours, `${name}: ${ours} tokens where there were ${row.ours}`);
    }
  });
});
