import { strict as assert } from 'node:assert';
import { parseJsonc } from '../../../../src/core/base/jsonc';
import { worded } from '../../../../src/core/base/sentence';
import { inGerman } from '../../../support/german';

/** Texts of JSON with one fault first, and what the parser calls it. */
const broken: Readonly<Record<string, string>> = {
  '[nope]': 'invalid symbol',
  '[1.]': 'unexpected end of number',
  '{ 1: 2 }': 'property name expected',
  '': 'value expected',
  '{ "a" 1 }': 'colon expected',
  '[1 2]': 'comma expected',
  '{ "a": 1': 'close brace expected',
  '[1': 'close bracket expected',
  '1 2': 'end of file expected',
  '/* open': 'unexpected end of comment',
  '["open]': 'unexpected end of string',
  '["\\u00zz"]': 'invalid unicode',
  '["\\q"]': 'invalid escape character',
  '["\u0001"]': 'invalid character',
};

describe('a text that is no JSON', () => {
  it('is told in the language of the person, each fault by its own words', () => {
    const german = Object.entries(broken).map(([text, words]) => {
      const said = parseJsonc(text).faults[0]?.said;
      assert.ok(said, text);
      assert.equal(worded(said), `not valid JSON: ${words}`, text);
      return worded(said, inGerman);
    });
    assert.equal(new Set(german).size, german.length);
    for (const one of german) assert.doesNotMatch(one, /UNTRANSLATED|expected|invalid/);
  });
});
