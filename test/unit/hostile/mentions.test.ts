import { strict as assert } from 'node:assert';
import { cases } from '../../support/counts';
import { type ForeignJudge, foreignJudge } from '../../support/foreignCall';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';

/** What people write into an issue, a message or a page: nothing in it is contacted by who stores it. */
const written: readonly string[] = [
  'Start the dev server and open http://localhost:3000 in the browser.',
  'Steps:\n1. `npm start`\n2. open http://localhost:3000/login\n3. it crashes',
  'http://localhost:3000 is down since the last release',
  'The API at http://127.0.0.1:8080/api/v1 answers 500',
  '```sh\ncurl -X POST http://localhost:4000/graphql -d \'{"query":"{a}"}\'\n```',
  '```ts\nconst url = "http://localhost:3000/api";\nawait fetch(url);\n```',
  'connect to redis://localhost:6379 and postgres://user:pw@localhost:5432/db',
  'curl http://127.0.0.1:8080/health',
  'Bump from 1.2.3 to 10.0.0.1-rc.1, and/or 10.2.1.0 → 10.2.2.0; TCP/IP, I/O, n/a',
  'regex: ^https?://(?:localhost|127\\.0\\.0\\.1)(?::\\d+)?/.*$',
  'rm -rf /tmp/x && cat ~/.bashrc | grep foo > /dev/null 2>&1',
  'mail someone@example.com or admin@localhost about it',
  'C:\\Users\\me\\AppData\\Local\\Temp\\x.log is locked',
  '| a | b |\n|---|---|\n| 1/2 | http://localhost:3000 |\n| `C:\\Users` | 10.0.0.1 |',
  'aGVsbG8gd29ybGQvZm9vKysrPT0=',
  'The container listens on 0.0.0.0:8080, so it is reachable from 192.168.1.10',
  'Add `127.0.0.1 myapp.local` to /etc/hosts',
  'Error: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1607:16)',
  'listen tcp [::]:8080: bind: address already in use, and ::1:5432 too',
  'see [the local docs](http://localhost:8000/docs) and <http://localhost:8000>',
  'CORS: allow the origins `http://localhost:*`, `https://*.example.com`',
  'https://${HOST}:${PORT}/path and http://<your-host>/x and http://{host}/y',
  'services:\n  web:\n    ports: ["127.0.0.1:3000:3000"]\n    environment:\n      API: http://localhost:8080/v1\n',
  'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-const a = "http://localhost:3000";\n+const a = process.env.URL;',
  '<p>open <a href="http://localhost:3000">the app</a></p>',
  'https://example.com/?redirect=http://localhost:3000/cb is the OAuth callback',
  "SELECT * FROM a.b WHERE url LIKE 'http://localhost%'",
  'Das geht mit http://localhost:3000/ und/oder über https://bücher.example/',
  'The `.env` file: copy .env.example to .env and fill in the token',
];

/** A whole value that is a place or several, however it is wrapped, and what a shell would run. */
const strict: readonly unknown[] = [
  { body: 'http://127.0.0.1/' },
  { body: ' \n<http://127.0.0.1/>\t' },
  { body: '"http:///127.0.0.1/"' },
  { text: 'http:127.0.0.1' },
  { text: 'http://12\t7.0.0.1/' },
  { comment: '`http://localhost:3000`' },
  { message: 'http%3A%2F%2F127.0.0.1%2F' },
  { message: 'view-source:http://127.0.0.1/' },
  { body: 'https://example.com/ http://127.0.0.1/' },
  { body: 'https://example.com/,\nhttp://127.0.0.1/' },
  { body: '- https://example.com/\n- http://127.0.0.1/' },
  { body: '{"url":"http://127.0.0.1/"}' },
  { body: '["http://127.0.0.1/"]' },
  { text: '{"request":{"target":"{\\"url\\":\\"http:127.1\\"}"}}' },
  { url: 'see http://127.0.0.1/ for more words than four' },
  { server: 'http://127.0.0.1/ and what else stands there' },
  { address: '::1' },
  { host: '::1' },
  { host: 'fe80::1%eth0' },
  { host: '::ffff:7f00:1' },
  { x: 'curl http://127.0.0.1/ and then some more words' },
  { x: 'mytool --to http://127.0.0.1/ in some more words' },
  { x: 'http://127.0.0.1/ in some more words' },
  { x: 'go to http://127.0.0.1/' },
  { ip: 2130706433 },
  { address: 2852039166 },
  { connectionString: 'Server=127.0.0.1;Database=my db;User Id=some one' },
  { connection_string: 'host=127.0.0.1 port=5432 dbname=x user=y' },
  { dsn: 'user:pw@tcp(127.0.0.1:3306)/db' },
  { url: 'jar:http://127.0.0.1!/x' },
  { env: { HTTP_PROXY: 'http://127.0.0.1:1' } },
  { options: { proxy: { host: 'localhost' } } },
  { bootstrap: '127.0.0.1:9092,127.0.0.1:9093' },
  { command: 'please have a look at http://127.0.0.1/ soon' },
  { code: 'const answer = await fetch("http://127.0.0.1/");' },
  { args: ['-s', 'http://127.0.0.1/'] },
  { 'http://127.0.0.1/': true },
  { options: { deep: [{ er: 'http://127.0.0.1/' }] } },
  { path: 'notes.md', body: 'http://127.0.0.1/' },
];

const evil = [{ id: 'no-evil', match: { host: 'evil.example' }, decision: 'deny', reason: 'evil' }];
const storing = [
  'create_issue',
  'add_issue_comment',
  'create_pull_request',
  'sendMessage',
  'append_block_children',
  'web_search',
];
const fetching = [
  'fetch',
  'web_fetch',
  'browserNavigate',
  'firecrawl_extract',
  'http_request',
  'download-file',
  'scrape',
  'curl',
];

describe('what a text only mentions', () => {
  let workspace: TestWorkspace;
  const judges = new Map<string, ForeignJudge>();
  const effectOf = async (tool: string, input: unknown, rules: unknown = evil): Promise<string> => {
    const key = `${tool} ${JSON.stringify(rules)}`;
    const judge = judges.get(key) ?? foreignJudge({ files: workspace.files, rules, tool, cwd: workspace.root });
    judges.set(key, judge);
    return (await judge(input)).effect;
  };
  before(() => {
    workspace = makeWorkspace();
  });
  after(() => workspace.dispose());

  for (const text of written)
    it(`S1.policy: no preset denies ${JSON.stringify(text).slice(0, 70)}`, async () => {
      for (const [index, name] of ['body', 'text', 'comment', 'message', 'prompt', 'query'].entries())
        assert.equal(
          await effectOf(storing[index] ?? 'create_issue', { owner: 'someone', repo: 'demo', [name]: text }),
          'pass',
          name,
        );
    });

  for (const input of strict)
    it(`S1.policy S4.boundaries: a private address is not reached by ${JSON.stringify(input).slice(0, 70)}, whatever the tool is called`, async () => {
      for (const tool of ['create_issue', 'anything', ...cases(fetching, 1)])
        assert.equal(await effectOf(tool, input), 'deny', tool);
    });

  for (const tool of fetching)
    it(`S1.policy S3.web-fetch: ${tool} goes where a text says, so a mention counts`, async () => {
      for (const name of ['body', 'text', 'prompt', 'x'])
        assert.equal(
          await effectOf(tool, { [name]: 'Please have a look at http://127.0.0.1/admin and tell me more.' }),
          'deny',
          name,
        );
    });

  it('S1.policy S4.boundaries: a mention counts for rules that a person wrote, and for metadata services', async () => {
    const rules = [...evil, { id: 'no-private', match: { privateHost: true }, decision: 'deny' }];
    assert.equal(await effectOf('create_issue', { body: 'Open http://localhost:3000 in the browser.' }, rules), 'deny');
    for (const host of [
      'evil.example',
      '169.254.169.254',
      'metadata.google.internal',
      '[fd00:ec2::254]',
      '0xa9fea9fe',
      '[::ffff:a9fe:a9fe]',
    ])
      for (const name of ['body', 'prompt', 'x'])
        assert.equal(
          await effectOf('create_issue', { [name]: `Have a look at http://${host}/latest, and tell.` }),
          'deny',
          host,
        );
  });

  it('S1.policy: the JSON that a file is to hold leads nowhere when it is written', async () => {
    const content = '{"scripts":{"dev":"vite --host 0.0.0.0"},"proxy":"http://localhost:8080"}';
    assert.equal(await effectOf('create_or_update_file', { path: 'package.json', content }), 'pass');
    assert.equal(await effectOf('push_files', { files: [{ path: 'a/launch.json', content }] }), 'pass');
    assert.equal(
      await effectOf('create_or_update_file', {
        path: 'package.json',
        content: content.replace('localhost', 'evil.example'),
      }),
      'deny',
    );
    assert.equal(await effectOf('fetch', { path: 'package.json', content }), 'deny');
    assert.equal(await effectOf('anything', { payload: content }), 'deny');
  });

  it('S1.policy: a place that is mentioned and meant counts as meant', async () => {
    assert.equal(
      await effectOf('create_issue', { body: 'It is at http://127.0.0.1/ here.', link: 'http://127.0.0.1/' }),
      'deny',
    );
    assert.equal(
      await effectOf('create_issue', { link: 'http://127.0.0.1/', body: 'It is at http://127.0.0.1/ here.' }),
      'deny',
    );
    const content = '{"url":"http://127.0.0.1/"}';
    assert.equal(await effectOf('create_issue', { file: { path: 'a', content }, data: { content } }), 'deny');
  });

  it('S1.policy: the path of a URL is no file of this machine, and a URL from which one goes up is', async () => {
    for (const url of ['https://example.com/.env.example', 'https://example.com/a/server.key', 'https://a.key'])
      for (const name of ['url', 'x', 'body', 'link'])
        assert.equal(await effectOf('fetch', { [name]: url }), 'pass', `${name} ${url}`);
    for (const path of [
      'https://../../.env',
      'https://x/../../.env',
      'https://x/%2e%2e/../.env',
      'https:\\\\..\\..\\.env',
    ])
      assert.equal(await effectOf('read', { path }), 'deny', path);
  });

  it('S1.policy: an IPv6 address without brackets is an address, and what only looks like one is not', async () => {
    for (const host of ['2001:4860:4860::8888', '2606:4700:4700::1111'])
      for (const name of ['host', 'url', 'address', 'x'])
        assert.equal(await effectOf('connect', { [name]: host }), 'pass', `${name} ${host}`);
    const rules = [{ id: 'no-six', match: { host: '2606:4700::1' }, decision: 'deny' }];
    for (const host of [
      '2606:4700::1',
      '2606:4700::1:443',
      '2606:4700:0:0:0:0:0:1',
      '[2606:4700::1]:443',
      '2606:4700::1/x',
    ])
      for (const name of ['host', 'address'])
        assert.equal(await effectOf('connect', { [name]: host }, rules), 'deny', `${name} ${host}`);
    for (const text of ['::', '::add', 'std::vector', '12:30:45', '00:11:22:33:44:55', '::before', 'Foo::Bar'])
      for (const name of ['x', 'symbol', 'query', 'body'])
        assert.equal(await effectOf('anything', { [name]: text }), 'pass', `${name} ${text}`);
  });
});
