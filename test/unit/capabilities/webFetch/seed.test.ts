import { strict as assert } from 'node:assert';
import type { JsonObject } from '../../../../src/core/base/json';
import { fetched, fetchTool, type LoopbackServer, startServer } from '../../../support/web';

const page =
  '<!doctype html><html lang="en"><head><title>Hello page</title><style>p{color:red}</style></head><body><h1>Hello</h1><p>Some <b>bold</b> text.</p><script>alert(1)</script></body></html>';

describe('web_fetch as its callers know it', () => {
  let server: LoopbackServer;
  before(async () => {
    server = await startServer((request, response) => {
      switch (request.url) {
        case '/page':
          response.setHeader('last-modified', 'Wed, 21 Oct 2026 07:28:00 GMT');
          response.setHeader('content-type', 'text/html; charset=utf-8');
          response.end(page);
          return;
        case '/data.json':
          response.setHeader('content-type', 'application/json');
          response.end('{"a":1}');
          return;
        case '/logo.png':
          response.setHeader('content-type', 'image/png');
          response.setHeader('content-disposition', 'attachment; filename="the logo.png"');
          response.end(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]));
          return;
        case '/slow-body':
          response.setHeader('content-type', 'text/plain');
          response.write('first part');
          return;
        case '/silent':
          return;
        default:
          response.statusCode = 404;
          response.end('nothing here');
      }
    });
  });
  after(() => server.close());

  it('S3.web-fetch: gives a page as markdown with its metadata where that is asked for', async () => {
    const url = `${server.url}/page`;
    const { title, language, quality, ...rest } = await fetched({ url, as_markdown: true });
    assert.deepEqual(quality, { score: 1, warnings: [] });
    assert.deepEqual([title, language], ['Hello page', 'en']);
    assert.deepEqual(
      { ...rest, total_length: 0, word_count: 0 },
      {
        url,
        status_code: 200,
        content_type: 'text/html; charset=utf-8',
        size: page.length,
        last_modified: 'Wed, 21 Oct 2026 07:28:00 GMT',
        filename: 'page',
        truncated: false,
        charset: 'utf-8',
        format: 'markdown',
        content: '# Hello\n\nSome **bold** text.',
        total_length: 0,
        word_count: 0,
      },
    );
  });

  it('S3.web-fetch: a page stays as it came unless a conversion is asked for or configured', async () => {
    const url = `${server.url}/page`;
    const read = async (input: object, config: JsonObject = {}): Promise<unknown> =>
      (await fetched({ url, ...input }, { config }))['format'];
    const { format, content, truncated, size } = await fetched({ url });
    assert.deepEqual([format, content, truncated, size], ['raw', page, false, page.length]);
    assert.equal(await read({}, { format: 'raw', focus: 'full' }), 'raw');
    assert.equal(await read({}, { format: 'markdown' }), 'markdown');
    assert.equal(await read({}, { focus: 'main' }), 'markdown');
    assert.equal(await read({ as_markdown: false }, { format: 'markdown' }), 'raw');
    assert.equal(await read({ as_text: true }, { format: 'markdown' }), 'text');
    // A section of a page is one of its text.
    assert.equal(await read({ fragment: 'Hello' }), 'markdown');
  });

  it('S3.web-fetch: converts to text for as_text, gives it raw for as_markdown false, and lets as_markdown win over as_text', async () => {
    const url = `${server.url}/page`;
    const read = async (input: object): Promise<unknown[]> => {
      const payload = await fetched({ url, ...input });
      return [payload['format'], payload['content']];
    };
    assert.deepEqual(await read({ as_text: true }), ['text', 'Hello\n\nSome bold text.']);
    assert.deepEqual(await read({ as_markdown: false }), ['raw', page]);
    assert.deepEqual(await read({ as_markdown: true, as_text: true }), ['markdown', '# Hello\n\nSome **bold** text.']);
    assert.deepEqual(await read({ format: 'raw', as_text: true }), ['raw', page]);
  });

  it('S3.web-fetch: gives text that is no page as it is, and error answers as results', async () => {
    const json = await fetched({ url: `${server.url}/data.json` });
    assert.deepEqual([json['format'], json['content'], json['filename']], ['raw', '{"a":1}', 'data.json']);
    const missing = await fetched({ url: `${server.url}/missing` });
    assert.deepEqual([missing['status_code'], missing['content']], [404, 'nothing here']);
  });

  it('S3.web-fetch: gives metadata and a message for binary content, which is no tool error', async () => {
    const payload = await fetched({ url: `${server.url}/logo.png` });
    assert.equal('content' in payload, false);
    assert.deepEqual([payload['content_type'], payload['size'], payload['filename']], ['image/png', 7, 'the logo.png']);
    assert.match(String(payload['error']), /binary content is not supported/);
  });

  it('S3.web-fetch: asks with HEAD for metadata only', async () => {
    const payload = await fetched({ url: `${server.url}/page`, method: 'HEAD' });
    assert.equal('content' in payload || 'format' in payload, false);
    assert.equal(payload['status_code'], 200);
    assert.equal(server.requests.at(-1)?.method, 'HEAD');
  });

  it('S3.web-fetch: says that the server did not respond, after every attempt', async () => {
    const count = server.requests.length;
    const result = await fetchTool(
      { url: `${server.url}/silent` },
      { settings: { 'webFetch.firstByteTimeoutMs': [60, 80, 100], 'webFetch.respectRobots': false } },
    );
    assert.equal(result.ok, false);
    assert.equal(result.error.code, 'timeout');
    assert.match(
      result.error.message,
      /^server did not respond within 0\.06 seconds; 3 attempts took 0\.[2-9]\d* seconds$/,
    );
    assert.equal(server.requests.length - count, 3);
  });

  it('S3.web-fetch: hands over what came of a late body, with the suffix', async () => {
    const payload = await fetched({ url: `${server.url}/slow-body` }, { settings: { 'webFetch.bodyTimeoutMs': 150 } });
    assert.deepEqual([payload['content'], payload['truncated']], ['first part[..more content timed out...]', true]);
  });

  it('S3.web-fetch: refuses what is no http(s) URL and says what was expected', async () => {
    const error = async (input: object): Promise<[string, string]> => {
      const result = await fetchTool(input);
      assert.equal(result.ok, false, JSON.stringify(input));
      return [result.error.code, result.error.message];
    };
    assert.deepEqual(await error({ url: 'file:///etc/passwd' }), [
      'invalid_url',
      '`file:///etc/passwd` cannot be fetched: it must start with http:// or https:// (got `file:`)',
    ]);
    assert.deepEqual(await error({ url: 'example.com' }), [
      'invalid_url',
      '`example.com` cannot be fetched: it must start with http:// or https:// (got no scheme)',
    ]);
    assert.equal((await error({ url: 'http://' }))[0], 'invalid_url');
    assert.match(
      (await error({ url: 'https://user:secret@example.com/' }))[1],
      /must not carry a user name or password/,
    );
    assert.ok(!(await error({ url: 'https://user:secret@example.com/' }))[1].includes('secret'));
    assert.equal((await error({}))[0], 'invalid_input');
    assert.equal((await error({ url: 5 }))[0], 'invalid_input');
    assert.equal((await error({ url: 'https://example.com', method: 'POST' }))[0], 'invalid_input');
    assert.equal((await error({ url: 'https://example.com', depth: 1 }))[0], 'invalid_input');
  });

  it('refuses headers that could carry credentials, and sends the others', async () => {
    const result = await fetchTool({ url: server.url, headers: { Authorization: 'Bearer x' } });
    assert.equal(result.ok, false);
    assert.equal(result.error.code, 'invalid_input');
    await fetched({ url: `${server.url}/page`, headers: { 'Accept-Language': 'de' } });
    assert.equal(server.requests.at(-1)?.headers['accept-language'], 'de');
  });

  it('gives long content in parts that join to the whole', async () => {
    const url = `${server.url}/page`;
    const whole = String((await fetched({ url }))['content']);
    let at: unknown = 0;
    let joined = '';
    for (let part = 0; part < 20 && at !== undefined; part++) {
      const payload = await fetched({ url, start_index: at, max_length: 12 });
      joined += String(payload['content']).replace(/\n\[cut: .*\]$/, '');
      at = payload['next_start_index'];
    }
    assert.equal(joined, whole);
  });
});
