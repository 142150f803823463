// @tier full: starts programs
import { worded } from '../../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { foreignToolName } from '../../../../src/core/foreign/toolName';
import { rootsOf } from '../../../../src/mcp/client/openConnection';
import { memoryStore } from '../../../../src/node/memory';
import { payloadOf, signer } from '../../../support/bundles';
import { temporaryWorkspace } from '../../../support/cli';
import { gateway, named, outcome, schema, scripted, scriptedUser, until } from '../../../support/mcp/harness';

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
      assert.deepEqual(asked[0]?.tools[0], 'echo (medium risk): Does echo');
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

  for (const [what, change] of Object.entries({
    'a changed description': [{ ...named('echo')[0], description: 'Sends everything away' }],
    'a changed schema': [{ ...named('echo')[0], inputSchema: { ...schema, required: ['text'] } }],
    'a renamed tool': [{ ...named('echo')[0], name: 'echoes', description: 'Does echo' }],
    'an added tool': [...named('echo'), ...named('steal')],
    'a changed hint': [{ ...named('echo')[0], annotations: { readOnlyHint: true } }],
  }))
    it(`blocks a server after ${what}, shows what changed, and goes on once it is approved`, async () => {
      let approve = false;
      const { user, asked } = scriptedUser({
        approveTools: async ({ diff }) => (diff === undefined || approve ? 'approve' : 'refuse'),
      });
      const g = await gateway({ servers: { s: scripted({ tools: [...named('echo', 'change')] }) }, serverUser: user });
      try {
        await g.core.servers.list.discover();
        const tools = JSON.stringify([...change, ...named('change')]);
        assert.equal(outcome(await g.call('s_change', { tools })), 'changed');
        await until(() => g.state('s') === 'blocked');
        const refused = await g.call('s_change', {});
        assert.equal(outcome(refused), 'not_available');
        assert.ok(
          !refused.success && refused.error.message.includes('changed since the user approved'),
          JSON.stringify(refused),
        );
        assert.ok((g.core.servers.list.list()[0]?.diff ?? []).length > 0);
        assert.equal(g.core.tools.registry.tool('s_steal'), undefined, 'nothing new is offered');
        approve = true;
        await g.core.servers.list.start('s');
        await until(() => g.state('s') === 'running');
        assert.ok(asked.some((one) => one.diff !== undefined));
        assert.notEqual(outcome(await g.call('s_change', { tools })), 'not_available');
      } finally {
        await g.close();
      }
    });

  it('D.bundles: a server whose tools are not those that a bundle pins offers none of them, and nobody is asked', async () => {
    const { user, asked } = scriptedUser();
    const storage = memoryStore();
    const mine = signer();
    const home = temporaryWorkspace();
    const file = path.join(home.folder, 'acme.bundle');
    const bundled = (revision: number, sha256: string): void =>
      writeFileSync(
        file,
        mine.seal(payloadOf({ revision, settings: {}, definitions: {}, servers: { s: { sha256 } } })),
      );
    const open = (tools: object, isPinned: boolean) =>
      gateway({
        servers: { s: scripted({ tools }) },
        serverUser: user,
        storage,
        environment: { XDG_STATE_HOME: home.folder, HOME: home.folder, LOCALAPPDATA: home.folder },
        set: isPinned ? { 'policy.bundles': { acme: { from: file, key: mine.text } } } : {},
      });
    const first = await open(named('echo'), false);
    await first.core.servers.list.discover();
    const hash = first.core.servers.list.approvedHashes()[0]?.[1] ?? '';
    await first.close();
    try {
      bundled(1, '0'.repeat(64));
      const other = await open(named('echo'), true);
      await other.core.servers.list.discover();
      assert.equal(other.state('s'), 'refused');
      assert.equal(other.core.tools.registry.tool('s_echo'), undefined);
      assert.ok(other.core.problems().some(({ code }) => code === 'mcp_pinned'));
      await other.core.servers.list.start('s');
      assert.equal(other.state('s'), 'refused', 'no person lets it through');
      await other.close();
      bundled(2, hash);
      const same = await open(named('echo'), true);
      assert.equal(outcome(await same.call('s_echo', { text: 'x' })), 'x');
      await same.close();
      const changed = await open(named('echo', 'more'), true);
      assert.equal(outcome(await changed.call('s_echo', { text: 'x' })), 'not_available');
      assert.equal(changed.state('s'), 'refused');
      await changed.close();
      assert.equal(asked.length, 1);
    } finally {
      home.dispose();
    }
  });

  it('S1.cache: finds a silent change within the life of the discovery cache', async () => {
    const { user } = scriptedUser({ approveTools: async ({ diff }) => (diff ? 'refuse' : 'approve') });
    const storage = memoryStore();
    const first = await gateway({ servers: { s: scripted({ tools: named('echo') }) }, serverUser: user, storage });
    await first.core.servers.list.discover();
    await first.close();
    const g = await gateway({ servers: { s: scripted({ tools: named('echo', 'more') }) }, serverUser: user, storage });
    try {
      assert.equal(
        outcome(await g.call('s_echo', { text: 'x' })),
        'not_available',
        'the start lists and finds the change before the call',
      );
      assert.equal(g.state('s'), 'blocked');
    } finally {
      await g.close();
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

  it('gives a server the environment that its entry names, secrets filled in, and nothing else of ours', async () => {
    const entry = (value: string) =>
      scripted({ tools: named('env') }, { env: { KEY: value, PLAIN: 'p', WHERE: '${workspaceFolder}' } });
    const g = await gateway({
      servers: { s: entry('${secret:api}'), broken: entry('${secret:missing}') },
      serverUser: scriptedUser().user,
      environment: { AGENT_CAPABILITIES_SECRET_API: 's3cret', OTHER: 'no', HOME: '/home/x' },
    });
    try {
      await g.core.servers.list.discover();
      const env = JSON.parse(outcome(await g.call('s_env'))) as Record<string, string>;
      assert.deepEqual(
        [env['KEY'], env['PLAIN'], env['WHERE'], env['OTHER'], env['HOME']],
        ['s3cret', 'p', g.folder, undefined, '/home/x'],
      );
      assert.equal(env['cwd'], g.folder);
      assert.equal(g.state('broken'), 'failed');
      assert.match(
        JSON.stringify(g.core.servers.list.list().find((one) => one.name === 'broken')?.detail),
        /secret `missing` is not set/,
      );
    } finally {
      await g.close();
    }
  });

  it('lets a workspace entry act only once its content is approved, and asks again when it changes', async () => {
    const storage = memoryStore();
    const open = async (entry: object, yes: boolean) => {
      const { user } = scriptedUser({ approveServer: async () => yes });
      const g = await gateway({
        files: { '.vscode/settings.json': JSON.stringify({ 'agentCapabilities.mcp.servers': { s: entry } }) },
        set: { profiles: { default: { capabilities: ['mcp_s'] } } },
        serverUser: user,
        storage,
      });
      await g.core.servers.list.discover();
      const state = g.state('s');
      await g.close();
      return state;
    };
    assert.equal(await open(scripted(), false), 'unapproved');
    assert.equal(await open(scripted(), true), 'running');
    assert.equal(await open(scripted(), false), 'stopped', 'approved before');
    assert.equal(await open(scripted({ greet: true }), false), 'unapproved', 'another content');
  });

  it('S1.mcp: one yes for each of several workspace entries starts all of them, and one no keeps only its own', async () => {
    const entries = { a: scripted(), b: scripted(), c: scripted() };
    const asked: string[] = [];
    const { user } = scriptedUser({
      approveServer: async ({ server }) => {
        asked.push(server);
        return server !== 'b';
      },
    });
    const g = await gateway({
      files: { '.vscode/settings.json': JSON.stringify({ 'agentCapabilities.mcp.servers': entries }) },
      set: { profiles: { default: { capabilities: ['mcp_a', 'mcp_b', 'mcp_c'] } } },
      serverUser: user,
    });
    try {
      await g.core.servers.list.discover();
      assert.deepEqual(asked, ['a', 'b', 'c']);
      assert.deepEqual(
        ['a', 'b', 'c'].map((name) => g.state(name)),
        ['running', 'unapproved', 'running'],
      );
    } finally {
      await g.close();
    }
  });

  it('hands progress on, cancels, and asks the person what the server asks', async () => {
    const heard: string[] = [];
    const { user } = scriptedUser({
      elicit: async (request) => {
        heard.push(`${request.type} ${request.server} ${request.message}`);
        return { action: 'accept', content: { name: 'Ada' } };
      },
      sample: async (request) => ({ model: 'm', text: `${request.messages[0]?.text} back` }),
    });
    const g = await gateway({
      servers: { s: scripted({ tools: named('ask', 'sample', 'progress', 'hang', 'echo'), greet: true }) },
      serverUser: user,
    });
    try {
      await g.core.servers.list.discover();
      assert.equal(outcome(await g.call('s_ask')), '{"action":"accept","content":{"name":"Ada"}}');
      assert.deepEqual(heard, ['form s your name?']);
      assert.match(outcome(await g.call('s_sample')), /hi back/);
      const steps: string[] = [];
      assert.equal(outcome(await g.call('s_progress', {}, { onProgress: (one) => steps.push(one.message) })), 'done');
      assert.deepEqual(steps, ['step 1', 'step 2', 'step 3']);
      const stop = new AbortController();
      const hanging = g.call('s_hang', {}, { signal: stop.signal });
      setTimeout(() => stop.abort(), 50);
      assert.equal(outcome(await hanging), 'cancelled');
      assert.equal(outcome(await g.call('s_echo', { text: 'on' })), 'on');
      assert.match(g.core.servers.list.log('s').join('\n'), /hello, this is no JSON/);
    } finally {
      await g.close();
    }
  });

  it("stops a call's clock while a person thinks about a form, and lets it run on after the answer", async () => {
    const timeoutMs = 1500;
    const { user } = scriptedUser({
      elicit: async () => {
        // Longer than the whole call may take.
        await new Promise((resolve) => setTimeout(resolve, timeoutMs + 500));
        return { action: 'accept', content: { name: 'Ada' } };
      },
    });
    const g = await gateway({
      servers: { s: scripted({ tools: named('ask', 'askThenHang') }, { timeoutMs }) },
      serverUser: user,
    });
    try {
      await g.core.servers.list.discover();
      assert.equal(outcome(await g.call('s_ask')), '{"action":"accept","content":{"name":"Ada"}}');
      assert.equal(outcome(await g.call('s_askThenHang')), 'timeout');
    } finally {
      await g.close();
    }
  });

  it('tells the folders of the workspace to programs that ask, unless the entry says no, and that they changed', async () => {
    const notes = await gateway();
    const calls = path.join(notes.folder, 'calls');
    const tools = named('roots');
    const g = await gateway({
      servers: { told: scripted({ tools, calls }), kept: scripted({ tools }, { roots: false }) },
      serverUser: scriptedUser().user,
    });
    try {
      await g.core.servers.list.discover();
      const uri = pathToFileURL(g.folder).href;
      assert.deepEqual(JSON.parse(outcome(await g.call('told_roots'))), {
        roots: [{ name: path.basename(g.folder), uri }],
      });
      assert.match(outcome(await g.call('kept_roots')), /"code":-32601/);
      assert.match(g.core.servers.list.log('told').join('\n'), new RegExp(`was told the folders: ${uri}`));
      g.core.servers.list.foldersChanged();
      await until(() => readFileSync(calls, 'utf8').includes('roots changed'));
    } finally {
      await g.close();
      await notes.close();
    }
    const folders = [
      { name: 'here', path: '/here', scheme: 'file' },
      { name: 'there', path: '/there', scheme: 'vscode-vfs' },
    ];
    const roots = (trusted: boolean) => rootsOf({ files: { folders: () => folders } as never, trusted: () => trusted });
    assert.deepEqual(
      [roots(true), roots(false)],
      [[{ name: 'here', uri: 'file:///here' }], []],
      'of this machine, where it is trusted',
    );
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
