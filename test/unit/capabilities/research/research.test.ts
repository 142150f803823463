import { strict as assert } from 'node:assert';
import { research } from '../../../../src/capabilities/research/research';
import { createHttpClient } from '../../../../src/node/http/client';
import { type CallOptions, callTool, MemorySecrets, MemoryStore } from '../../../support/toolContext';
import { realClock, startServer } from '../../../support/web';

const call = async (tool: string, input: unknown, options: CallOptions): Promise<any> => {
  const result = await callTool(research, tool, input, options);
  return result.ok ? result.outcome.payload : result.error.code;
};

describe('the research capability', () => {
  it('S3.research: keeps sections with sources, adds, replaces and removes them, each profile for itself', async () => {
    const storage = new MemoryStore();
    const a = { storage, profileId: 'a' };
    await call('write_note', { section: 'Plan', text: 'one', sources: [{ url: 'https://a.example/', title: 'A' }] }, a);
    await call(
      'write_note',
      { section: 'Plan', text: 'two', sources: [{ url: 'https://a.example/' }, { url: 'https://b.example/' }] },
      a,
    );
    await call('write_note', { section: 'Facts', text: 'three' }, a);
    assert.deepEqual(await call('read_notes', {}, a), {
      sections: [
        {
          section: 'Plan',
          text: 'one\n\ntwo',
          sources: [{ url: 'https://a.example/', title: 'A' }, { url: 'https://b.example/' }],
        },
        { section: 'Facts', text: 'three', sources: [] },
      ],
    });
    assert.deepEqual(await call('read_notes', {}, { storage, profileId: 'b' }), { sections: [] });
    assert.deepEqual(await call('write_note', { section: 'Plan', text: 'new', replace: true }, a), {
      section: 'Plan',
      characters: 3,
      sections: ['Plan', 'Facts'],
    });
    assert.deepEqual((await call('write_note', { section: 'Plan', text: '', replace: true }, a)).sections, ['Facts']);
    assert.deepEqual(
      [await call('read_notes', { section: 'Fact' }, a), await call('write_note', { section: 'x' }, a)],
      ['not_found', 'invalid_input'],
    );
    for (let index = 0; index < 10; index++)
      await call('write_note', { section: `big ${index}`, text: 'x'.repeat(49_000) }, a);
    assert.equal(await call('write_note', { section: 'too much', text: 'x'.repeat(49_000) }, a), 'too_large');
  });

  it('S3.research: finds words in notes, headings and sources, the line with most of them first', async () => {
    const options = { storage: new MemoryStore() };
    await call(
      'write_note',
      {
        section: 'Bees',
        text: 'Honey is made in summer.\nWinter is quiet.',
        sources: [{ url: 'https://honey.example/', title: 'On honey' }],
      },
      options,
    );
    await call('write_note', { section: 'Wasps', text: 'No honey here' }, options);
    assert.deepEqual(await call('search_notes', { query: 'bees honey' }, options), {
      matches: [
        { section: 'Bees', line: 1, text: 'Honey is made in summer.' },
        { section: 'Bees', source: 'https://honey.example/', text: 'On honey' },
      ],
      count: 2,
    });
    assert.deepEqual(
      await call('search_notes', { query: 'honey', limit: 1 }, options).then((one) => [one.matches.length, one.count]),
      [1, 3],
    );
  });

  it('survives damaged notes', async () => {
    const storage = new MemoryStore();
    storage.values.set('research.default', [
      null,
      { name: 'ok', text: 'x', sources: [{ url: 1 }, { url: 'u' }] },
      { name: 5 },
    ] as never);
    assert.deepEqual(await call('read_notes', {}, { storage }), {
      sections: [{ section: 'ok', text: 'x', sources: [{ url: 'u' }] }],
    });
  });

  it('S3.research: searches the web through the endpoint of the settings, whatever shape its answer has', async () => {
    const answers: unknown[] = [
      { results: [{ title: 'T', url: 'https://a.example/', content: 'c' }] },
      { webPages: { value: [{ name: 'T', link: 'https://a.example/', snippet: 'c' }] } },
      [{ href: 'https://a.example/', title: 'T', body: 'c' }, { href: 'javascript:alert(1)' }, 7],
      { items: 'none' },
    ];
    const server = await startServer((_request, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answers.shift())),
    );
    const secrets = new MemorySecrets();
    secrets.values.set('search_key', 'key-1');
    const options = (endpoint: string): CallOptions => ({
      secrets,
      clock: realClock,
      http: createHttpClient({ allowedPrivateHosts: () => ['127.0.0.1'] }),
      settings: { 'research.searchEndpoint': endpoint },
    });
    for (let index = 0; index < 3; index++)
      assert.deepEqual(
        await call('web_search', { query: 'a b&c', count: 5 }, options(`${server.url}/?q={query}&n={count}`)),
        {
          results: [{ title: 'T', url: 'https://a.example/', snippet: 'c' }],
          count: 1,
        },
      );
    assert.deepEqual(
      [server.requests[0]?.path, server.requests[0]?.headers.authorization],
      ['/?q=a%20b%26c&n=5', 'Bearer key-1'],
    );
    assert.equal(await call('web_search', { query: 'x' }, options(server.url)), 'invalid_output');
    assert.equal(server.requests.at(-1)?.path, '/?q=x&format=json');
    assert.equal(await call('web_search', { query: 'x' }, options('')), 'not_available');
    await server.close();
  });
});
