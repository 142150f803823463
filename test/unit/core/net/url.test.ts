import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { worded } from '../../../../src/core/base/sentence';
import { ChannelFetcher } from '../../../../src/core/definitions/channels';
import { parseHttpUrl, parseRedirect } from '../../../../src/core/net/url';
import type { HttpClient } from '../../../../src/core/ports/http';
import { errorSaid } from '../../../../src/core/vocabulary/errors';
import { runs } from '../../../support/counts';
import { inGerman } from '../../../support/german';

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

describe('what is wrong with a URL', () => {
  it('is told in the language of the person', () => {
    const told = (text: string): string => {
      try {
        return parseHttpUrl(text).href;
      } catch (error) {
        return worded(errorSaid(error), inGerman);
      }
    };
    assert.deepEqual(['FTP://a', 'example.com', 'http://[', 'https://me:pw@e.example/'].map(told), [
      '`FTP://a` kann nicht abgerufen werden: sie muss mit http:// oder https:// beginnen (ist `ftp:`)',
      '`example.com` kann nicht abgerufen werden: sie muss mit http:// oder https:// beginnen (ohne Schema)',
      '`http://[` kann nicht abgerufen werden: es muss eine gültige URL wie https://example.com/page sein',
      '`e.example` kann nicht abgerufen werden: eine URL darf keinen Benutzernamen und kein Passwort enthalten',
    ]);
  });

  it('is told so of a channel, as is an answer that is none', async () => {
    const told = async (url: string, answer: object = {}): Promise<string | undefined> => {
      const head = { url, status: 200, headers: {}, body: new Uint8Array() };
      const http: HttpClient = { send: async () => ({ ...head, ...answer }) };
      const channels = new ChannelFetcher({ http, settings: () => [{ name: 'media', url, origin: 'user' }] });
      const problems: Parameters<ChannelFetcher['read']>[0] = [];
      await channels.read(problems, () => true);
      return problems[0] && worded(problems[0].said, inGerman);
    };
    const start = 'das Manifest des Kanals `media` kann nicht abgerufen werden: ';
    assert.deepEqual(
      [await told('ftp:x'), await told('http://a/', { status: 500 }), await told('http://a/', { cut: 'size' })],
      [
        `${start}\`ftp:x\` kann nicht abgerufen werden: sie muss mit http:// oder https:// beginnen (ist \`ftp:\`)`,
        `${start}der Server antwortete mit 500`,
        `${start}die Antwort war nicht vollständig`,
      ],
    );
    assert.equal(await told('http://a/'), undefined);
  });
});
