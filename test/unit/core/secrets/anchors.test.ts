import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { Anchors, nextHash, otherMark } from '../../../../src/core/secrets/anchors';
import { runs } from '../../../support/counts';

const words = ['token', 'ken', 'kenton', 'on-the', '://', 'the', 'aaa', 'aaaa', '-----begin', 'ntt'];

/** What a plain search of each word finds: by place, then in the order of the words. */
function plainly(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return [...lower].flatMap((_char, at) =>
    words.filter((word) => lower.startsWith(word, at)).map((word) => `${at} ${word}`),
  );
}

describe('searching for many words at once', () => {
  it('D.redaction: tells of each word where it begins, in order, by whichever of its letters it is looked for', () => {
    const anchors = new Anchors(words.map((word) => [word, word] as const));
    const piece = fc.constantFrom(...words, 'TOKEN', 'a', 'n', 'on', 't', '-', '/', ':', ' ', 'é', '…');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        const met: string[] = [];
        anchors.search(text, (at, owners) => met.push(...owners.map((word) => `${at} ${word}`)));
        assert.deepEqual(met, plainly(text));
      }),
      { numRuns: runs(75, 3000) },
    );
  });

  it('D.redaction: shows others the places that they marked, and its own words as before', () => {
    const anchors = new Anchors([['token', 'token']]);
    const marks = anchors.copyMarks();
    const hash = [...'xyz'].map((char) => char.charCodeAt(0)).reduce(nextHash, 0);
    marks[hash] = (marks[hash] ?? 0) | otherMark;
    const seen: string[] = [];
    const lookAt = (at: number): void => void seen.push(`other ${at}`);
    anchors.search('xyz token XYZ', (at, [word]) => seen.push(`${word} ${at}`), { marks, lookAt });
    assert.deepEqual(seen, ['other 0', 'other 10', 'token 4']);
  });
});
