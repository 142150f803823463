// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { channelsEveryMs } from '../../../src/cli/serve';
import type { Clock } from '../../../src/core/ports/platform';
import { systemClock } from '../../../src/node/system';
import { runCli, temporaryWorkspace } from '../../support/cli';
import { skipBecause } from '../../support/skip';
import { startServer } from '../../support/web';
import { named, scripted, served } from '../../support/mcp/harness';

type Served = Awaited<ReturnType<typeof served>>;

/** Asks again until the answer is as it shall be; what never becomes so fails with the last answer. */
async function becomes<T>(ask: () => Promise<T>, isSo: (answer: T) => boolean): Promise<void> {
  let last: T | undefined;
  for (let left = 400; left > 0; left--) {
    last = await ask();
    if (isSo(last)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail(`waited in vain; the last answer was ${JSON.stringify(last)}`);
}

describe('why', () => {
  it('D.definitions: finds the tools of MCP servers', async () => {
    const { folder, dispose } = temporaryWorkspace();
    const servers = { s: scripted({ tools: named('read_it') }) };
    const set = ['--set', `mcp.servers=${JSON.stringify(servers)}`];
    const why = (...more: readonly string[]) =>
      runCli(['why', 's_read_it', '{"text":"x"}', '--workspace', folder, ...more, ...set], {
        PATH: process.env['PATH'],
      });
    const { json } = await why('--yes');
    // Without a yes it says what the tool waits for.
    const waiting = await why();
    dispose();
    assert.equal(json().toolId, 'mcp:s:read_it');
    assert.equal(waiting.json().effect, 'deny');
    assert.match(waiting.errors, /MCP server `s`: not approved, so none/);
  });
});

describe('serve over a workspace that changes', () => {
  it('with --yes, says of servers of the workspace neither that they wait nor that a profile names none', async () => {
    const servers = { a: scripted({ tools: named('one') }), b: scripted({ tools: named('two') }) };
    const server = await served({
      args: ['--yes'],
      files: { '.vscode/settings.json': JSON.stringify({ 'agentCapabilities.mcp.servers': servers }) },
      set: { profiles: { default: { capabilities: ['mcp_a', 'mcp_b', 'none_such'] } } },
    });
    const names = async () => (await server.client.listTools()).tools.map(({ name }) => name).sort();
    await becomes(names, (all) => all.join() === 'a_one,b_two');
    await becomes(
      async () => server.errors.join('\n'),
      (text) => text.includes('none_such'),
    );
    await server.close();
    assert.doesNotMatch(server.errors.join('\n'), /approve|names `mcp_/);
  });

  it('D.definitions: new definitions, settings and servers count without a restart, and clients are told', async () => {
    let told = 0;
    const server = await served({ args: ['--yes'], onListChanged: () => told++ });
    const write = (name: string, value: unknown): void => {
      const file = path.join(server.folder, '.vscode', name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    };
    const names = async (): Promise<readonly string[]> =>
      (await server.client.listTools()).tools.map(({ name }) => name);
    const text = async (name: string, input = {}): Promise<string> =>
      (await server.call(name, input)).content.map((one: { text?: string }) => one.text).join();
    assert.ok(!(await names()).some((name) => name.startsWith('mine_')));

    const mine = (description: string) => ({
      id: 'mine',
      name: 'Mine',
      tools: [{ name: 'ask_mine', description, handler: { type: 'http', url: 'https://mine.example/' } }],
    });
    write('capabilities/mine.capability.json', mine('Asks.'));
    await becomes(names, (all) => all.includes('mine_ask_mine'));
    assert.ok(told > 0);
    write('capabilities/mine.capability.json', mine('Asks again.'));
    const described = async () => JSON.stringify((await server.client.listTools()).tools);
    await becomes(described, (all) => all.includes('Asks again.'));

    const rule = { id: 'no-sums', match: { tool: 'add' }, decision: 'deny', reason: 'sums are done by people' };
    write('settings.json', { 'agentCapabilities.policy.boundaries': [rule] });
    const add = () => text('add', { a: 1, b: 2 });
    await becomes(add, (answer) => answer.includes('sums are done by people'));
    // What cannot be read now leaves in force what was read before.
    write('settings.json', '{ "agentCapabilities.policy.bound');
    await becomes(
      async () => server.errors.join('\n'),
      (errors) => errors.includes('error:'),
    );
    assert.match(await add(), /sums are done by people/);

    write('settings.json', { 'agentCapabilities.mcp.servers': { s: scripted({ tools: named('read_it') }) } });
    // A server of the workspace is known at once; it is on where a profile says so.
    await becomes(
      () => text('s_read_it'),
      (answer) => answer.includes('switched off'),
    );
    await becomes(add, (answer) => !answer.includes('sums'));
    rmSync(path.join(server.folder, '.vscode', 'capabilities', 'mine.capability.json'));
    await becomes(names, (all) => !all.includes('mine_ask_mine'));
    await server.close();
  });

  const denies = (reason: string): string =>
    JSON.stringify({
      'agentCapabilities.policy.boundaries': [{ id: 'no-sums', match: { tool: 'add' }, decision: 'deny', reason }],
    });

  /** What `add` answers to the one call that follows each writing of a file. */
  async function answersTo(server: Served, file: string, texts: readonly string[]): Promise<readonly string[]> {
    const answers: string[] = [];
    for (const text of texts) {
      writeFileSync(file, text);
      const { content } = await server.call('add', { a: 1, b: 2 });
      answers.push(/sum [12]/.exec(JSON.stringify(content))?.[0] ?? 'the result');
    }
    await server.close();
    return answers;
  }

  it('S4.boundaries: a rule in settings holds for the next call, another text of the same length too', async () => {
    const server = await served({ args: ['--yes'], files: { '.vscode/settings.json': '{}' } });
    const texts = [denies('sum 1'), denies('sum 2'), '{}', denies('sum 2'), denies('sum 1')];
    assert.deepEqual(await answersTo(server, path.join(server.folder, '.vscode', 'settings.json'), texts), [
      'sum 1',
      'sum 2',
      'the result',
      'sum 2',
      'sum 1',
    ]);
  });

  it('S1.policy: so does one in the file of an organization', async function () {
    // Only root can write a file that counts as managed.
    if (process.getuid?.() !== 0) return skipBecause(this, 'needs root, who alone can write a managed file');
    const { folder, dispose } = temporaryWorkspace({ 'managed.json': '{}' });
    const file = path.join(folder, 'managed.json');
    const server = await served({ args: ['--yes'], set: { 'policy.managedFile': file } });
    const texts = [denies('sum 1'), denies('sum 2'), '{}'];
    assert.deepEqual(await answersTo(server, file, texts), ['sum 1', 'sum 2', 'the result']);
    // Neither file keeps the other from holding: a workspace whose settings are broken, and a slip of the
    // administrator.
    const both = await served({
      args: ['--yes'],
      files: { '.vscode/settings.json': '{' },
      set: { 'policy.managedFile': file },
    });
    const slip = denies('sum 1').replace(/}$/, ', "agentCapabilities.polizy": 1}');
    const answers = [slip, denies('sum 2'), '{', '{}'];
    assert.deepEqual(await answersTo(both, file, answers), ['sum 1', 'sum 2', 'sum 2', 'the result']);
    dispose();
  });

  it('S2.manifest: a channel that serves another manifest is read again while it runs', async () => {
    let actions = [{ id: 'play', type: 'action' }];
    const channel = await startServer((request, response) => {
      const capabilities = request.url === '/manifest.json' ? actions : undefined;
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ id: 'media', name: 'Media', version: '1.0.0', baseUrl: channel.url, capabilities }),
      );
    });
    const due: (() => void)[] = [];
    const clock: Clock = {
      ...systemClock,
      schedule: (callback, ms) => {
        if (ms !== channelsEveryMs) return systemClock.schedule(callback, ms);
        due.push(callback);
        return { dispose: () => undefined };
      },
    };
    const set = {
      'network.allowedPrivateHosts': ['127.0.0.1'],
      channels: { media: { url: `${channel.url}/manifest.json` } },
    };
    const server = await served({ args: ['--yes'], set, clock });
    const names = async (): Promise<readonly string[]> =>
      (await server.client.listTools()).tools.map(({ name }) => name).filter((name) => name.startsWith('media'));
    await becomes(names, (all) => all.length === 1);
    actions = [...actions, { id: 'stop', type: 'action' }];
    assert.equal((await names()).length, 1);
    due.shift()?.();
    await becomes(names, (all) => all.length === 2);
    await server.close();
    await channel.close();
  });
});
