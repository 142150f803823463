import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { HttpHandlerSpec } from '../../../src/core/definitions/handlers/handlerSpec';
import { buildUrl, httpHandler } from '../../../src/core/definitions/handlers/http';
import { parseDefinition } from '../../../src/core/definitions/parse';
import { runs } from '../../support/counts';
import { fakePorts } from '../../support/toolContext';

/** What a handler gets of the gate, where nothing is refused. */
const fakeContext = ({
  ports,
}: {
  ports: { http: { send(request: never): Promise<unknown> }; secrets?: object };
}): never =>
  ({
    ports: { ...fakePorts(), ...ports },
    send: (request: never) => ports.http.send(request),
    config: {},
    signal: new AbortController().signal,
    access: async () => ({ allowed: true }),
  }) as never;

const parse = (handler: object) =>
  parseDefinition(
    JSON.stringify({
      id: 's',
      tools: [
        {
          name: 'go',
          description: 'Go.',
          parameters: { a: { type: 'string' }, b: { type: 'string' } },
          handler: { type: 'http', ...handler },
        },
      ],
    }),
    's.capability.json',
  );

function spec(handler: object): HttpHandlerSpec {
  const parsed = parse(handler);
  const made = parsed.specs[0]?.tools[0]?.handler;
  assert.ok(made?.type === 'http', JSON.stringify(parsed.problems));
  return made;
}

const hostile = [
  '../../admin',
  '..',
  '.',
  '%2e%2e',
  '%2e%2e%2fadmin',
  '..\\admin',
  '//evil.example/',
  '@evil.example',
  ':80@evil.example/',
  '\\\\evil.example',
  '?x=1',
  '#frag',
  '&role=admin',
  ';x',
  'a/b',
  '\t..\t',
  '\n',
  '\r\nHost: evil.example',
  '．．',
  '。。',
  '\u0000',
  '%00',
  '%',
  ' ',
  '\ud800',
  'http://evil.example/',
  '${secret:TOKEN}',
  '${config.x}',
  '"}, "role": "admin", {"',
  '\u2028',
];

describe('what input puts into a request stays at its place', () => {
  for (const value of hostile)
    it(`D.definitions: ${JSON.stringify(value)} in an address changes neither host, path nor query around it`, () => {
      const one = spec({ url: 'https://api.example.com/v1/${input.a}/end', query: { q: '${input.a}', fixed: '1' } });
      let url: URL;
      try {
        url = buildUrl(one, { input: { a: value } });
      } catch (error) {
        assert.match(String(error), /change the path|malformed|not valid/i);
        return;
      }
      assert.deepEqual(
        [url.origin, url.username, url.hash, [...url.searchParams.keys()]],
        ['https://api.example.com', '', '', ['q', 'fixed']],
      );
      assert.match(url.pathname, /^\/v1\/[^/]*\/end$/);
      assert.equal(url.searchParams.get('q'), value.replace('\ud800', '\ufffd'));
    });

  for (const value of hostile)
    it(`D.definitions: ${JSON.stringify(value)} in a header and in JSON is a value and nothing more`, async () => {
      const one = spec({
        method: 'POST',
        url: 'https://api.example.com/x',
        headers: { 'X-A': 'v ${input.a}' },
        body: { a: '${input.a}', t: 'x${input.a}y' },
      });
      const sent: { headers: Record<string, string>; body: string }[] = [];
      const context = fakeContext({
        ports: {
          http: {
            async send(request: { headers: Record<string, string>; body: string; url: string }) {
              sent.push(request);
              return { status: 200, url: request.url, headers: {}, body: new TextEncoder().encode('{}'), cut: false };
            },
          },
        },
      });
      try {
        await httpHandler(one, 1000).run({ a: value }, context);
      } catch (error) {
        assert.match(String(error), /must not hold line ends, control characters/);
        assert.equal(sent.length, 0);
        return;
      }
      assert.deepEqual(JSON.parse(sent[0]?.body ?? ''), { a: value, t: `x${value}y` });
      assert.ok(!/[\r\n\0]/.test(JSON.stringify(Object.entries(sent[0]?.headers ?? {})).replace(/\\\\/g, '')));
      assert.equal(sent[0]?.headers['X-A'], `v ${value}`);
    });

  for (const [what, handler] of [
    ['a host', { url: 'https://${input.a}/x' }],
    ['a part of a host', { url: 'https://${input.a}.example.com/x' }],
    ['the end of a host', { url: 'https://api.example.com${input.a}' }],
    ['a port', { url: 'https://api.example.com:${input.a}/x' }],
    ['a scheme', { url: '${input.a}://api.example.com/x' }],
    ['a whole address', { url: '${input.a}' }],
    ['a host of the configuration', { url: 'https://${config.host}/x' }],
    ['a host that is a secret', { url: 'https://${secret:HOST}/x' }],
    ['a user before a host', { url: 'https://${input.a}@api.example.com/x' }],
    ['a literal user', { url: 'https://api.example.com@evil.example/x' }],
    ['a backslash', { url: 'https://api.example.com\\${input.a}/x' }],
    ['a tab in a host', { url: 'https://api.exam\tple.com/x' }],
    ['a way up', { url: 'https://api.example.com/a/../x' }],
    ['another scheme', { url: 'file:///etc/passwd' }],
    ['a header with a line end in its name', { url: 'https://a.example/', headers: { 'A\r\nB': 'x' } }],
    ['a host header', { url: 'https://a.example/', headers: { hOST: 'evil.example' } }],
    ['JSON as text', { url: 'https://a.example/', method: 'POST', body: '{"a":"${input.a}"}', bodyType: 'json' }],
    [
      'text that says that it is JSON',
      {
        url: 'https://a.example/',
        method: 'POST',
        bodyType: 'text',
        body: '{"a":"${input.a}"}',
        headers: { 'content-type': 'application/json' },
      },
    ],
    [
      'text that says that it is a form',
      {
        url: 'https://a.example/',
        method: 'POST',
        bodyType: 'text',
        body: 'a=${input.a}',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      },
    ],
  ] as const)
    it(`D.definitions: a definition cannot let input decide ${what}`, () => assert.equal(parse(handler).usable, false));

  it('D.definitions: no input leads a request to another host or another path', () => {
    const one = spec({
      url: 'https://api.example.com/v1/${input.a}${input.b}/end?x=${input.b}',
      query: { q: '${input.a}' },
    });
    const text = fc.oneof(
      fc.constantFrom(...hostile),
      fc.string({
        unit: fc.constantFrom('.', '/', '\\', '%', '2', 'e', '@', ':', '?', '#', '&', ' ', '\t', '\n', 'a'),
        maxLength: 10,
      }),
    );
    fc.assert(
      fc.property(text, text, (a, b) => {
        let url: URL;
        try {
          url = buildUrl(one, { input: { a, b } });
        } catch {
          return;
        }
        assert.equal(url.origin, 'https://api.example.com');
        assert.match(url.pathname, /^\/v1\/[^/]*\/end$/);
        assert.deepEqual([...url.searchParams.keys()], ['x', 'q']);
      }),
      { numRuns: runs(63, 8000, 20_000) },
    );
  });

  it('D.definitions: whatever a definition sends of its own stays with the host that it names', async () => {
    const one = spec({
      url: 'https://api.example.com/x',
      headers: { 'X-Key': 'literal', Authorization: 'Bearer ${secret:T}', Accept: 'text/plain' },
    });
    const sent: [string, string[]][] = [];
    const context = fakeContext({
      ports: {
        secrets: { get: async () => 'token-1', set: async () => undefined, names: async () => [] },
        http: {
          async send(request: { headers: Record<string, string>; url: string }) {
            sent.push([request.url, Object.keys(request.headers)]);
            const away = request.url.includes('api.example.com');
            return {
              status: away ? 302 : 200,
              url: request.url,
              headers: away ? { location: 'https://evil.example/' } : {},
              body: new TextEncoder().encode('{}'),
              cut: false,
            };
          },
        },
      },
    });
    await httpHandler(one, 1000).run({}, context);
    assert.deepEqual(sent, [
      ['https://api.example.com/x', ['X-Key', 'Authorization', 'Accept']],
      ['https://evil.example/', ['Accept']],
    ]);
  });
});
