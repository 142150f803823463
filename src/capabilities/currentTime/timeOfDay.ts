import { countOf } from './duration';
import { PhraseError, type PhraseWords } from './phraseWords';

export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export function timeOf(hour: number, minute = 0, second = 0): TimeOfDay {
  if (hour > 23 || minute > 59 || second > 59) throw new PhraseError(`${hour}:${String(minute).padStart(2, '0')}`);
  return { hour, minute, second };
}

/** `15:00`, `3pm`, `3:30 p.m.`, `noon`, `half past 3`, `quarter to five`, `morning`. */
export function readTimeOfDay(words: PhraseWords, assumed: string[]): TimeOfDay | undefined {
  const start = words.at;
  while (words.takeOne('at', '@', 'in', 'the', ','));
  if (words.next() === 'this' && ['morning', 'afternoon', 'evening'].includes(words.next(1) ?? '')) words.at++;
  if (words.takeOne('noon', 'midday')) return timeOf(12);
  if (words.takeOne('midnight')) return timeOf(0);
  for (const [word, hour] of [
    ['morning', 9],
    ['afternoon', 15],
    ['evening', 19],
    ['night', 20],
  ] as const) {
    if (words.takeOne(word)) {
      assumed.push(`${word}: ${hour}:00`);
      return timeOf(hour);
    }
  }
  const time = clockTime(words) ?? spokenTime(words);
  if (!time) words.at = start;
  return time;
}

function clockTime(words: PhraseWords): TimeOfDay | undefined {
  const word = words.next() ?? '';
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(word);
  if (!clock && !/^\d{1,2}$/.test(word)) return undefined;
  words.at++;
  const half = meridiem(words);
  if (half === undefined && !clock && !words.take('o', "'", 'clock') && !words.takeOne('oclock', 'h')) {
    words.at--;
    return undefined;
  }
  const hour = Number(clock?.[1] ?? word);
  if (half !== undefined && (hour < 1 || hour > 12)) throw new PhraseError(`${word}${half}`);
  const onDial = half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0);
  return timeOf(onDial, Number(clock?.[2] ?? 0), Number(clock?.[3] ?? 0));
}

function meridiem(words: PhraseWords): 'am' | 'pm' | undefined {
  for (const half of ['am', 'pm'] as const) {
    if (words.takeOne(half)) return half;
    const [letter = '', m = ''] = half;
    if (words.take(letter, m)) return half;
  }
  return undefined;
}

/** `half past 3`, `quarter to five pm`, `10 past 4`. */
function spokenTime(words: PhraseWords): TimeOfDay | undefined {
  const start = words.at;
  while (words.takeOne('a'));
  const word = words.next();
  const minutes = word === 'half' ? 30 : word === 'quarter' ? 15 : countOf(word);
  words.at++;
  words.takeOne('minutes', 'minute', 'min');
  const way = words.takeOne('past', 'to');
  const hour = way === undefined ? undefined : countOf(words.next());
  if (minutes === undefined || hour === undefined || minutes >= 60 || hour > 23 || hour !== Math.trunc(hour)) {
    words.at = start;
    return undefined;
  }
  words.at++;
  const half = meridiem(words);
  const onDial = half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0);
  const total = (onDial * 60 + (way === 'past' ? minutes : -minutes) + 1440) % 1440;
  return timeOf(Math.floor(total / 60), total % 60);
}
