import { countOf, type DurationParts, negateDuration, readDuration } from './duration';
import type { PlainDate, PlainTime, TemporalApi, ZonedDateTime } from './temporal';

/** What a phrase says: an exact moment counted from now, or a day and a time of day, with what had to be assumed. */
export type Phrase =
  | { readonly kind: 'shifted'; readonly base: Phrase; readonly shift: DurationParts }
  | { readonly kind: 'now' }
  | {
      readonly kind: 'local';
      readonly date: PlainDate;
      readonly time: PlainTime | undefined;
      readonly assumed: readonly string[];
    };

const weekdayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];

function byPrefix(names: readonly string[], word: string | undefined): number | undefined {
  if (word === undefined || word.length < 3 || word.length > 9) return undefined;
  const short = word === 'sept' || word === 'tues' || word === 'thur' || word === 'thurs' || word.length === 3;
  const index = names.findIndex((name) => name === word || (short && name.startsWith(word)));
  return index < 0 ? undefined : index + 1;
}
const weekdayOf = (word: string | undefined): number | undefined => byPrefix(weekdayNames, word);
const monthOf = (word: string | undefined): number | undefined => byPrefix(monthNames, word);

/** A word that a phrase parser did not understand. */
export class PhraseError extends Error {}

/**
 * Understands English phrases such as `next monday at 3pm`, `in 5 minutes`, `2 days before tomorrow`, `last friday of
 * march 2027`. Throws a PhraseError that names the word where it gave up.
 */
export function parsePhrase(text: string, now: ZonedDateTime, Temporal: TemporalApi): Phrase {
  const spaced = text.toLowerCase().replace(/\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/, '$1 . $2 . $3');
  const words = spaced.match(/\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}(?::\d{2})?|\d+(?:\.\d+)?|[a-z]+\.?|[^\sa-z\d]/g) ?? [];
  return new Parser(
    words.map((word) => (/^[a-z]+\.$/.test(word) ? word.slice(0, -1) : word)),
    now,
    Temporal,
  ).whole();
}

class Parser {
  readonly #words: readonly string[];
  readonly #now: ZonedDateTime;
  readonly #temporal: TemporalApi;
  readonly #assumed: string[] = [];
  #at = 0;
  #date: PlainDate | undefined;
  #time: PlainTime | undefined;

  constructor(words: readonly string[], now: ZonedDateTime, temporal: TemporalApi) {
    this.#words = words;
    this.#now = now;
    this.#temporal = temporal;
  }

  whole(): Phrase {
    const phrase = this.#shifted() ?? this.#local();
    const rest = this.#words[this.#at];
    if (rest !== undefined) throw new PhraseError(rest);
    return phrase;
  }

  #word(offset = 0): string | undefined {
    return this.#words[this.#at + offset];
  }

  /** Passes the next words if they are these. */
  #take(...wanted: readonly string[]): boolean {
    if (!wanted.every((word, index) => this.#word(index) === word)) return false;
    this.#at += wanted.length;
    return true;
  }

  #takeOne(...choices: readonly string[]): string | undefined {
    const word = this.#word();
    if (word === undefined || !choices.includes(word)) return undefined;
    this.#at++;
    return word;
  }

  get #today(): PlainDate {
    return this.#now.toPlainDate();
  }

  /** `in 5 minutes`, `2 days ago`, `3 weeks after 1 march`, `an hour before noon`. */
  #shifted(): Phrase | undefined {
    const start = this.#at;
    const ahead = this.#take('in') || this.#take('+');
    const read = readDuration(this.#words, this.#at);
    if (!read) {
      this.#at = start;
      return undefined;
    }
    this.#at = read.next;
    const shifted = (shift: DurationParts, base: Phrase = { kind: 'now' }): Phrase => ({
      kind: 'shifted',
      base,
      shift,
    });
    if (this.#takeOne('ago', 'earlier')) return this.#atTime(shifted(negateDuration(read.parts)));
    if (this.#takeOne('later', 'hence') || this.#take('from', 'now')) return this.#atTime(shifted(read.parts));
    if (this.#takeOne('after', 'from')) return shifted(read.parts, this.#rest());
    if (this.#takeOne('before')) return shifted(negateDuration(read.parts), this.#rest());
    if (ahead) return this.#atTime(shifted(read.parts));
    this.#at = start;
    return undefined;
  }

  #rest(): Phrase {
    return this.#shifted() ?? this.#local();
  }

  /** `in 3 days at 9am`: the day of the shifted moment, with its own time. */
  #atTime(phrase: Phrase): Phrase {
    if (this.#at >= this.#words.length || phrase.kind !== 'shifted') return phrase;
    this.#timeOfDay();
    if (!this.#time) return phrase;
    return { kind: 'local', date: this.#now.add(phrase.shift).toPlainDate(), time: this.#time, assumed: this.#assumed };
  }

  #local(): Phrase {
    if (this.#words.length === 1 && this.#takeOne('now')) return { kind: 'now' };
    if (this.#takeOne('now') || this.#take('right', 'now')) return { kind: 'now' };
    for (;;) {
      const before = this.#at;
      while (this.#takeOne(',', 'on', 'the', 'at', '@'));
      if (this.#date === undefined && this.#dateWords()) continue;
      if (this.#time === undefined && this.#timeOfDay()) continue;
      if (this.#at === before || this.#at >= this.#words.length) break;
      throw new PhraseError(this.#word() ?? '');
    }
    if (this.#date === undefined && this.#time === undefined) throw new PhraseError(this.#word() ?? '');
    if (this.#date === undefined) this.#assumed.push('no day was given: today');
    if (this.#time === undefined) this.#assumed.push('no time of day was given: start of the day');
    return { kind: 'local', date: this.#date ?? this.#today, time: this.#time, assumed: this.#assumed };
  }

  #setDate(date: PlainDate): true {
    this.#date = date;
    return true;
  }

  #setTime(hour: number, minute = 0, second = 0): boolean {
    if (hour > 23 || minute > 59 || second > 59) throw new PhraseError(`${hour}:${String(minute).padStart(2, '0')}`);
    this.#time = new this.#temporal.PlainTime(hour, minute, second);
    return true;
  }

  #dateWords(): boolean {
    const today = this.#today;
    if (this.#take('day', 'after', 'tomorrow')) return this.#setDate(today.add({ days: 2 }));
    if (this.#take('day', 'before', 'yesterday')) return this.#setDate(today.subtract({ days: 2 }));
    if (this.#takeOne('today')) return this.#setDate(today);
    if (this.#takeOne('tomorrow', 'tmrw', 'tomorow')) return this.#setDate(today.add({ days: 1 }));
    if (this.#takeOne('yesterday')) return this.#setDate(today.subtract({ days: 1 }));
    if (this.#takeOne('tonight')) {
      this.#assumed.push('tonight: 20:00 unless a time is given');
      this.#time = new this.#temporal.PlainTime(20);
      this.#setDate(today);
      const vague = this.#time;
      this.#time = undefined;
      while (this.#takeOne('at', '@'));
      if (!this.#timeOfDay()) this.#time = vague;
      return true;
    }
    const word = this.#word();
    if (word !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(word)) {
      this.#at++;
      return this.#setDate(this.#dateOf(Number(word.slice(0, 4)), Number(word.slice(5, 7)), Number(word.slice(8))));
    }
    return this.#edgeOfPeriod() || this.#relativeDay() || this.#ordinalWeekday() || this.#calendarDate();
  }

  #dateOf(year: number, month: number, day: number): PlainDate {
    try {
      return this.#temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
    } catch {
      throw new PhraseError(`${day} ${monthNames[month - 1] ?? month} ${year}`);
    }
  }

  /** `end of the month`, `start of next year`, `last day of february`. */
  #edgeOfPeriod(): boolean {
    const start = this.#at;
    const edge =
      this.#take('last', 'day', 'of') || this.#take('end', 'of')
        ? 'end'
        : this.#take('first', 'day', 'of') || this.#take('start', 'of') || this.#take('beginning', 'of')
          ? 'start'
          : undefined;
    if (edge === undefined) return false;
    const isEnd = edge === 'end';
    while (this.#takeOne('the'));
    const month = monthOf(this.#word());
    if (month !== undefined) {
      this.#at++;
      const first = this.#dateOf(this.#year(), month, 1);
      return this.#setDate(isEnd ? first.add({ months: 1 }).subtract({ days: 1 }) : first);
    }
    const step = this.#step();
    const period = this.#takeOne('day', 'today', 'week', 'month', 'quarter', 'year');
    if (period === undefined) {
      this.#at = start;
      return false;
    }
    const first = this.#startOf(period, step);
    const next = this.#startOf(period, step + 1);
    if (period === 'day' || period === 'today') {
      if (isEnd) this.#setTime(23, 59, 59);
      return this.#setDate(first);
    }
    return this.#setDate(isEnd ? next.subtract({ days: 1 }) : first);
  }

  /** `next`, `last`, `this` or nothing, as steps. */
  #step(): number {
    const word = this.#takeOne('next', 'last', 'previous', 'this', 'coming', 'current');
    return word === 'next' || word === 'coming' ? 1 : word === 'last' || word === 'previous' ? -1 : 0;
  }

  #startOf(period: string, step: number): PlainDate {
    const today = this.#today;
    switch (period) {
      case 'week':
        return today.subtract({ days: today.dayOfWeek - 1 }).add({ weeks: step });
      case 'month':
        return today.with({ day: 1 }).add({ months: step });
      case 'quarter':
        return today.with({ day: 1, month: Math.floor((today.month - 1) / 3) * 3 + 1 }).add({ months: 3 * step });
      case 'year':
        return today.with({ day: 1, month: 1 }).add({ years: step });
      default:
        return today.add({ days: step });
    }
  }

  /** `monday`, `next monday`, `last friday`, `this sunday`, `monday next week`, `next week`, `last month`. */
  #relativeDay(): boolean {
    const start = this.#at;
    const said = this.#word();
    const step = this.#step();
    const stepped = this.#at > start;
    const today = this.#today;
    const weekday = weekdayOf(this.#word());
    if (weekday !== undefined && this.#word(1) !== 'of') {
      this.#at++;
      const inWeek = this.#at;
      const weekStep = this.#step();
      if (!stepped && this.#at > inWeek && this.#takeOne('week'))
        return this.#setDate(this.#startOf('week', weekStep).add({ days: weekday - 1 }));
      this.#at = inWeek;
      const ahead = (weekday - today.dayOfWeek + 7) % 7;
      if (said === 'this') return this.#setDate(this.#startOf('week', 0).add({ days: weekday - 1 }));
      if (step < 0) return this.#setDate(today.subtract({ days: ahead === 0 ? 7 : 7 - ahead }));
      return this.#setDate(today.add({ days: step > 0 && ahead === 0 ? 7 : ahead }));
    }
    const period = stepped ? this.#takeOne('week', 'month', 'quarter', 'year', 'day') : undefined;
    if (period === undefined) {
      this.#at = start;
      return false;
    }
    if (period !== 'day') this.#assumed.push(`${said} ${period}: its first day`);
    return this.#setDate(this.#startOf(period, step));
  }

  /** `first monday of march 2027`, `last friday of next month`. */
  #ordinalWeekday(): boolean {
    const start = this.#at;
    const word = this.#word();
    const order =
      word === 'last'
        ? -1
        : word === undefined
          ? -2
          : ordinals.indexOf(word) >= 0
            ? ordinals.indexOf(word) + 1
            : this.#ordinalNumber(word);
    const suffixed = /^\d$/.test(word ?? '') && /^(?:st|nd|rd|th)$/.test(this.#word(1) ?? '') ? 1 : 0;
    const weekday = weekdayOf(this.#word(1 + suffixed));
    if (order === -2 || weekday === undefined || this.#word(2 + suffixed) !== 'of') return false;
    this.#at += 3 + suffixed;
    while (this.#takeOne('the'));
    const month = monthOf(this.#word());
    let first: PlainDate;
    if (month === undefined) {
      const step = this.#step();
      if (!this.#takeOne('month')) {
        this.#at = start;
        return false;
      }
      first = this.#startOf('month', step);
    } else {
      this.#at++;
      first = this.#dateOf(this.#year(), month, 1);
    }
    const next = first.add({ months: 1 });
    if (order === -1) return this.#setDate(next.subtract({ days: ((next.dayOfWeek - weekday + 6) % 7) + 1 }));
    const found = first.add({ days: ((weekday - first.dayOfWeek + 7) % 7) + 7 * (order - 1) });
    if (this.#temporal.PlainDate.compare(found, next) >= 0)
      throw new PhraseError(`${word} ${weekdayNames[weekday - 1]}`);
    return this.#setDate(found);
  }

  #ordinalNumber(word: string): number {
    return /^[1-5]$/.test(word) ? Number(word) : -2;
  }

  /** A year if one follows, else this one, which is said. */
  #year(): number {
    while (this.#takeOne(',', 'of'));
    const word = this.#word();
    if (word !== undefined && /^[12]\d{3}$/.test(word)) {
      this.#at++;
      return Number(word);
    }
    this.#assumed.push(`no year was given: ${this.#now.year}`);
    return this.#now.year;
  }

  /** `21 november 2026`, `nov 21st, 2026`, `the 21st of november`, `21/11/2026` where only one reading is possible. */
  #calendarDate(): boolean {
    const start = this.#at;
    const word = this.#word() ?? '';
    const month = monthOf(word);
    if (month !== undefined && /^\d{1,2}$/.test(this.#word(1) ?? '')) {
      const day = Number(this.#word(1));
      this.#at += 2;
      this.#takeOne('st', 'nd', 'rd', 'th');
      return this.#setDate(this.#dateOf(this.#year(), month, day));
    }
    if (month !== undefined && /^[12]\d{3}$/.test(this.#word(1) ?? '')) {
      this.#at++;
      this.#assumed.push('no day was given: the first of the month');
      return this.#setDate(this.#dateOf(this.#year(), month, 1));
    }
    if (!/^\d{1,2}$/.test(word)) return false;
    this.#at++;
    this.#takeOne('st', 'nd', 'rd', 'th');
    while (this.#takeOne('of', '-'));
    const behind = monthOf(this.#word());
    if (behind !== undefined) {
      this.#at++;
      while (this.#takeOne('-'));
      return this.#setDate(this.#dateOf(this.#year(), behind, Number(word)));
    }
    this.#at = start;
    return this.#numericDate(word);
  }

  #numericDate(word: string): boolean {
    const sign = this.#word(1);
    const [second, year] = [this.#word(2) ?? '', this.#word(4) ?? ''];
    if (!(sign === '/' || sign === '.') || this.#word(3) !== sign || !/^\d{1,2}$/.test(second) || !/^\d{4}$/.test(year))
      return false;
    this.#at += 5;
    const [a, b] = [Number(word), Number(second)];
    if (sign === '/' && a <= 12 && b <= 12 && a !== b)
      throw new PhraseError(`${a}/${b}/${year} (day and month could be either; write ${year}-MM-DD)`);
    const dayFirst = sign === '.' || a > 12;
    return this.#setDate(this.#dateOf(Number(year), dayFirst ? b : a, dayFirst ? a : b));
  }

  /** `15:00`, `3pm`, `3:30 p.m.`, `noon`, `half past 3`, `quarter to five`, `morning`. */
  #timeOfDay(): boolean {
    const start = this.#at;
    while (this.#takeOne('at', '@', 'in', 'the', ','));
    if (this.#word() === 'this' && ['morning', 'afternoon', 'evening'].includes(this.#word(1) ?? '')) this.#at++;
    if (this.#takeOne('noon', 'midday')) return this.#setTime(12);
    if (this.#takeOne('midnight')) return this.#setTime(0);
    for (const [word, hour] of [
      ['morning', 9],
      ['afternoon', 15],
      ['evening', 19],
      ['night', 20],
    ] as const) {
      if (this.#takeOne(word)) {
        this.#assumed.push(`${word}: ${hour}:00`);
        return this.#setTime(hour);
      }
    }
    if (this.#clockTime() || this.#spokenTime()) return true;
    this.#at = start;
    return false;
  }

  #clockTime(): boolean {
    const word = this.#word() ?? '';
    const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(word);
    if (!clock && !/^\d{1,2}$/.test(word)) return false;
    this.#at++;
    const half = this.#meridiem();
    if (half === undefined && !clock && !this.#take('o', "'", 'clock') && !this.#takeOne('oclock', 'h')) {
      this.#at--;
      return false;
    }
    const hour = Number(clock?.[1] ?? word);
    if (half !== undefined && (hour < 1 || hour > 12)) throw new PhraseError(`${word}${half}`);
    const onDial = half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0);
    return this.#setTime(onDial, Number(clock?.[2] ?? 0), Number(clock?.[3] ?? 0));
  }

  #meridiem(): 'am' | 'pm' | undefined {
    for (const half of ['am', 'pm'] as const) {
      if (this.#takeOne(half)) return half;
      const [letter = '', m = ''] = half;
      if (this.#take(letter, m)) return half;
    }
    return undefined;
  }

  /** `half past 3`, `quarter to five pm`, `10 past 4`. */
  #spokenTime(): boolean {
    const start = this.#at;
    while (this.#takeOne('a'));
    const word = this.#word();
    const minutes = word === 'half' ? 30 : word === 'quarter' ? 15 : countOf(word);
    this.#at++;
    this.#takeOne('minutes', 'minute', 'min');
    const way = this.#takeOne('past', 'to');
    const hour = way === undefined ? undefined : countOf(this.#word());
    if (minutes === undefined || hour === undefined || minutes >= 60 || hour > 23 || hour !== Math.trunc(hour)) {
      this.#at = start;
      return false;
    }
    this.#at++;
    const half = this.#meridiem();
    const onDial = half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0);
    const total = (onDial * 60 + (way === 'past' ? minutes : -minutes) + 1440) % 1440;
    return this.#setTime(Math.floor(total / 60), total % 60);
  }
}
