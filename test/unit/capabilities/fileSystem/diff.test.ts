import { strict as assert } from 'node:assert';
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { changeBetween } from '../../../../src/capabilities/fileSystem/change/diff';
import { describeMiss } from '../../../../src/capabilities/fileSystem/change/nearestText';
import { runs } from '../../../support/counts';

describe('the diff of a change', () => {
  const line = fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', '-- x\n', '++ y\n');
  const text = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('', 'end'))
    .map((all) => all.flat().join(''));

  it('D.modal: applied to what was there gives what will be there', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { diff, added, removed } = changeBetween('a.txt', before, after);
        assert.equal(diff === '' ? before : applyPatch(before, diff), after);
        const grown = after.split('\n').length - before.split('\n').length;
        if (before.endsWith('\n') && after.endsWith('\n')) assert.equal(added - removed, grown);
      }),
      { numRuns: runs(75, 3000) },
    );
  });

  it('D.modal: is the same on a machine where every step takes a second', () => {
    const [before, after] = ['one\ntwo\nthree\nfour\n', 'one\n2\nthree\n4\n'];
    const [file, wanted] = ['call(alpha, beta);\n', 'call(alpha, beto);'];
    const quick = [changeBetween('a.txt', before, after), describeMiss(file, wanted, 'x')];
    const { now } = Date;
    let at = now();
    Date.now = () => (at += 1000);
    try {
      assert.deepEqual([changeBetween('a.txt', before, after), describeMiss(file, wanted, 'x')], quick);
    } finally {
      Date.now = now;
    }
    assert.match(JSON.stringify(quick[1]), /bet\[-o-\]\{\+a\+\}/);
  });

  it('D.modal: shows the whole change as one block where comparing takes long, however busy the machine is', () => {
    const lines = (word: string): string => Array.from({ length: 8000 }, (_, index) => `${word} ${index}\n`).join('');
    const [before, after] = [`first\n${lines('old')}last\n`, `first\n${lines('new')}last\n`];
    const { diff, added, removed, isCompared } = changeBetween('a.txt', before, after);
    assert.deepEqual([added, removed, isCompared], [8000, 8000, true]);
    assert.equal(applyPatch(before, diff), after);
  });
});
