import { strict as assert } from 'node:assert';
import { decodeText, encodeText } from '../../../../src/capabilities/fileSystem/shared/text';
import { decodeText as decodePage } from '../../../../src/capabilities/webFetch/page/charset';
import { StandardTextDecoder } from '../../../../src/core/base/textDecoder';
import { bodyText } from '../../../../src/core/net/exchange';

const bytes = Uint8Array.of(0x93, 0x80, 0x35, 0x94, 0x20, 0x85, 0x92, 0x96, 0x81, 0xe9, 0xff);
const text = '\u201c\u20ac5\u201d \u2026\u2019\u2013\u0081\u00e9\u00ff';

describe('the decoder of the standard', () => {
  it('reads the quotation marks, dashes and euro signs of windows-1252, by every name that means it', () => {
    for (const label of ['windows-1252', 'cp1252', 'latin1', 'iso-8859-1', 'us-ascii'])
      assert.equal(new StandardTextDecoder(label).decode(bytes), text, label);
    assert.equal(new StandardTextDecoder('iso-8859-2').decode(Uint8Array.of(0x93)), '\u0093');
    assert.equal(new StandardTextDecoder('utf-8', { fatal: true }).decode(Uint8Array.of(0xc2, 0x93)), '\u0093');
  });

  it('is that of pages, of answers and of files, which are written back alike', () => {
    assert.equal(decodePage(bytes, 'iso-8859-1', 'no').text, text);
    const headers = { 'content-type': 'text/plain; charset=iso-8859-1' };
    assert.equal(bodyText({ url: 'https://e.example/', status: 200, headers, body: bytes }), text);
    const file = decodeText(bytes, 'windows-1252');
    assert.equal(file.text, text);
    assert.deepEqual(encodeText(file.text, file), bytes);
  });
});
