import assert from 'node:assert/strict';
import { isNamedHost, placesOf } from '../../../../src/core/secrets/places';

const builtIn = { type: 'builtin' } as const;

/** The place of a request to a URL. */
function placeOf(url: string): string {
  const [place] = placesOf(builtIn, [{ effect: 'network.http', resource: url }], false);
  return place ?? assert.fail(url);
}

describe('the places to which a secret may go', () => {
  it('D.redaction: are the same with a default port that is written out, asked or named', () => {
    const rows: readonly (readonly [named: string, asked: string, isMeant: boolean])[] = [
      ['http://a.example:80', 'http://a.example/x', true],
      ['http://a.example:80', 'http://a.example:80/x', true],
      ['http://a.example', 'http://a.example:80/x', true],
      ['HTTP://A.example:80/', 'http://a.example/x', true],
      ['https://a.example:443', 'https://a.example/x', true],
      ['https://a.example', 'https://a.example:443/x', true],
      ['a.example:443', 'https://a.example/x', true],
      // The default port of the one scheme is a port like any other to the other.
      ['http://a.example:443', 'http://a.example/x', false],
      ['http://a.example:443', 'http://a.example:443/x', true],
      ['https://a.example:80', 'https://a.example/x', false],
      ['https://a.example:80', 'https://a.example:80/x', true],
      ['https://a.example:80', 'http://a.example/x', false],
      ['a.example:80', 'http://a.example/x', false],
      ['http://a.example:80', 'https://a.example/x', false],
      ['http://a.example:80', 'http://a.example:8080/x', false],
      ['http://a.example:8080', 'http://a.example:80/x', false],
      ['a.example:443', 'https://a.example:8443/x', false],
      ['http://a.example:80', 'http://b.example/x', false],
    ];
    for (const [named, asked, isMeant] of rows)
      assert.equal(isNamedHost(named, placeOf(asked)), isMeant, `${named}: ${asked}`);
  });
});
