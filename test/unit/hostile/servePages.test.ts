import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { visibleText } from '../../../src/core/base/visible';
import { ClientUser } from '../../../src/mcp/server/clientUser';
import { pagesOf } from '../../../src/mcp/server/pages';
import { RunningCalls } from '../../../src/mcp/server/runningCalls';
import { unhurriedClock } from '../../support/unhurriedClock';
import { runs } from '../../support/counts';
import { anyCharacter } from '../../support/anyCharacter';

const never = new AbortController().signal;
/** A person behind a client that answers page by page. */
function person(answers: (page: number, message: string, offered: readonly string[]) => string | Error) {
  const pages: { message: string; offered: readonly string[] }[] = [];
  const notes: string[] = [];
  const user = new ClientUser({
    clock: unhurriedClock(),
    calls: new RunningCalls(),
    yes: false,
    onNote: (text) => notes.push(text),
  });
  let hello: () => void = () => undefined;
  const server: any = {
    getClientCapabilities: () => ({ elicitation: {} }),
    elicitInput: async ({ message, requestedSchema }: any) => {
      const offered = requestedSchema.properties.decision.oneOf.map((one: { const: string }) => one.const);
      pages.push({ message, offered });
      const answer = answers(pages.length, message, offered);
      if (answer instanceof Error) throw answer;
      if (answer === 'decline' || answer === 'cancel') return { action: answer };
      return { action: 'accept', content: { decision: answer } };
    },
  };
  user.attach({ server, onInitialized: (listener) => (hello = listener) });
  hello();
  return { user, pages, notes };
}

const patient = (_page: number, _message: string, offered: readonly string[]): string =>
  offered.includes('next') ? 'next' : 'approve';
const long = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `tool_${i} (low): ${'does many things, '.repeat(10)}`);
const listing = (lines: readonly string[], more: object = {}) => ({
  server: 's',
  count: lines.length,
  lines: () => lines,
  readOnly: [],
  ...more,
});

describe('D.approval-binding: serve shows all of it before the yes', () => {
  for (const count of [1, 20, 31, 32, 33, 60, 300])
    it(`D.approval-binding: ${count} tools are shown whole, by pages, and only the last page offers yes`, async () => {
      const lines = [...long(count), 'steal (low): THE LAST LINE'];
      const p = person(patient);
      assert.equal(await p.user.approveTools(listing(lines), never), 'approve');
      const all = p.pages.map(({ message }) => message).join('\n');
      for (const line of lines) assert.ok(all.includes(line));
      for (const [index, { message, offered }] of p.pages.entries()) {
        assert.ok(message.length < 6100);
        const isLast = index === p.pages.length - 1;
        assert.deepEqual(offered, isLast ? ['approve', 'refuse'] : ['next', 'refuse']);
        if (p.pages.length > 1) assert.ok(message.endsWith(`(page ${index + 1} of ${p.pages.length})`));
      }
    });

  for (const answer of ['approve', 'approve-with-hints', 'refuse', 'decline', 'cancel', 'NEXT', ''])
    for (const at of [1, 3])
      it(`D.approval-binding: \`${answer}\` on page ${at} that is not the last refuses`, async () => {
        const p = person((page, ...more) => (page === at ? answer : patient(page, ...more)));
        assert.equal(await p.user.approveTools(listing(long(150), { readOnly: ['tool_0'] }), never), 'refuse');
        assert.equal(p.pages.length, at);
      });

  for (const answer of ['next', 'refuse', 'decline', 'cancel', 'approve-with-hints', 'Approve'])
    it(`D.approval-binding: \`${answer}\` on the last page refuses where nothing is said of reading only`, async () => {
      const p = person((_page, _message, offered) => (offered.includes('next') ? 'next' : answer));
      assert.equal(await p.user.approveTools(listing(long(60)), never), 'refuse');
    });

  it('D.approval-binding: a client that goes away between two pages refuses', async () => {
    const p = person((page) => (page === 2 ? new Error('gone') : 'next'));
    assert.equal(await p.user.approveTools(listing(long(150)), never), 'refuse');
    assert.match(p.notes.join(), /gone/);
  });

  it('D.approval-binding: a change is shown whole, and so is what is believed of reading only', async () => {
    const p = person(patient);
    const diff = [...long(100), '+ tool evil: the end'];
    const readOnly = Array.from({ length: 2000 }, (_, i) => `reader_${i}`);
    assert.equal(await p.user.approveTools(listing(['x'], { diff: () => diff, readOnly }), never), 'approve');
    const all = p.pages.map(({ message }) => message.replace(/\n\n\(page \d+ of \d+\)$/, '')).join('');
    assert.ok(all.includes('+ tool evil: the end') && all.includes('reader_1999'));
  });

  it('D.approval-binding: what nobody would read to its end is refused', async () => {
    const p = person(patient);
    assert.equal(await p.user.approveTools(listing(long(10_000)), never), 'refuse');
    assert.deepEqual([p.pages.length, p.notes.length], [0, 1]);
  });

  it('D.approval-binding: pages leave nothing out, whatever the lines, and show what is invisible', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.string({ unit: anyCharacter, maxLength: 80 }),
      fc.constantFrom('', '😀'.repeat(90), 'a\u202Eb'),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.integer({ min: 20, max: 400 }), (lines, length) => {
        const pages = pagesOf(lines, length);
        for (const page of pages) assert.ok(page.length <= length + 1 && !/^[\uDC00-\uDFFF]/.test(page));
        const strip = (text: string): string => text.replaceAll('\n', '');
        assert.equal(strip(pages.join('')), strip(lines.map((one) => visibleText(one).text).join('')));
      }),
      { numRuns: runs(10, 400, 5000) },
    );
  });
});
