import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { stateWords } from '../../src/core/present/treeFilter';
import { bundleOf, placeholders, sourceTexts } from '../support/l10n';

const read = (file: string): Record<string, string> => JSON.parse(readFileSync(file, 'utf8'));
const links = (text: string): readonly string[] => (text.match(/\]\([^)]*\)|`[^`]+`|\$\([a-z-]+\)/g) ?? []).sort();

/** The keys that the first has and the second has not. */
const without = (one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(one).filter((key) => other[key] === undefined);

/** What a translation must keep of a text: what is filled in, commands, code and icons. */
const kept = (text: string): unknown => [placeholders(text), links(text)];

describe('texts for people', () => {
  const texts = sourceTexts();

  before(() => {
    if (process.env['UPDATE']) writeFileSync('l10n/bundle.l10n.json', `${JSON.stringify(bundleOf(texts), null, 2)}\n`);
  });

  it('the bundle holds every text of the sources and nothing else; `UPDATE=1 npm test` writes it anew', () => {
    assert.ok(texts.length > 300, String(texts.length));
    const bundle = read('l10n/bundle.l10n.json');
    const wanted = bundleOf(texts);
    assert.deepEqual(without(wanted, bundle), [], 'run it with UPDATE=1');
    assert.deepEqual(without(bundle, wanted), [], 'run it with UPDATE=1');
    for (const [key, text] of Object.entries(bundle)) assert.equal(text, key);
  });

  it('texts that people read say neither please nor successfully, and shout at nobody', () => {
    const wrong = texts.filter(({ text }) => /\b(please|successfully)\b|!(?!=)/i.test(text));
    assert.deepEqual(wrong, []);
  });

  for (const [english, german] of [
    ['l10n/bundle.l10n.json', 'l10n/bundle.l10n.de.json'],
    ['package.nls.json', 'package.nls.de.json'],
  ] as const)
    it(`${german} says everything that ${english} says, with the same placeholders, commands and code`, () => {
      const from = read(english);
      const to = read(german);
      assert.deepEqual(without(from, to), [], `translate these into ${german}, by hand and in its words`);
      assert.deepEqual(without(to, from), [], `take these out of ${german}`);
      const keys = readFileSync(german, 'utf8').match(/^ *"(?:[^"\\]|\\.)*": /gm) ?? [];
      assert.equal(keys.length, Object.keys(to).length, 'a key stands twice, and the last one counts');
      for (const [key, text] of Object.entries(from)) assert.deepEqual(kept(to[key] ?? ''), kept(text), key);
    });

  it('a text that names a command of ours names it in German by its German name', () => {
    const [from, to] = [read('package.nls.json'), read('package.nls.de.json')];
    // A title that is a common word stands in texts that are about something else.
    const titles = Object.keys(from)
      .filter((key) => /^command\.[A-Za-z]+$/.test(key))
      .map((key) => ({ english: (from[key] ?? '').replace('…', ''), german: (to[key] ?? '').replace('…', '') }))
      .filter(({ english }) => /^[A-Z]\w+ \w+/.test(english));
    assert.ok(titles.length > 50, String(titles.length));
    const names = new Map(titles.map(({ english, german }) => [english, german]));
    const longest = [...names.keys()]
      .sort((one, other) => other.length - one.length)
      .map((title) => title.replace(/[^\w ]/g, '\\$&'));
    const named = new RegExp(`(?<![\\w“"„])(?:${longest.join('|')})(?![\\w”])|(?<=[“"])(?:${longest.join('|')})`, 'g');
    const wrong = [
      [read('l10n/bundle.l10n.json'), read('l10n/bundle.l10n.de.json')] as const,
      [from, to] as const,
    ].flatMap(([english, german]) =>
      Object.entries(english).flatMap(([key, text]) =>
        (text.match(named) ?? [])
          .filter((name) => !(german[key] ?? '').includes(names.get(name) ?? ''))
          .map((name) => `${key}: ${name} is ${names.get(name)}`),
      ),
    );
    assert.deepEqual(wrong, []);
  });

  it('the words of the example in the box for filters mean something in German, too', () => {
    const bundle = read('l10n/bundle.l10n.de.json');
    const example = 'words, asks, high, off, risk:<=medium, -effect:fs.write, source:mcp, is:on';
    const german = stateWords((text) => bundle[text] ?? text);
    const [, ...words] = (bundle[example] ?? '').split(', ').filter((word) => !word.includes(':'));
    assert.equal(words.length, 3);
    for (const word of words) assert.ok(german.has(word), word);
  });
});
