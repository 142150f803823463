import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { parseRedirect } from '../../../../src/core/net/url';
import { runs } from '../../../support/counts';

const base = new URL('https://e.example/a/b');
/** As a client hands over a header: one character for each byte. */
const sent = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

describe('the target of a redirect', () => {
  it('is the same in raw UTF-8 and percent-encoded', () => {
    const path = fc.string({ unit: 'grapheme' }).map((text) => `/p${text.replace(/\s/g, '')}`);
    const encoded = (text: string): string => text.replace(/[^\u0000-\u007f]+/g, encodeURIComponent);
    fc.assert(
      fc.property(path, (location) => {
        assert.equal(parseRedirect(sent(location), base).href, parseRedirect(encoded(location), base).href);
      }),
      { numRuns: runs(50, 2_000) },
    );
    assert.equal(
      parseRedirect(sent('/caf\u00e9?q=\u00fc#\u00df'), base).href,
      'https://e.example/caf%C3%A9?q=%C3%BC#%C3%9F',
    );
    assert.equal(parseRedirect(sent('https://b\u00fccher.example/'), base).hostname, 'xn--bcher-kva.example');
    assert.equal(parseRedirect('/caf\u00e9', base).href, 'https://e.example/caf%E9');
  });

  it('that is no URL, or of another scheme, is told as one that cannot be fetched', () => {
    for (const location of ['http://[', 'javascript:x', 'file:///etc/passwd'])
      assert.throws(() => parseRedirect(location, base), /cannot be fetched/);
  });
});
