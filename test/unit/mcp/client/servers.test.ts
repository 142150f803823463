// @tier full: starts programs
import { plainWords } from '../../../../src/core/base/translate';
import { worded } from '../../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { foreignToolName } from '../../../../src/core/foreign/toolName';
import { memoryStore } from '../../../../src/node/memory';
import { gateway, named, outcome, scripted, scriptedUser, until } from '../../../support/mcp/harness';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('MCP servers in', () => {
  it('S1.mcp: lists a server of the settings once, judges its calls by the gate and answers its content', async () => {
    const { user, asked } = scriptedUser();
    const g = await gateway({
      servers: { s: scripted({ tools: named('echo', 'picture', 'structured', 'isError', 'error'), resources: true }) },
      serverUser: user,
    });
    try {
      await g.core.servers.list.discover();
      assert.deepEqual(
        g.core.tools.registry
          .tools()
          .filter(({ source }) => source.type === 'mcp')
          .map((tool) => [tool.id, tool.modelName]),
        [
          ['mcp:s:echo', 's_echo'],
          ['mcp:s:picture', 's_picture'],
          ['mcp:s:structured', 's_structured'],
          ['mcp:s:isError', 's_isError'],
          ['mcp:s:error', 's_error'],
          ['mcp:s:list_resources', 's_list_resources'],
          ['mcp:s:read_resource', 's_read_resource'],
        ],
      );
      assert.deepEqual(asked[0]?.lines(plainWords)[0], 'echo (medium risk): Does echo');
      assert.equal(outcome(await g.call('s_echo', { text: 'hello' })), 'hello');
      const picture = await g.call('mcp:s:picture');
      assert.deepEqual(picture.success && picture.media, [{ mimeType: 'image/png', data: 'iVBORw0KGgo=' }]);
      const structured = await g.call('s_structured');
      assert.deepEqual(structured.success && structured.payload, { text: '{"v":1}' });
      const failed = await g.call('s_isError');
      assert.deepEqual(!failed.success && [failed.error.code, failed.error.message], ['mcp_error', 'it did not work']);
      assert.equal(outcome(await g.call('s_error')), 'mcp_error');
      assert.equal(outcome(await g.call('s_echo', { text: 7 })), 'invalid_input');
      const resources = await g.call('s_list_resources');
      assert.deepEqual(resources.success && resources.payload, {
        count: 1,
        resources: [{ uri: 'note://one', name: 'One' }],
      });
      assert.equal(outcome(await g.call('s_read_resource', { uri: 'note://one' })), 'the content of note://one');
      assert.equal(g.state('s'), 'running');
    } finally {
      await g.close();
    }
  });

  it('asks before the first tool of a new server reaches anybody, and offers nothing where the answer is no', async () => {
    const { user } = scriptedUser({ approveTools: async () => 'refuse' });
    const g = await gateway({ servers: { s: scripted() }, serverUser: user });
    try {
      await g.core.servers.list.discover();
      assert.equal(g.state('s'), 'refused');
      assert.deepEqual(
        g.core.tools.registry.tools().filter(({ source }) => source.type === 'mcp'),
        [],
      );
      assert.match(
        g.core
          .problems()
          .map((one) => one.message)
          .join(),
        /`s`: not approved, so none of its tools/,
      );
    } finally {
      await g.close();
    }
  });

  it('stays asleep while its approved tools are known, and starts with the first call', async () => {
    const storage = memoryStore();
    const folder = await gateway({ servers: { s: scripted() }, serverUser: scriptedUser().user, storage });
    const started = path.join(folder.folder, 'started');
    await folder.core.servers.list.discover();
    await folder.opened.close();
    const entry = scripted({ started });
    const { user, asked } = scriptedUser();
    const g = await gateway({ servers: { s: entry }, serverUser: user, storage });
    try {
      await g.core.servers.list.discover();
      assert.equal(g.state('s'), 'stopped');
      assert.equal(g.core.tools.registry.tool('s_echo')?.id, 'mcp:s:echo');
      assert.throws(() => readFileSync(started));
      assert.equal(outcome(await g.call('s_echo', { text: 'x' })), 'x');
      assert.equal(readFileSync(started, 'utf8').trim().split('\n').length, 1);
      assert.equal(asked.length, 0);
    } finally {
      await g.close();
      folder.dispose();
    }
  });

  it('names a tool that cannot be held once, however often its approval is looked at', async () => {
    const { user } = scriptedUser();
    const taken = foreignToolName('do it');
    const g = await gateway({ servers: { s: scripted({ tools: named('do it', taken) }) }, serverUser: user });
    try {
      await g.core.servers.list.discover();
      for (let time = 0; time < 2; time++) await g.core.servers.list.reconsider('s');
      const faults = g.core.servers.list.list().flatMap((one) => one.faults.map((fault) => worded(fault)));
      assert.deepEqual(faults, [`the tool \`${taken}\` is left out: its name is too much like another's`]);
    } finally {
      await g.close();
    }
  });

  it('tries again after growing pauses, and one that never starts leaves the others', async () => {
    const g = await gateway({
      servers: { dead: { command: '/no/such/program' }, ends: scripted({ exitAtStart: true }), good: scripted() },
      serverUser: scriptedUser().user,
    });
    try {
      await g.core.servers.list.discover();
      assert.deepEqual(
        g.core.servers.list.list().map((one) => [one.name, one.state]),
        [
          ['dead', 'failed'],
          ['ends', 'failed'],
          ['good', 'running'],
        ],
      );
      assert.match(
        g.core
          .problems()
          .map((one) => one.message)
          .join('\n'),
        /`dead`: failed: the program `[^`]+` was not found.*; check `command` in its entry/,
      );
      assert.equal(outcome(await g.call('good_echo', { text: 'x' })), 'x');
    } finally {
      await g.close();
    }
  });

  it('shows what a sleeping server listed when it last ran, and asks it again once it runs or its entry is another', async () => {
    const notes = await gateway();
    const startedFile = path.join(notes.folder, 'started');
    const starts = () => readFileSync(startedFile, 'utf8').trim().split('\n').length;
    const storage = memoryStore();
    const open = (more: object = {}) =>
      gateway({
        servers: { s: scripted({ resources: true, started: startedFile, ...more }) },
        serverUser: scriptedUser().user,
        storage,
      });
    const uris = async (g: Awaited<ReturnType<typeof open>>) => {
      const listed: any = await g.call('s_list_resources');
      return listed.payload.resources.map((one: any) => one.uri);
    };
    const first = await open();
    await first.core.servers.list.discover();
    assert.deepEqual(await uris(first), ['note://one']);
    await first.close();
    const second = await open();
    assert.deepEqual(await uris(second), ['note://one']);
    assert.deepEqual([starts(), second.state('s')], [1, 'stopped']);
    assert.equal(outcome(await second.call('s_echo', { text: 'up' })), 'up');
    assert.equal(starts(), 2);
    await second.close();
    const third = await open({ pdf: true });
    assert.deepEqual(await uris(third), ['note://one', 'note://two.pdf'], 'another entry is another server');
    assert.equal(starts(), 3);
    await third.core.servers.list.forget('s');
    assert.equal(storage.get('mcp.lists.s'), undefined);
    await third.close();
    await notes.close();
  });

  it('ends the process group of a server when the core is closed', async () => {
    const files = await gateway();
    const child = path.join(files.folder, 'pids');
    const g = await gateway({
      servers: { s: scripted({ child, started: child, ignoreTermination: true, stays: true }) },
      serverUser: scriptedUser().user,
    });
    await g.core.servers.list.discover();
    const pids = readFileSync(child, 'utf8').trim().split('\n').map(Number);
    assert.equal(pids.length, 2);
    assert.ok(pids.every(isAlive));
    await g.close();
    await until(() => !pids.some(isAlive));
    await files.close();
  });
});
