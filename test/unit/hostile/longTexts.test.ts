import { strict as assert } from 'node:assert';
import { isAllowedByRobots, parseRobots } from '../../../src/capabilities/webFetch/fetch/robots';
import { linksIn } from '../../../src/core/flow/links';
import { sendingLinks } from '../../../src/core/flow/sendingLinks';
import { AnswerReader } from '../../../src/core/foreign/answerReader';
import { readTools } from '../../../src/core/foreign/foreignList';
import { canonicalHost } from '../../../src/core/hosts/canonicalHost';
import { changeLines } from '../../../src/core/present/listingWords';
import { plainWords } from '../../../src/core/base/translate';
import { workOf } from '../../support/processorTime';

const product = 'AgentCapabilities';
const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');
const tools = (count: number, name: string) =>
  readTools(
    Array.from({ length: count }, (_, at) => ({
      name: `${name}${at}`,
      description: `Does ${name}${at}`,
      inputSchema: { type: 'object' },
    })),
  ).tools;

/** What strangers write, by its length, and who reads it. */
const readings: Readonly<Record<string, readonly [small: number, read: (length: number) => void]>> = {
  'the bytes of a resource': [
    3000,
    (length) => new AnswerReader().resource({ mimeType: 'application/pdf', blob: `${'='.repeat(length)}x` }),
  ],
  'an address that ends in marks': [6000, (length) => linksIn(`https://a.example/${'!'.repeat(length)}a`)],
  'an address that would send something': [6000, (length) => sendingLinks(`https://a.example/?${'!'.repeat(length)}a`)],
  'a host of dots': [3000, (length) => canonicalHost(`A${'.'.repeat(length)}b`)],
  'a line of robots.txt with a gap': [
    4000,
    (length) => parseRobots(`User-agent: *\nDisallow: /a${' '.repeat(length)}b`, product),
  ],
  'a robots.txt of many agents with many rules': [
    500,
    (length) =>
      parseRobots(
        `${lines(length, (at) => `User-agent: a${at}`)}\n${lines(length, (at) => `Disallow: /${at}`)}`,
        product,
      ),
  ],
  'a list of tools that all have other names': [
    80,
    (length) => changeLines(tools(length, 'a'), tools(length, 'b'), plainWords),
  ],
};

describe('what strangers write', () => {
  for (const [what, [small, read]] of Object.entries(readings))
    it(`takes eight times the time where it is eight times as long, not its square: ${what}`, () => {
      read(small);
      const [once, eightfold] = [workOf(() => read(small), 3), workOf(() => read(8 * small))];
      assert.ok(eightfold < 24 * once + 100, `${once} ms, and ${eightfold} ms of eight times as much`);
    });

  it('is brought into one spelling once, not for each rule of a robots.txt', () => {
    const path = `/${'a'.repeat(50_000)}`;
    const [few, many] = [100, 800].map((count) => {
      const rules = parseRobots(`User-agent: *\n${lines(count, (at) => `Disallow: /z${at}*a*b`)}`, product);
      return workOf(() => assert.ok(isAllowedByRobots(rules, path)), 3);
    });
    assert.ok((many ?? Infinity) < 4 * (few ?? 0) + 2, `${few} ms for 100 rules, ${many} ms for 800`);
  });

  it('keeps of a robots.txt what is for us, and of that 10,000 rules', () => {
    const text = `User-agent: a\nUser-agent: *\n${lines(20_000, (at) => `Disallow: /*a*${at}`)}\nUser-agent: b\nDisallow: /`;
    const { rules } = parseRobots(text, product);
    assert.equal(rules.length, 10_000);
    assert.deepEqual(
      [isAllowedByRobots({ rules, crawlDelayMs: 0 }, '/xa9999'), isAllowedByRobots({ rules, crawlDelayMs: 0 }, '/b')],
      [false, true],
    );
  });
});
