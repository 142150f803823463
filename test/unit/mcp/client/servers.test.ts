import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rootsOf } from '../../../../src/mcp/client/openConnection';
import { memoryStore } from '../../../../src/node/memory';
import { gateway, outcome, scripted, scriptedUser, until } from '../../../support/mcp/harness';

const schema = { type: 'object', properties: { text: { type: 'string' } } };
const named = (...names: string[]) => names.map((name) => ({ name, description: `Does ${name}`, inputSchema: schema }));

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
      await g.core.servers.discover();
      assert.deepEqual(
        g.core.registry.tools({ sources: ['mcp'] }).map((tool) => [tool.id, tool.modelName]),
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
      assert.deepEqual(asked[0]?.tools[0], 'echo (medium): Does echo');
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
      assert.deepEqual(resources.success && resources.payload, { count: 1, resources: [{ uri: 'note://one', name: 'One' }] });
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
      await g.core.servers.discover();
      assert.equal(g.state('s'), 'refused');
      assert.deepEqual(g.core.registry.tools({ sources: ['mcp'] }), []);
      assert.match(
        g.core
          .problems()
          .map((one) => one.message)
          .join(),
        /`s` has tools that you have not approved/,
      );
    } finally {
      await g.close();
    }
  });

  it('stays asleep while its approved tools are known, and starts with the first call', async () => {
    const storage = memoryStore();
    const folder = await gateway({ servers: { s: scripted() }, serverUser: scriptedUser().user, storage });
    const started = path.join(folder.folder, 'started');
    await folder.core.servers.discover();
    await folder.opened.close();
    const entry = scripted({ started });
    const { user, asked } = scriptedUser();
    const g = await gateway({ servers: { s: entry }, serverUser: user, storage });
    try {
      await g.core.servers.discover();
      assert.equal(g.state('s'), 'stopped');
      assert.equal(g.core.registry.tool('s_echo')?.id, 'mcp:s:echo');
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
      const { user, asked } = scriptedUser({ approveTools: async ({ diff }) => (diff === undefined || approve ? 'approve' : 'refuse') });
      const g = await gateway({ servers: { s: scripted({ tools: [...named('echo', 'change')] }) }, serverUser: user });
      try {
        await g.core.servers.discover();
        const tools = JSON.stringify([...change, ...named('change')]);
        assert.equal(outcome(await g.call('s_change', { tools })), 'changed');
        await until(() => g.state('s') === 'blocked');
        const refused = await g.call('s_change', {});
        assert.equal(outcome(refused), 'not_available');
        assert.ok(!refused.success && refused.error.message.includes('changed since the user approved'), JSON.stringify(refused));
        assert.ok((g.core.servers.list()[0]?.diff ?? []).length > 0);
        assert.equal(g.core.registry.tool('s_steal'), undefined, 'nothing new is offered');
        approve = true;
        await g.core.servers.start('s');
        await until(() => g.state('s') === 'running');
        assert.ok(asked.some((one) => one.diff !== undefined));
        assert.notEqual(outcome(await g.call('s_change', { tools })), 'not_available');
      } finally {
        await g.close();
      }
    });

  it('S1.cache: finds a silent change within the life of the discovery cache', async () => {
    const { user } = scriptedUser({ approveTools: async ({ diff }) => (diff ? 'refuse' : 'approve') });
    const storage = memoryStore();
    const first = await gateway({ servers: { s: scripted({ tools: named('echo') }) }, serverUser: user, storage });
    await first.core.servers.discover();
    await first.close();
    const g = await gateway({ servers: { s: scripted({ tools: named('echo', 'more') }) }, serverUser: user, storage });
    try {
      assert.equal(outcome(await g.call('s_echo', { text: 'x' })), 'not_available', 'the start lists and finds the change before the call');
      assert.equal(g.state('s'), 'blocked');
    } finally {
      await g.close();
    }
  });

  const faults: Record<string, RegExp> = {
    error: /^mcp_error$/,
    isError: /^mcp_error$/,
    hang: /^timeout$/,
    exit: /^mcp_error$/,
    late: /^late$/,
    wrongShape: /^$/,
    noResult: /^mcp_error$/,
    huge: /^(mcp_error)$/,
    invalidJson: /^timeout$/,
    invalidRpc: /^(timeout|mcp_error)$/,
    twice: /^first$/,
    otherId: /^mine$/,
    flood: /^(after the flood|mcp_error|timeout)$/,
    deep: /^mcp_error$/,
    invisible: /⟨U\+202E⟩/,
    proto: /"ok":1|^$/,
    garbage: /^after the garbage$/,
    halfLine: /^mcp_error$/,
  };
  for (const [fault, expected] of Object.entries(faults))
    it(`a server with the fault \`${fault}\` gives one typed answer; the next call and the other server work`, async () => {
      const g = await gateway({
        servers: { bad: scripted({ tools: named(fault, 'echo') }, { timeoutMs: 1500 }), good: scripted() },
        serverUser: scriptedUser().user,
      });
      try {
        await g.core.servers.discover();
        const [bad, good] = await Promise.all([g.call(`bad_${fault}`), g.call('good_echo', { text: 'fine' })]);
        assert.match(outcome(bad), expected);
        assert.equal(outcome(good), 'fine');
        assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
        let next = await g.call('bad_echo', { text: 'again' });
        for (let tries = 0; tries < 20 && !next.success; tries++) {
          assert.ok(next.error.retryable, JSON.stringify(next.error));
          await new Promise((resolve) => setTimeout(resolve, 200));
          next = await g.call('bad_echo', { text: 'again' });
        }
        assert.equal(outcome(next), 'again');
      } finally {
        await g.close();
      }
    });

  for (const storm of ['hang', 'longLine', 'endlessGarbage', 'endlessProgress', 'listStorm', 'logStorm', 'askStorm'])
    it(`another server's calls go on while one does \`${storm}\` without end, and that call ends with a typed error`, async () => {
      const g = await gateway({
        servers: { bad: scripted({ tools: named(storm, 'echo') }, { timeoutMs: 2500 }), good: scripted() },
        serverUser: scriptedUser().user,
      });
      try {
        await g.core.servers.discover();
        assert.equal(outcome(await g.call('good_echo', { text: 'warm' })), 'warm');
        let isOver = false;
        const bad = g.call(`bad_${storm}`).finally(() => {
          isOver = true;
        });
        let during = 0;
        for (let index = 0; index < 20; index++) {
          assert.equal(outcome(await g.call('good_echo', { text: `call ${index}` })), `call ${index}`);
          if (!isOver) during++;
        }
        const end = outcome(await bad);
        assert.match(end, /^(timeout|mcp_error)$/);
        // A server that breaks a bound is stopped at once; then the others may all have answered after that.
        assert.ok(during > 0 || end === 'mcp_error', 'the good server answered only after the bad one was stopped');
        assert.equal(outcome(await g.call('good_echo', { text: 'after' })), 'after');
        assert.equal(g.state('good'), 'running');
      } finally {
        await g.close();
      }
    });

  it('leaves a server that never answers hello to itself: its own start fails, the others start', async () => {
    const g = await gateway({
      servers: { silent: scripted({ hangAtStart: true }), good: scripted() },
      serverUser: scriptedUser().user,
    });
    try {
      void g.core.servers.discover();
      await until(() => g.core.registry.tool('good_echo') !== undefined);
      assert.equal(outcome(await g.call('good_echo', { text: 'fine' })), 'fine');
      assert.equal(g.state('silent'), 'starting');
    } finally {
      await g.close();
    }
  });

  it('bounds a list of 50 MB, which fails its own server alone', async () => {
    const g = await gateway({ servers: { s: scripted({ hugeList: true }), good: scripted() }, serverUser: scriptedUser().user });
    try {
      await g.core.servers.discover();
      assert.equal(g.state('s'), 'failed');
      assert.deepEqual(
        g.core.registry.tools({ sources: ['mcp'] }).map((tool) => tool.id),
        ['mcp:good:echo'],
      );
      assert.equal(outcome(await g.call('good_echo', { text: 'fine' })), 'fine');
    } finally {
      await g.close();
    }
  });

  it('takes what can be used of a hostile list, names the rest, and compiles nothing that never ends', async () => {
    const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
    const tools = [
      { name: 'fine', inputSchema: schema },
      { name: 'fine', description: 'the second of the same name', inputSchema: schema },
      {
        name: 'turns',
        inputSchema: object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }),
      },
      { name: 'recursive', inputSchema: object({ next: { $ref: '#' }, text: { type: 'string' } }) },
      { name: 'remote', inputSchema: object({ a: { $ref: 'http://127.0.0.1:1/schema' } }) },
      { name: 'slow', inputSchema: object({ text: { type: 'string', pattern: '^(a+)+$' } }) },
      { name: 'bell\u0007\u001b[2J', inputSchema: schema },
      { name: '', inputSchema: schema },
      { name: 7, inputSchema: schema },
      { name: 'list', inputSchema: [] },
      { name: 'array', inputSchema: { type: 'array' } },
      null,
      'text',
    ];
    const { user, asked } = scriptedUser();
    const g = await gateway({ servers: { s: scripted({ tools }), good: scripted() }, serverUser: user });
    try {
      await g.core.servers.discover();
      const names = g.core.registry.tools({ sources: ['mcp'] }).map((tool) => tool.modelName);
      assert.deepEqual(names.filter((name) => name === 's_fine').length, 1);
      assert.ok(
        names.every((name) => /^[\w.-]+$/.test(name)),
        names.join(),
      );
      // Nothing of a name reaches the person's screen as it is.
      assert.ok(!/[\u0000-\u0009\u000b-\u001f]/.test(asked.flatMap((one) => one.tools).join('')));
      const problems = g.core
        .problems()
        .map((one) => one.message)
        .join('\n');
      for (const part of [/`fine` is listed twice/, /no usable name/, /not an object/]) assert.match(problems, part);
      const since = performance.now();
      for (const name of names.filter((one) => one.startsWith('s_')))
        for (const input of [{ text: `${'a'.repeat(40)}!` }, { a: 1 }, { next: { next: { text: 'x' } } }]) await g.call(name, input);
      assert.ok(performance.now() - since < 15_000, 'a schema or a pattern took too long');
      assert.equal(outcome(await g.call('good_echo', { text: 'fine' })), 'fine');
    } finally {
      await g.close();
    }
  });

  it('drops what comes after a cancelled call, and tells the server that it was cancelled', async () => {
    const files = await gateway();
    const calls = path.join(files.folder, 'calls');
    const g = await gateway({ servers: { s: scripted({ tools: named('late', 'echo'), calls }) }, serverUser: scriptedUser().user });
    try {
      await g.core.servers.discover();
      const stop = new AbortController();
      const late = g.call('s_late', {}, { signal: stop.signal });
      await until(() => existsSync(calls));
      stop.abort();
      assert.equal(outcome(await late), 'cancelled');
      await until(() => readFileSync(calls, 'utf8').includes('cancelled'));
      // Its late answer comes while other calls are made, and reaches none of them.
      const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => g.call('s_echo', { text: `${index}` })));
      await new Promise((resolve) => setTimeout(resolve, 800));
      assert.deepEqual(
        answers.map(outcome),
        Array.from({ length: 8 }, (_, index) => `${index}`),
      );
      assert.equal(outcome(await g.call('s_late')), 'late', 'the same tool answers its next call with its own answer');
    } finally {
      await g.close();
      await files.close();
    }
  });

  it('leaves out a schema of 1,000 levels and says so; the other tools stay', async () => {
    for (const deepSchema of [1000, 30_000]) {
      const g = await gateway({ servers: { s: scripted({ deepSchema }), good: scripted() }, serverUser: scriptedUser().user });
      try {
        await g.core.servers.discover();
        if (deepSchema === 1000) assert.equal(outcome(await g.call('s_echo', { text: 'x' })), 'x');
        assert.equal(outcome(await g.call('good_echo', { text: 'y' })), 'y');
        assert.match(
          g.core
            .problems()
            .map((one) => one.message)
            .join('\n'),
          /nested/,
        );
      } finally {
        await g.close();
      }
    }
  });

  it('shows invisible characters in names and descriptions, to the person who approves and to the model', async () => {
    const tools = [{ name: 'pa\u200By', description: 'Reads\u202E all', inputSchema: schema }];
    const { user, asked } = scriptedUser();
    const g = await gateway({ servers: { s: scripted({ tools }) }, serverUser: user });
    try {
      await g.core.servers.discover();
      const [tool] = g.core.registry.tools({ sources: ['mcp'] });
      assert.match(tool?.definition.modelDescription ?? '', /Reads⟨U\+202E⟩ all/);
      assert.match(tool?.modelName ?? '', /^s_pa_y_[a-z0-9]{7}$/);
      assert.match(asked[0]?.tools[0] ?? '', /^pa⟨U\+200B⟩y/);
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
      await g.core.servers.discover();
      assert.deepEqual(
        g.core.servers.list().map((one) => [one.name, one.state]),
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
        /`dead` failed: spawn .*ENOENT/,
      );
      assert.equal(outcome(await g.call('good_echo', { text: 'x' })), 'x');
    } finally {
      await g.close();
    }
  });

  it('gives a server the environment that its entry names, secrets filled in, and nothing else of ours', async () => {
    const entry = (value: string) => scripted({ tools: named('env') }, { env: { KEY: value, PLAIN: 'p', WHERE: '${workspaceFolder}' } });
    const g = await gateway({
      servers: { s: entry('${secret:api}'), broken: entry('${secret:missing}') },
      serverUser: scriptedUser().user,
      environment: { AGENT_CAPABILITIES_SECRET_API: 's3cret', OTHER: 'no', HOME: '/home/x' },
    });
    try {
      await g.core.servers.discover();
      const env = JSON.parse(outcome(await g.call('s_env'))) as Record<string, string>;
      assert.deepEqual(
        [env['KEY'], env['PLAIN'], env['WHERE'], env['OTHER'], env['HOME']],
        ['s3cret', 'p', g.folder, undefined, '/home/x'],
      );
      assert.equal(env['cwd'], g.folder);
      assert.equal(g.state('broken'), 'failed');
      assert.match(g.core.servers.list().find((one) => one.name === 'broken')?.detail ?? '', /secret `missing` is not set/);
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
      await g.core.servers.discover();
      const state = g.state('s');
      await g.close();
      return state;
    };
    assert.equal(await open(scripted(), false), 'unapproved');
    assert.equal(await open(scripted(), true), 'running');
    assert.equal(await open(scripted(), false), 'stopped', 'approved before');
    assert.equal(await open(scripted({ greet: true }), false), 'unapproved', 'another content');
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
      await g.core.servers.discover();
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
      assert.match(g.core.servers.log('s').join('\n'), /hello, this is no JSON/);
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
    const g = await gateway({ servers: { s: scripted({ tools: named('ask', 'askThenHang') }, { timeoutMs }) }, serverUser: user });
    try {
      await g.core.servers.discover();
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
      await g.core.servers.discover();
      const uri = pathToFileURL(g.folder).href;
      assert.deepEqual(JSON.parse(outcome(await g.call('told_roots'))), { roots: [{ name: path.basename(g.folder), uri }] });
      assert.match(outcome(await g.call('kept_roots')), /"code":-32601/);
      assert.match(g.core.servers.log('told').join('\n'), new RegExp(`was told the folders: ${uri}`));
      g.core.servers.foldersChanged();
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
    assert.deepEqual([roots(true), roots(false)], [[{ name: 'here', uri: 'file:///here' }], []], 'of this machine, where it is trusted');
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
    await first.core.servers.discover();
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
    await third.core.servers.forget('s');
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
    await g.core.servers.discover();
    const pids = readFileSync(child, 'utf8').trim().split('\n').map(Number);
    assert.equal(pids.length, 2);
    assert.ok(pids.every(isAlive));
    await g.close();
    await until(() => !pids.some(isAlive));
    await files.close();
  });
});
