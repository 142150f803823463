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

/** One German word for one thing. Code, links and names of files are left out. */
const glossary: readonly {
  readonly term: RegExp;
  /** What German says where the English text has the term. */
  readonly stem?: RegExp;
  /** What stands in German where the English text has the term, and nowhere else. */
  readonly only?: RegExp;
  /** What German never says for it. */
  readonly never?: RegExp;
}[] = [
  { term: /\bcapabilit(?:y|ies)\b/i, stem: /Fähigkeit/, never: /Capabilit/ },
  { term: /\brequirements?\b/i, stem: /[Vv]oraus/, never: /Anforderung/ },
  { term: /\bclauses?\b/i, stem: /Bedingung/, never: /Klausel/ },
  { term: /\bsegments?\b/i, stem: /Abschnitt/, never: /Segment/ },
  { term: /\bscopes?\b/i, stem: /Befugnis/, never: /Scope/ },
  { term: /\bplain agent\b/i, stem: /einfache[mnr]?/i, never: /bloße[mnr]? Agent/i },
  { term: /\baudit\b/i, stem: /Audit/i },
  { term: /\b(?:logs?|protocol)\b/i, only: /Protokoll/ },
  // Where English tells a model to ask the user, German speaks to that person.
  { term: /\busers?\b/i, never: /(?<![a-zäöüß])Nutzer/ },
];

/** Texts in which a word of the glossary means something else, with what. */
const otherSense: Readonly<Record<string, string>> = {
  'must not hold `.` or `..` segments': 'parts of an address',
  'server.oauth.scope': 'a word of OAuth',
};

/** The words of a text: its code, its links, the names of files and our own name say nothing of the language. */
const prose = (text: string): string =>
  text
    .replace(/``[^`]+``|`[^`]*`|\]\([^)]*\)|[@./\w-]*\.\w[\w/]*|@\w+|\*\*/g, ' ')
    .replace(/Agent Capabilities|agent-capabilities/g, ' ');

/** Texts that count what is always several, with why; all others that count have another one for 1. */
const neverOne: Readonly<Record<string, string>> = {
  'All {0} records were verified: none was changed or taken out.': 'the tour makes a dozen',
  'At least {0} characters': 'what an administrator types is longer',
  'At least {0} characters. It is asked for where a call needs an administrator.': 'as before',
  'Costs about {0} tokens in every request': 'a tool costs dozens',
  'None found among {0} calls that were made of what the rules name.': 'of a rule several are made',
  'One for each way in which a rule changes an answer, found among {0} calls that were made of what the rules name.':
    'as before',
  'Stopped after {0} rounds.': 'the limit of a chat is dozens',
  'The agent has worked for {0} rounds without finishing.': 'as before',
  '{0} addresses': 'one is named',
  '{0} calls wait: those ticked are allowed once, all others are denied': 'one has a question of its own',
  '{0} files': 'one is named',
  '{0} things': 'one is named',
  '~{0} tokens': 'a profile or a tool costs dozens',
  '… {0} lines more, shown by Show in Editor': 'it replaces a line, so that two are missing; what counts one says so',
  '⚠ This profile and the editor together may send {0} tools, and a request may carry 128. Switch some off here or in the tool picker of the chat.':
    'more than 128',
};

const countsSeveral =
  /\{\d\} (?:more |other |new )?(?!(?:is|was|has|as|its|this|asks|exists|needs|shows|starts|stays)\b)(?:need|ask|deny|wait|allow|[a-z]+s)\b/;

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

  for (const [english, german] of [
    ['l10n/bundle.l10n.json', 'l10n/bundle.l10n.de.json'],
    ['package.nls.json', 'package.nls.de.json'],
  ] as const)
    it(`${german} has one word for one thing, and its own quotes`, () => {
      const to = read(german);
      const wrong = Object.entries(read(english))
        .filter(([key]) => otherSense[key] === undefined)
        .flatMap(([key, text]) => {
          const [from, said] = [prose(text), prose(to[key] ?? '')];
          const terms = glossary.filter(({ term, stem, only, never }) =>
            term.test(from) ? stem?.test(said) === false || never?.test(said) : (only ?? never)?.test(said),
          );
          const quoted = (to[key]?.match(/"[^"]*"/g) ?? []).filter((one) => /\{\d\}/.test(one) || !text.includes(one));
          return [...terms.map(({ term }) => String(term)), ...quoted].map((one) => `${one} ${key}: ${to[key] ?? ''}`);
        });
      assert.deepEqual(wrong, []);
    });

  it('a text that counts several has another one for 1 beside it', () => {
    const at = ({ place }: (typeof texts)[number]): readonly [string, number] => {
      const [, file = place, line = '0'] = /^(.*):(\d+)$/.exec(place) ?? [];
      return [file.replace(/^the words of .*/, 'the catalogue'), Number(line)];
    };
    const ones = texts.filter(({ text }) => /\b1\b/.test(text)).map(at);
    const wrong = texts.filter((found) => {
      if (!countsSeveral.test(found.text)) return false;
      const [file, line] = at(found);
      return !ones.some((one) => one[0] === file && Math.abs(one[1] - line) <= 9);
    });
    assert.deepEqual([...new Set(wrong.map(({ text }) => text))].sort(), Object.keys(neverOne).sort());
  });
});
