// @tier full: starts programs
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { runs } from '../../../support/counts';
import { type DefinitionWorld } from '../../../support/definitions';
import { anyCharacter } from '../../../support/anyCharacter';
import { echoServer } from '../../../support/echoServer';
import { open, worldWithTools } from '../../../support/definitionTools';

const decoded = (text: string): string => text.replace(/(?:%[0-9a-f]{2})+/gi, (all) => decodeURIComponent(all));

describe('the http handler of definitions', () => {
  let world: DefinitionWorld;
  let base = '';
  const server = echoServer();
  const { seen } = server;
  before(async () => {
    base = await server.open();
  });
  after(() => server.close());
  beforeEach(() => seen.splice(0));
  afterEach(() => world.dispose());

  const start = async (...args: Parameters<typeof worldWithTools>): Promise<DefinitionWorld> =>
    (world = await worldWithTools(...args));
  const code = async (tool: string, input: unknown = {}): Promise<string> =>
    ((await world.call(tool, input)) as any)?.code ?? 'ok';

  it('http: fills URL, query, headers and body, each escaped for its place, and maps the answer', async () => {
    await start([
      {
        ...open,
        name: 'post',
        parameters: { city: 'string', tags: 'array', note: 'string', count: 'number' },
        handler: {
          type: 'http',
          method: 'POST',
          url: `${base}/echo/\${input.city}/x?fixed=1&c=\${input.city}`,
          query: { tag: '${input.tags}', none: '${input.note}' },
          headers: { Authorization: 'Bearer ${secret:TOKEN}', 'X-City': '${input.note}' },
          body: { city: '${input.city}', n: '${input.count}', text: 'in ${input.city}', none: '${input.note}' },
          response: { map: { degrees: '/main/temp', secret: '/secret', none: '/no' } },
        },
      },
    ]);
    assert.equal(await code('t_post', { city: 'x' }), 'not_available');
    world.secrets.values.set('TOKEN', 's3cr3t-token');
    assert.deepEqual(await world.call('t_post', { city: 'São/Paulo?a=b#c', tags: ['a', 'b&c'], count: 3 }), {
      degrees: 20,
      secret: 'Bearer [secret TOKEN]',
      none: null,
    });
    assert.deepEqual(
      [seen[0]?.url, seen[0]?.headers['authorization'], seen[0]?.headers['x-city'], JSON.parse(seen[0]?.body ?? '')],
      [
        '/echo/S%C3%A3o%2FPaulo%3Fa%3Db%23c/x?fixed=1&c=S%C3%A3o%2FPaulo%3Fa%3Db%23c&tag=a&tag=b%26c',
        'Bearer s3cr3t-token',
        undefined,
        { city: 'São/Paulo?a=b#c', n: 3, text: 'in São/Paulo?a=b#c' },
      ],
    );
    for (const city of ['.', '..']) assert.equal(await code('t_post', { city }), 'invalid_input');
    assert.equal(await code('t_post', { city: 'x', note: 'a\r\nHost: evil' }), 'invalid_input');
    const events = JSON.stringify(world.gate.events);
    assert.ok(!events.includes('s3cr3t-token'), 'the record holds no secret');
  });

  it('http: whatever the input, the host and the number of path segments stay', async () => {
    await start([
      { ...open, name: 'get', parameters: { a: 'string' }, handler: { type: 'http', url: `${base}/p/\${input.a}/q` } },
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.string({ unit: anyCharacter }),
          fc.constantFrom('//evil.example', '@evil.example', '\\\\evil', '%2e%2e', '..%2f', '?', '#', '/../..'),
        ),
        async (a) => {
          const preview = await world.gate.preview('t_get', { a });
          for (const access of preview.accesses) {
            const url = new URL(access.resource);
            assert.equal(url.origin, base);
            assert.equal(url.pathname.split('/').length, 4);
            assert.equal(url.search, '');
          }
        },
      ),
      { numRuns: runs(12, 150, 300) },
    );
  });

  it('http: errors speak with the server’s words, redirects are asked of the gate, forms and texts are sent as such', async () => {
    await start([
      { ...open, name: 'fail', handler: { type: 'http', url: `${base}/fail`, response: { error: '/error/message' } } },
      { ...open, name: 'away', handler: { type: 'http', url: `${base}/away`, response: { select: '/list' } } },
      {
        ...open,
        name: 'form',
        parameters: { a: 'string' },
        handler: {
          type: 'http',
          method: 'POST',
          url: `${base}/echo`,
          bodyType: 'form',
          body: { a: '${input.a}', b: [1, 2] },
        },
      },
      {
        ...open,
        name: 'text',
        parameters: { a: 'string' },
        handler: {
          type: 'http',
          method: 'PUT',
          url: `${base}/echo`,
          body: 'text ${input.a}',
          response: { type: 'text' },
        },
      },
      { ...open, name: 'head', handler: { type: 'http', method: 'HEAD', url: `${base}/echo` } },
    ]);
    assert.match(((await world.call('t_fail')) as any).message, /the server answered 422: no such city/);
    assert.deepEqual(await world.call('t_away'), [1, 2]);
    await world.call('t_form', { a: 'x&y' });
    await world.call('t_text', { a: 'z' });
    assert.deepEqual(
      [seen.at(-2)?.body, seen.at(-2)?.headers['content-type'], seen.at(-1)?.body],
      ['a=x%26y&b=1&b=2', 'application/x-www-form-urlencoded', 'text z'],
    );
    assert.equal(((await world.call('t_head')) as any).status, 200);
  });

  it('no secret comes back, in whatever form it was sent, in answers, errors and refusals', async () => {
    const http = (name: string, handler: object): unknown => ({
      ...open,
      name,
      handler: { type: 'http', url: `${base}/mirror`, ...handler },
    });
    const argument = '${secret:S}';
    await start([
      http('path', { url: `${base}/mirror/${argument}` }),
      http('query', { query: { k: argument } }),
      http('header', { headers: { 'X-Key': argument } }),
      http('json', { method: 'POST', body: { k: argument } }),
      http('form', { method: 'POST', bodyType: 'form', body: { k: argument, o: { k: argument } } }),
      http('wrong', { url: `${base}/mirror/wrong/${argument}` }),
      http('wrongForm', { url: `${base}/mirror/wrong`, method: 'POST', bodyType: 'form', body: { k: argument } }),
      { ...open, name: 'program', handler: { type: 'process', command: 'printf', args: ['%s', argument] } },
      { ...open, name: 'nul', handler: { type: 'process', command: 'printf', args: ['x'], env: { A: argument } } },
    ]);
    for (const secret of ['-hunter+seven/three==', '-a "quoted" \\ b', "-it's*(so)~!", '-ümlaut&x=%2f', '-with\0nul']) {
      world.secrets.values.set('S', secret);
      const isHeader = /^[\x20-\x7e\x80-\xff]*$/.test(secret);
      for (const name of ['path', 'query', 'header', 'json', 'form', 'wrong', 'wrongForm', 'program', 'nul']) {
        const answer = JSON.stringify(await world.call(`t_${name}`));
        const read = [answer, decoded(answer), decoded(answer.replaceAll('+', ' ')), answer.replace(/\\(.)/g, '$1')];
        const words = secret.match(/[a-zü]{3,}/g) ?? [];
        assert.ok(
          words.every((word) => read.every((text) => !text.includes(word) || word === 'nul' || word === 'with')),
          `${name} of ${JSON.stringify(secret)}: ${answer.slice(-200)}`,
        );
        if (!/^(?:program|nul|wrongForm)$/.test(name) && (name !== 'header' || isHeader))
          assert.match(answer, /\[secr/, `${name} of ${secret}`);
      }
    }
  });
});
