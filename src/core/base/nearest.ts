import { say, type Sentence, worded } from './sentence';

/** Counts the single-character edits between two words, giving up above `limit`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      const value = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + cost,
      );
      current.push(value);
      best = Math.min(best, value);
    }
    if (best > limit) return limit + 1;
    previous = current;
  }
  return previous[b.length] ?? limit + 1;
}

/**
 * Finds the names that a person or a model most likely meant: near spellings first, then names that contain the word.
 * Returns at most `count` names; an empty list where nothing is near.
 */
export function nearestNames(wanted: string, names: Iterable<string>, count = 3): readonly string[] {
  const word = wanted.toLowerCase().slice(0, 100);
  const scored: { name: string; score: number }[] = [];
  for (const name of names) {
    const candidate = name.toLowerCase();
    const limit = Math.max(2, Math.floor(word.length / 3));
    const edits = distance(word, candidate, limit);
    if (edits <= limit) scored.push({ name, score: edits });
    else if (word.length >= 3 && (candidate.includes(word) || word.includes(candidate)))
      scored.push({ name, score: limit + 1 });
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
  return scored.slice(0, count).map((entry) => entry.name);
}

/** The end of a sentence that proposes the near names; empty where there are none. */
export function proposal(wanted: string, names: Iterable<string>): Sentence | '' {
  const near = nearestNames(wanted, names);
  return near.length === 0 ? '' : say('did_you_mean', near);
}

/** The name that a sentence proposes first, itself or in one of its parts; undefined where it proposes none. */
export function proposedName({ code, args }: Sentence): string | undefined {
  for (const one of args) {
    if (typeof one !== 'object') continue;
    const name = 'code' in one ? proposedName(one) : code === 'did_you_mean' ? one[0] : undefined;
    if (typeof name === 'string') return name;
  }
  return undefined;
}

/** Words a list of near names as the end of an error message; empty where there are none. */
export function didYouMean(wanted: string, names: Iterable<string>): string {
  const near = proposal(wanted, names);
  return near === '' ? '' : worded(near);
}
