import { strict as assert } from 'node:assert';
import { symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { callAccesses } from '../../../src/core/gate/steps';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { presetBoundaries } from '../../../src/core/policy/rules/presets';
import { type DefinitionWorld, makeWorld } from '../../support/definitions';
import { cases } from '../../support/counts';
import { fakeCall } from '../../support/gateCall';
import { fakePorts } from '../../support/toolContext';
import { type ForeignJudge, foreignJudge } from '../../support/foreignCall';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';
import { workedMs } from '../../support/processorTime';

const evil = [{ id: 'no-evil', match: { host: 'evil.example' }, decision: 'deny', reason: 'evil' }];

/** Spellings that lead some receiver to `evil.example`, which a rule denies. */
const toEvil: readonly string[] = [
  'http://evil.example/',
  'HTTP://EVIL.EXAMPLE',
  'http://good.example\\@evil.example/',
  'http://evil.example\\@good.example/',
  'http:\\\\evil.example\\x',
  'https:evil.example/x',
  'https:/evil.example/x',
  'https:///evil.example/x',
  'https:\\evil.example',
  'http://user:password@evil.example/',
  'http://good.example@evil.example',
  'http://good.example:80@evil.example:80/',
  'http://good.example%2f@evil.example/',
  'ht\ntp://evil.example/',
  'http://evil.ex\tample/',
  'http://ev\r\nil.example/',
  '\u0000\u001f http://evil.example/',
  ' http://evil.example/ ',
  'http://evil.example./',
  'http://evil.example../',
  'http://evil%2eexample/',
  'http://%65%76%69%6c.example/',
  'http://ｅｖｉｌ.example/',
  'http://evil。example/',
  'http://evil．example/',
  'http://evil｡example/',
  'http://ev\u00adil.example/',
  'http://evil.example#@good.example/',
  'http://evil.example?@good.example/',
  'http://evil.example:80/',
  'http://evil.example:/x',
  'ws://evil.example/socket',
  'wss:evil.example',
  'ftp://evil.example/file',
  'ssh://git@evil.example/repository',
  'git+https://evil.example/repository.git',
  'redis://:secret@evil.example:6379/0',
  'mongodb://good.example:27017,evil.example:27017/db',
  'jdbc:postgresql://evil.example/db',
  'view-source:http://evil.example/',
  'http%3A%2F%2Fevil.example%2F',
  'https://good.example/?next=http://evil.example/',
  'https://good.example/?next=https%3A%2F%2Fevil.example%2F',
  'see http://evil.example/x, then go on',
  '[a link](http://evil.example/x)',
  '<img src="//evil.example/x.png">',
  "<a href='https:evil.example'>here</a>",
  'first https://good.example/ second https://evil.example/',
  'https://good.example,https://evil.example',
  '{"url":"http://evil.example/"}',
  '[["http:\\/\\/evil.example\\/"]]',
  '"http:\\u002f\\u002fevil.example"',
  '{"inner":"{\\"url\\":\\"https:evil.example\\"}"}',
];

/** Spellings of which every receiver that reads them at all is led to a private, loopback or metadata address. */
const toPrivate: readonly string[] = [
  'http://127.0.0.1/',
  'http:///127.0.0.1/',
  'http:127.0.0.1',
  'http:\\\\127.0.0.1\\',
  'http://127.1/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://2130706433/',
  'http://017700000001/',
  'http://0/',
  'http://127.0.0.1./',
  'http://127%2e0%2e0%2e1/',
  'http://１２７.0.0.1/',
  'http://127。0。0。1/',
  'http://①②⑦.⓪.⓪.①/',
  'http://12\t7.0.0.1/',
  'http://good.example@127.0.0.1/',
  'http://good.example\\@127.0.0.1/',
  'http://127.0.0.1\\@good.example/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://a.localhost/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::a9fe:a9fe]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[fe80::1%25eth0]/',
  'http://[fd00:ec2::254]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0251.0376.0251.0376/',
  'http://metadata.google.internal./computeMetadata/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://10.0.0.1:8080/',
  'http://192.168.1.1/',
  'http://127.0.0.1:80\\@good.example/',
];

/** Hosts without a scheme, for arguments that want one. */
const bareHosts = [
  'evil.example',
  'evil.example/x',
  'evil.example:8080',
  'EVIL.example.',
  'evil。example',
  'evil%2eexample',
  'user@evil.example',
  'good.example\\@evil.example',
  '//evil.example/x',
  '\\\\evil.example\\x',
  '/\\evil.example',
  '/\t/evil.example',
];

describe('the arguments of a foreign tool, read as its receiver reads them', () => {
  let workspace: TestWorkspace;
  let judge: ForeignJudge;
  before(() => {
    workspace = makeWorkspace();
    judge = foreignJudge({ files: workspace.files, rules: evil });
  });
  after(() => workspace.dispose());

  const denies = async (input: unknown, by = judge): Promise<void> => {
    const verdict = await by(input);
    assert.equal(verdict.effect, 'deny', JSON.stringify(input));
    assert.notEqual(verdict.reason, '');
  };

  for (const text of toEvil)
    it(`S1.policy S4.boundaries: a denied host is not reached by ${JSON.stringify(text)}`, async () => {
      await denies({ url: text });
      await denies({ x: text });
      await denies({ a: [{ b: { c: text } }] });
      await denies({ body: `${text}` });
      await denies({ value: JSON.stringify({ deep: [text] }) });
      await denies({ [text]: 1 });
    });

  for (const text of toPrivate)
    it(`S1.policy S3.web-fetch: a private address is not reached by ${JSON.stringify(text)}`, async () => {
      for (const input of [{ url: text }, { x: text }, { options: { list: [text] } }, { text }, { path: text }])
        await denies(input);
    });

  for (const host of bareHosts)
    it(`S1.policy: a denied host is not reached by ${JSON.stringify(host)} where a host is wanted`, async () => {
      for (const name of ['url', 'host', 'endpoint', 'server', 'x']) await denies({ [name]: host });
      const schema = { type: 'object', properties: { place: { type: 'string', format: 'uri' } } };
      await denies({ place: host }, foreignJudge({ files: workspace.files, rules: evil, schema }));
    });
});

const noSecret = [
  { id: 'no-secret', match: { path: 'secret/**' }, decision: 'deny', reason: 'secret' },
  { id: 'no-ssh', match: { path: '**/.ssh/**' }, decision: 'deny', reason: 'keys' },
];

/**
 * Spellings that lead a receiver to `secret/key.txt` of the workspace, which a rule denies. `<root>` and `<base>` are
 * its folders.
 */
const toSecret: readonly string[] = [
  'secret/key.txt',
  './secret/key.txt',
  'secret//key.txt',
  'src/../secret/key.txt',
  'missing/../secret/key.txt',
  '<root>/secret/key.txt',
  '<root>/./src/../secret/key.txt',
  '/proc/self/cwd/secret/key.txt',
  '/proc/self/../self/cwd/secret/key.txt',
  '/proc/thread-self/cwd/secret/key.txt',
  '/proc/self/task/1/cwd/secret/key.txt',
  '/proc/1/cwd/secret/key.txt',
  '/proc/self/root<root>/secret/key.txt',
  '/proc/self/root/proc/self/cwd/secret/key.txt',
  '//proc/self/cwd//secret/key.txt',
  '<base>/outside/link',
  '<base>/outside/folder/key.txt',
  '<base>/outside/cwd/secret/key.txt',
  '<base>/outside/folder/../secret/key.txt',
  '<base>/outside/../root/secret/key.txt',
  'inner',
  'sub/up/secret/key.txt',
  'file:secret/key.txt',
  'file:<root>/secret/key.txt',
  'file:/<root>/secret/key.txt',
  'file://<root>/secret/key.txt',
  'FILE:///<root>/secret/key.txt',
  'file://localhost<root>/secret/key.txt',
  'file://127.0.0.1<root>/secret/key.txt',
  'file://anything.example<root>/secret/key.txt',
  'file:\\\\<root>\\secret\\key.txt',
  'fi\tle://<root>/secret/key.txt',
  ' file://<root>/secret/key.txt',
  'file://<root>/%73ecret/key.txt',
  'file://<root>/secret%2fkey.txt',
  'file://<root>/src/%2e%2e/secret/key.txt',
  'file://<root>/secret/key.txt?x#y',
  'file:///proc/self/cwd/secret/key.txt',
  'file://secret/key.txt',
  'view-source:file://<root>/secret/key.txt',
  'secret%2Fkey.txt',
  '%73ecret/key.txt',
  '%2573ecret/key.txt',
  'SECRET/KEY.TXT',
  'secret./key.txt',
  'secret /key.txt',
  'secret\\key.txt',
  '.\\secret\\key.txt',
  ' secret/key.txt',
  'secret/key.txt\n',
  '\tsecret/key.txt',
  'secret/key.txt::$DATA',
  'secret/key.txt\0.png',
  '$PWD/secret/key.txt',
  '${PWD}/secret/key.txt',
  '${workspaceFolder}/secret/key.txt',
  'src/a.ts,secret/key.txt',
  'src/a.ts\nsecret/key.txt',
  'se\u200ccret/key.txt',
  '{"path":"secret/key.txt"}',
];

/** What nobody else can resolve is refused where a path is wanted. */
const unreadablePaths = [
  '/dev/fd/3',
  '/proc/self/fd/3',
  '/proc/1/fd/0',
  '/dev/../dev/fd/3',
  'file:///dev/fd/3',
  'src/a.ts\0',
  'loop',
];

describe('the paths in the arguments of a foreign tool, read as the disk reads them', () => {
  let workspace: TestWorkspace;
  let judge: ForeignJudge;
  before(() => {
    workspace = makeWorkspace();
    workspace.put({ 'secret/key.txt': 'x', 'src/a.ts': 'x', 'sub/': '' });
    symlinkSync(workspace.at('secret/key.txt'), path.join(workspace.outside, 'link'));
    symlinkSync(workspace.at('secret'), path.join(workspace.outside, 'folder'));
    symlinkSync('/proc/self/cwd', path.join(workspace.outside, 'cwd'));
    symlinkSync('secret/key.txt', workspace.at('inner'));
    symlinkSync('..', workspace.at('sub/up'));
    symlinkSync('loop', workspace.at('loop'));
    judge = foreignJudge({ files: workspace.files, rules: noSecret, cwd: workspace.root });
  });
  after(() => workspace.dispose());

  const spelled = (text: string): string =>
    text.replaceAll('<root>', workspace.root).replaceAll('<base>', workspace.base);
  const effectOf = async (input: unknown): Promise<string> => (await judge(input)).effect;

  for (const text of toSecret)
    it(`S3.file-system S4.boundaries: a denied file is not reached by ${JSON.stringify(text)}`, async () => {
      const place = spelled(text);
      for (const input of [
        { path: place },
        { x: place },
        { uri: place },
        { files: [place] },
        { options: JSON.stringify([place]) },
      ])
        assert.equal(await effectOf(input), 'deny', JSON.stringify(input));
    });

  for (const text of [
    '~/.ssh/id_rsa',
    '$HOME/.ssh/id_rsa',
    '${env:HOME}/.ssh/id_rsa',
    '%USERPROFILE%/.ssh/id_rsa',
    '~other/.ssh/id_rsa',
  ])
    it(`S3.file-system: a denied file of the home folder is not reached by ${text}`, async () => {
      for (const input of [{ path: text }, { x: text }])
        assert.equal(await effectOf(input), 'deny', JSON.stringify(input));
    });

  it('S3.file-system: the home folder is told apart by where it is', async () => {
    const byPlace = foreignJudge({
      files: workspace.files,
      rules: [{ id: 'home', match: { path: `${homedir()}/**` }, decision: 'deny', reason: 'home' }],
    });
    for (const place of ['~/notes.txt', '$HOME/notes.txt', 'file:///proc/self/root' + homedir() + '/notes.txt'])
      assert.equal((await byPlace({ path: place })).effect, 'deny', place);
  });

  for (const text of unreadablePaths)
    it(`S3.file-system: ${JSON.stringify(text)} cannot be judged, and is refused with a reason`, async () => {
      const verdict = await judge({ path: text });
      assert.equal(verdict.effect, 'deny', text);
      assert.match(verdict.reason, /\S/);
    });

  for (const line of [
    'cat secret/key.txt',
    'tar c ./secret | gzip',
    'x --file=secret/key.txt',
    'cp src/a.ts <root>/secret/key.txt',
    'cat inner',
  ])
    it(`S3.file-system: a denied file is found in the command line ${line}`, async () => {
      assert.equal(await effectOf({ command: spelled(line) }), 'deny');
    });
});

/** Arguments that honest callers send, under the user's default rules and an address and a folder that are denied. */
const honest: readonly unknown[] = [
  { message: 'Fix and/or in the docs, e.g. 1/2 of the cases; see §3.4' },
  { message: 'feat(core): load settings from .env.local instead of config/.env' },
  { content: "import secrets from './secrets.json';\nconst x = a / b; // see ../x\nif (a::b) {}" },
  { body: 'Put your key into ~/.aws/credentials and run `npm run dev`. Version 10.2.1.0, at 12:30:45.' },
  { content: '# Title\n\n[docs](https://example.com/docs) and https://example.org, or http://example.net.' },
  { text: 'https://example.com/a (see there), "https://example.org/b".' },
  { query: 'where is std::vector<int> used? key: value; a=b' },
  { version: '10.2', ratio: '1/2', date: '2026-11-22', time: '12:30', range: '1-5', tag: 'v1.2.3' },
  { package: 'node.js', name: 'index.html', id: 'a.b.c', sql: 'select a.b from c where d = 1/2' },
  { title: 'note: this is https', pattern: '^https?://', regex: '(?:a|b)/c' },
  { language: 'c++', separator: '::', comment: '// TODO', flags: ['--x=1', '-y'] },
  { path: 'src/a.ts' },
  { url: 'https://example.com/x?y=1#z' },
  { uri: 'memo://insights' },
  { uri: 'urn:isbn:123' },
  { url: '/relative/path' },
  { host: 'example.com', port: 443 },
  { address: '10 Downing Street, London', server: 'main' },
  { command: 'npm run build && node dist/cli.js --help 2>/dev/null' },
  { code: 'const url = `https://${host}/x`; fetch("https://<your-host>/")' },
  { email: 'someone@example.com', link: 'mailto:someone@example.com' },
  { data: 'data:image/png;base64,iVBORw0KGgo=' },
  { json: '{"a":[1,2,{"b":"c/d"}]}', payload: { 'a/b': 1, 'c.d': 2 } },
  { repository: 'git@example.com:owner/name.git' },
  { price: '$HOME is 5', note: 'either//or' },
  { jql: 'project = X AND created >= -7d', cron: '*/5 * * * *' },
  { emoji: '🙂/🙃', german: 'Straße/Weg', thought: 'Hm: maybe http is better' },
];

describe('the honest arguments of a foreign tool', () => {
  let workspace: TestWorkspace;
  before(() => {
    workspace = makeWorkspace();
    workspace.put({ 'src/a.ts': 'x' });
  });
  after(() => workspace.dispose());

  for (const input of honest)
    it(`S1.policy: ${JSON.stringify(input).slice(0, 80)} is neither denied nor asked about`, async () => {
      const rules = [
        ...evil,
        ...noSecret,
        { id: 'only-here', match: { host: '*', hostNot: ['*.com', 'example.*', 'insights', 'urn'] }, decision: 'deny' },
      ];
      const verdict = await foreignJudge({ files: workspace.files, rules, preset: 'open' })(input);
      assert.equal(verdict.effect, 'pass', verdict.reason);
      const balanced = await foreignJudge({ files: workspace.files })(input);
      assert.equal(balanced.effect, 'pass', balanced.reason);
    });

  it('S1.policy: a host in free text asks nothing where every new host is asked about, and one where a URL is wanted does', async () => {
    const strict = foreignJudge({ files: workspace.files, preset: 'strict' });
    assert.deepEqual((await strict({ body: 'see https://example.com/' })).resources, []);
    assert.equal((await strict({ body: 'see https://example.com/', notes: 'or example.org:8080/x' })).effect, 'pass');
    assert.equal((await strict({ url: 'https://example.com/' })).effect, 'ask');
  });

  it('S1.policy: a megabyte of text is judged in a moment, whatever it holds', async () => {
    const judge = foreignJudge({ files: workspace.files, rules: evil });
    const texts = [
      'x'.repeat(1_000_000),
      'a/b '.repeat(250_000),
      ':'.repeat(1_000_000),
      'http:'.repeat(200_000),
      '/'.repeat(1_000_000),
    ];
    texts.push(
      'https://example.com/a '.repeat(45_000),
      '%68'.repeat(330_000),
      'a.b:'.repeat(250_000),
      '[{"'.repeat(330_000),
    );
    for (const text of cases(texts, 1)) {
      const started = workedMs();
      await judge({ content: text });
      await judge({ x: text });
      const took = workedMs() - started;
      assert.ok(took < 3000, `${text.slice(0, 10)}: ${took} ms`);
    }
    assert.equal((await judge({ content: `${'word '.repeat(200_000)} https://evil.example/` })).effect, 'deny');
    assert.equal((await judge({ x: `${'word '.repeat(200_000)} https:evil.example` })).effect, 'deny');
  });
});

describe('the arguments of a definition, read as who gets them reads them', () => {
  const echo = { version: '1.0.0', name: 'Echo', description: 'echoes', category: 'X', status: 'available' };
  const world = async (): Promise<DefinitionWorld> => {
    const made = makeWorld();
    await made.define({
      'echo.capability.json': {
        id: 'echo',
        ...echo,
        tools: [
          {
            name: 'run_echo',
            modelDescription: 'Run echo.',
            inputSchema: { type: 'object', properties: { text: { type: 'string' }, place: { type: 'string' } } },
            sideEffects: ['system.exec'],
            riskLevel: 'low',
            permissions: { user: 'allowed', agent: 'allowed' },
            handler: {
              type: 'process',
              command: process.execPath,
              args: ['-e', 'console.log(process.argv.length)', '${input.place}'],
            },
          },
        ],
      },
    });
    return made;
  };

  it('D.definitions S1.policy: a program is not handed a place that is denied, and other text as before', async () => {
    const made = await world();
    const policy = new PolicyEngine(presetBoundaries('balanced'));
    const tool = made.gate.registry.tools().find((one) => one.definition.name === 'run_echo');
    assert.ok(tool, made.problems().join('; '));
    const handler = await tool.load();
    const effectOf = async (input: object): Promise<string> => {
      const call = fakeCall({ source: tool.source, tool: 'run_echo', input });
      const context = {
        ports: fakePorts({ files: made.workspace.files }),
        config: {},
        actor: call.actor,
        profileId: 'test',
        signal: call.signal,
      };
      const judged = callAccesses(tool, await handler.accesses(input, context));
      return policy.judge({ ...call, ...judged }, judged.accesses).effect;
    };
    for (const place of [
      '.env',
      '/proc/self/cwd/.env',
      'file:.env',
      'http://127.0.0.1/',
      'http:\\\\127.1',
      'x --file=.env',
      '[".env"]',
    ])
      assert.equal(await effectOf({ place }).catch(() => 'deny'), 'deny', place);
    for (const place of ['and/or', 'https://example.com/', 'src/a.ts', '1/2', 'plain'])
      assert.equal(await effectOf({ place }), 'pass', place);
    made.dispose();
  });
});
