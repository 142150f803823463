import { strict as assert } from 'node:assert';
import { callAccesses } from '../../../src/core/gate/steps';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { presetBoundaries } from '../../../src/core/policy/rules/presets';
import { type DefinitionWorld, makeWorld } from '../../support/definitions';
import { cases } from '../../support/counts';
import { fakeCall } from '../../support/gateCall';
import { fakePorts } from '../../support/toolContext';
import { type ForeignJudge, foreignJudge, noSecret } from '../../support/foreignCall';
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
