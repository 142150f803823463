import { strict as assert } from 'node:assert';
import { loadLinearRegex, type LinearRegexEngine } from '../../../../src/core/base/linearRegex';

describe('expressions', () => {
  let engine: LinearRegexEngine;
  before(async () => {
    engine = await loadLinearRegex();
  });

  it('S4.boundaries: refuse an escape that nobody knows, which would be a letter without its backslash', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz89'];
    const isRead = (letter: string): boolean => {
      try {
        return engine.compile(`x\\${letter}`) !== undefined;
      } catch {
        return false;
      }
    };
    assert.equal(letters.filter(isRead).join(''), 'ABDQSWZabdfnrstvwz');
    for (const bad of [
      '\\k<x>',
      '\\u12',
      '\\u{}',
      '\\u{110000}',
      '\\U0001F600',
      '\\x4',
      '\\x{}',
      '\\c1',
      '\\h+',
      '[\\Z]',
    ])
      assert.throws(() => engine.compile(bad), bad);
  });

  it('S4.boundaries: mean what the language means in which they are usually written', () => {
    for (const [source, ...texts] of [
      ['\\Afile_system\\Z', 'file_system'],
      ['\\Qa/b.\\Z\\E', 'a/b.\\Z'],
      ['\\u0041\\u{42}\\x43\\x{44}', 'ABCD'],
      ['\\ud83d\\uDE00', '\u{1f600}'],
      ['[\\ud83d\\ude00-\\ud83d\\ude0f]', '\u{1f600}', '\u{1f60a}'],
      ['\\cJ\\cj', '\n\n'],
      ['\\\\Z\\\\u0041', '\\Z\\u0041'],
      ['(?<name>a)/b', 'a/b'],
      ['(?P<name>a)', 'a'],
      ['[]a]+', 'a]a'],
      ['\\p{Greek}\\pN', 'α1'],
      ['', ''],
    ] as const)
      for (const text of texts) assert.ok(engine.compile(source).matchesAll(text), `${source} ${text}`);
    assert.ok(!engine.compile('\\Afile_system\\Z').matchesAll('file_system\n'));
  });
});
