import { strict as assert } from 'node:assert';
import { readCallResult } from '../../../../src/core/foreign/result';

describe('answers of servers', () => {
  it('say why a call failed where only structured content does', () => {
    const failed =
      (structuredContent: unknown, content: unknown[] = []) =>
      () =>
        readCallResult({ isError: true, content, structuredContent }, 't', true);
    assert.throws(failed({ reason: 'no\u202e quota' }), { message: '{"reason":"no⟨U+202E⟩ quota"}' });
    assert.throws(failed({ a: 1 }, [{ type: 'text', text: 'said' }]), { message: 'said' });
    assert.throws(failed(undefined), /gave no reason/);
  });

  it('joins texts, hands pictures on, links the rest and bounds everything', () => {
    const read = readCallResult(
      {
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
          { type: 'image', mimeType: 'image/png', data: 'AAAA' },
          { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
          { type: 'image', mimeType: 'text', data: 5 },
          { type: 'resource', resource: { uri: 'a://b', text: 'inside' } },
          { type: 'resource', resource: { uri: 'a://c', mimeType: 'application/zip', blob: 'AAAA' } },
          { type: 'resource_link', uri: 'a://d', name: 'D', more: {} },
          { type: 'novel' },
        ],
        structuredContent: { v: 1 },
      },
      't',
      false,
    );
    assert.deepEqual(read, {
      payload: {
        links: [
          { uri: 'a://c', mimeType: 'application/zip', bytes: 3 },
          { uri: 'a://d', name: 'D' },
        ],
        structured: { v: 1 },
        text: 'one\ntwo\ninside',
      },
      media: [
        { mimeType: 'image/png', data: 'AAAA' },
        { mimeType: 'audio/wav', data: 'AAAA' },
      ],
      parts: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
        { type: 'media', index: 0 },
        { type: 'media', index: 1 },
        { type: 'resource', resource: { uri: 'a://b', text: 'inside' } },
        { type: 'blob', resource: { uri: 'a://c', mimeType: 'application/zip' }, data: 'AAAA' },
        { type: 'link', link: { uri: 'a://d', name: 'D' } },
      ],
      warnings: ['a picture or sound without type or data left out', 'a part of unknown type `novel` left out'],
    });
    const large = (bytes: number) => ({ type: 'resource', resource: { uri: 'a://x', blob: 'A'.repeat(bytes) } });
    const bounded = readCallResult({ content: [large(6_000_000), large(6_000_000), large(0)] }, 't', false);
    assert.deepEqual(
      [bounded.parts?.length, bounded.warnings],
      [2, ['a resource left out: too much for one answer']],
      'bytes are bounded together, whatever they are',
    );
    // Behind a sign of no base64 a receiver may read on, where nothing was looked for.
    for (const blob of ['*', `${'A'.repeat(8192)}*AAAA`, `${'A'.repeat(8192)}=AAAA`, `AAAA${' '.repeat(9000)}AAAA`])
      assert.deepEqual(
        readCallResult({ content: [{ type: 'resource', resource: { uri: 'a://x', blob } }] }, 't', false).warnings,
        ['a resource left out: its data is not base64'],
      );
    const padded = { type: 'resource', resource: { uri: 'a://x', blob: `${'_-+/'.repeat(2000)}QQ==\n` } };
    assert.equal(readCallResult({ content: [padded] }, 't', false).warnings, undefined);
    assert.equal(readCallResult({ content: [{ type: 'text', text: 'plain' }] }, 't', false).parts, undefined);
    assert.deepEqual(readCallResult({ content: [], structuredContent: { v: 1 } }, 't', true).payload, { v: 1 });
    assert.deepEqual(readCallResult({ content: [{ type: 'text', text: 'x'.repeat(3_000_000) }] }, 't', false).payload, {
      text: `${'x'.repeat(2_000_000)}\n[cut: more than 2000000 characters; ask for a part]`,
    });
  });
});
