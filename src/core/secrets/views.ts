import { codedViews } from './codings';
import { bareViews, byLine, joinedViews, type KnownCuts } from './cuts';
import { unescapedViews } from './escapes';
import type { Finding, SecretFinder } from './finding';
import { isRandom } from './shape';
import { countUpTo, type Rewritten, type Run, type View } from './view';

/** What is coded may be coded once more, and one of both be the escapes of an URL that are escaped themselves. */
const mostCodings = 3;

/** What was taken out of a text on the way to it: what shows nothing, then what cuts words. */
type Without = 'nothing' | 'signs' | 'cuts';

interface Reader {
  readonly find: SecretFinder;
  readonly known: KnownCuts | undefined;
}

/**
 * What a finder finds in a text, and what is sure in all that receivers read in it: without what shows nothing and what
 * cuts words, behind escapes and in what is coded, also where several of these come together.
 * @param known tells where known values may be cut.
 */
export function findInViews(text: string, find: SecretFinder, known?: KnownCuts): readonly Finding[] {
  const found = find(text);
  const more = inViews(text, found, { find, known }, 'nothing', mostCodings);
  if (more.length === 0) return found;
  return [...found, ...more.flatMap((one) => byLine(text, one).map((run) => ({ ...one, ...run })))];
}

function inViews(
  text: string,
  found: readonly Finding[],
  reader: Reader,
  without: Without,
  codings: number,
): readonly Finding[] {
  const more: Finding[] = [];
  const findIn = (read: string, isWithout: Without, left: number): readonly Finding[] => {
    const own = reader.find(read);
    return [...own.filter(({ sure }) => sure === true), ...inViews(read, own, reader, isWithout, left)];
  };
  if (without === 'nothing')
    for (const view of bareViews(text)) more.push(...placed(view, findIn(view.text, 'signs', codings)));
  if (without !== 'cuts') {
    const covered = coverOf(found);
    for (const view of joinedViews(text, reader.known))
      for (const whole of findIn(view.text, 'cuts', codings)) {
        const one = withoutWordsBehind(view, whole, reader.find);
        more.push(...placed(view, [one]).filter((place) => isLonger(place, one) && !covered(place)));
      }
  }
  if (codings > 0)
    for (const view of [...unescapedViews(text), ...codedViews(text)])
      more.push(...placed(view, findIn(view.text, 'nothing', codings - 1)));
  return more;
}

/** Where the text holds what was found in a view. */
const placed = (view: View, found: readonly Finding[]): readonly Finding[] =>
  found.flatMap((one) => view.placesOf(one.start, one.end).map((run) => ({ ...one, ...run })));

/** Whether a cut lies within what was found without cuts; all else is found in the text itself. */
const isLonger = (place: Run, inView: Run): boolean => place.end - place.start !== inView.end - inView.start;

/** Cuts within a token that are tried one by one, and what a piece of one has at least, in characters. */
const [mostTried, leastPiece, nameReach] = [8, 16, 300];

/** A token as it is without what stands behind a cut and was taken for more of it: a word of the next line. */
function withoutWordsBehind({ text, ats }: Rewritten, one: Finding, find: SecretFinder): Finding {
  const cuts = ats.subarray(countUpTo(ats, one.start), countUpTo(ats, one.end - 1));
  const from = Math.max(0, one.start - nameReach);
  for (const [index, end] of cuts.subarray(0, mostTried).entries()) {
    const isIt = (found: Finding): boolean =>
      found.sure === true && from + found.start === one.start && from + found.end === end;
    if (index === 0 || !find(text.slice(from, end)).some(isIt)) continue;
    let last = end;
    for (const next of [...cuts.subarray(index + 1), one.end]) {
      const piece = text.slice(last, next);
      if (piece.length < leastPiece || !isRandom(piece, 3)) break;
      last = next;
    }
    return { ...one, end: last };
  }
  return one;
}

/**
 * Tells whether a part of what was found without cuts is a secret by itself: a word behind a token belongs to it only
 * by chance.
 */
function coverOf(found: readonly Finding[]): (place: Run) => boolean {
  let starts: readonly number[] | undefined;
  const ends: number[] = [];
  const sort = (): readonly number[] => {
    const all = found.filter(({ sure }) => sure === true).sort((a, b) => a.start - b.start);
    for (const { end } of all) ends.push(Math.max(ends.at(-1) ?? 0, end));
    return all.map(({ start }) => start);
  };
  return ({ start, end }) => (ends[countUpTo((starts ??= sort()), end - 1) - 1] ?? 0) > start;
}
