// @tier full: starts programs
import { plainWords } from '../../../../src/core/base/translate';
import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cases } from '../../../support/counts';
import { gateway, named, outcome, schema, scripted, scriptedUser, until } from '../../../support/mcp/harness';

describe('MCP servers that do harm', () => {
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
  for (const [fault, expected] of cases(Object.entries(faults), 4))
    it(`a server with the fault \`${fault}\` gives one typed answer; the next call and the other server work`, async () => {
      // A busy machine may take long over what is answered; only what never is has to end in time.
      const timeoutMs = expected.source.includes('timeout') ? 1500 : 15_000;
      const g = await gateway({
        servers: { bad: scripted({ tools: named(fault, 'echo') }, { timeoutMs }), good: scripted() },
        serverUser: scriptedUser().user,
      });
      try {
        await g.core.servers.list.discover();
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

  it('an answer that the protocol layer would drop is refused at once, whichever way it is odd', async () => {
    const odd = ['noVersion', 'moreKeys', 'bothAtOnce', 'oddMeta', 'oddCode', 'oddInBatch', 'deepInBatch'];
    const g = await gateway({
      servers: { bad: scripted({ tools: named(...odd, 'echo') }, { timeoutMs: 2000 }) },
      serverUser: scriptedUser().user,
    });
    try {
      await g.core.servers.list.discover();
      const answers = await Promise.all(odd.map(async (fault) => [fault, outcome(await g.call(`bad_${fault}`))]));
      assert.deepEqual(
        answers,
        odd.map((fault) => [fault, 'mcp_error']),
      );
      assert.equal(outcome(await g.call('bad_echo', { text: 'again' })), 'again');
    } finally {
      await g.close();
    }
  });

  for (const storm of cases(
    ['hang', 'longLine', 'endlessGarbage', 'endlessProgress', 'listStorm', 'logStorm', 'askStorm'],
    2,
  ))
    it(`another server's calls go on while one does \`${storm}\` without end, and that call ends with a typed error`, async () => {
      const g = await gateway({
        servers: { bad: scripted({ tools: named(storm, 'echo') }, { timeoutMs: 2500 }), good: scripted() },
        serverUser: scriptedUser().user,
      });
      try {
        await g.core.servers.list.discover();
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
      void g.core.servers.list.discover();
      await until(() => g.core.tools.registry.tool('good_echo') !== undefined);
      assert.equal(outcome(await g.call('good_echo', { text: 'fine' })), 'fine');
      assert.equal(g.state('silent'), 'starting');
    } finally {
      await g.close();
    }
  });

  it('bounds a list of 50 MB, which fails its own server alone', async () => {
    const g = await gateway({
      servers: { s: scripted({ hugeList: true }), good: scripted() },
      serverUser: scriptedUser().user,
    });
    try {
      await g.core.servers.list.discover();
      assert.equal(g.state('s'), 'failed');
      assert.deepEqual(
        g.core.tools.registry
          .tools()
          .filter(({ source }) => source.type === 'mcp')
          .map((tool) => tool.id),
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
        inputSchema: object(
          { a: { $ref: '#/$defs/a' } },
          { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
        ),
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
      await g.core.servers.list.discover();
      const names = g.core.tools.registry
        .tools()
        .filter(({ source }) => source.type === 'mcp')
        .map((tool) => tool.modelName);
      assert.deepEqual(names.filter((name) => name === 's_fine').length, 1);
      assert.ok(
        names.every((name) => /^[\w.-]+$/.test(name)),
        names.join(),
      );
      // Nothing of a name reaches the person's screen as it is.
      assert.ok(!/[\u0000-\u0009\u000b-\u001f]/.test(asked.flatMap((one) => one.lines(plainWords)).join('')));
      const problems = g.core
        .problems()
        .map((one) => one.message)
        .join('\n');
      for (const part of [/`fine` is listed twice/, /no usable name/, /not an object/]) assert.match(problems, part);
      const since = performance.now();
      for (const name of names.filter((one) => one.startsWith('s_')))
        for (const input of [{ text: `${'a'.repeat(40)}!` }, { a: 1 }, { next: { next: { text: 'x' } } }])
          await g.call(name, input);
      assert.ok(performance.now() - since < 15_000, 'a schema or a pattern took too long');
      assert.equal(outcome(await g.call('good_echo', { text: 'fine' })), 'fine');
    } finally {
      await g.close();
    }
  });

  it('drops what comes after a cancelled call, and tells the server that it was cancelled', async () => {
    const files = await gateway();
    const calls = path.join(files.folder, 'calls');
    const g = await gateway({
      servers: { s: scripted({ tools: named('late', 'echo'), calls }) },
      serverUser: scriptedUser().user,
    });
    try {
      await g.core.servers.list.discover();
      const stop = new AbortController();
      const late = g.call('s_late', {}, { signal: stop.signal });
      await until(() => existsSync(calls));
      stop.abort();
      assert.equal(outcome(await late), 'cancelled');
      await until(() => readFileSync(calls, 'utf8').includes('cancelled'));
      // Its late answer comes while other calls are made, and reaches none of them.
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => g.call('s_echo', { text: `${index}` })),
      );
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
      const g = await gateway({
        servers: { s: scripted({ deepSchema }), good: scripted() },
        serverUser: scriptedUser().user,
      });
      try {
        await g.core.servers.list.discover();
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
      await g.core.servers.list.discover();
      const [tool] = g.core.tools.registry.tools().filter(({ source }) => source.type === 'mcp');
      assert.match(tool?.definition.modelDescription ?? '', /Reads⟨U\+202E⟩ all/);
      assert.match(tool?.modelName ?? '', /^s_pa_y_[a-z0-9]{7}$/);
      assert.match(asked[0]?.lines(plainWords)[0] ?? '', /^pa⟨U\+200B⟩y/);
    } finally {
      await g.close();
    }
  });

  it('reads no resource behind a denied address, however it is spelled; addresses of its own stay readable', async () => {
    const g = await gateway({
      servers: { s: scripted({ resources: true }) },
      serverUser: scriptedUser().user,
      files: { '.env': 'KEY=1' },
      set: { 'policy.preset': 'strict' },
    });
    try {
      await g.core.servers.list.discover();
      const W = g.folder;
      for (const uri of [
        ...[`file://${W}/.env`, `file:${W}/.env`, ` file://${W}/.env`, `FILE:///${W}/.env`, 'file:.env', '.env'],
        ...[`${W}/.env`, `${W}//.env`, `git+file://${W}/.env`, `vscode-remote:${W}/.env`],
        ...['http', 'https', 'ws', 'ftp', 'git+http'].map((scheme) => `${scheme}://169.254.169.254/x`),
        ...['db://169.254.169.254/x', 'db://a@169.254.169.254:80/x', 'db://[::1]/x'],
        ...['http:/169.254.169.254/x', 'http:169.254.169.254/x', '\thttp://169.254.169.254/x', 'http://0xa9fea9fe/x'],
      ])
        assert.equal(outcome(await g.call('s_read_resource', { uri })), 'denied_by_policy', uri);
      for (const uri of [
        'note://one',
        'db://public/users/schema',
        'urn:isbn:123',
        'memo:a',
        'test://static/resource/1',
        'users://123/profile',
        'ticket://1234',
        'screen://localhost',
        'postgres://localhost/db/users/schema',
        'db://metadata/x',
      ])
        assert.equal(outcome(await g.call('s_read_resource', { uri })), `the content of ${uri}`);
    } finally {
      await g.close();
    }
  });
});
