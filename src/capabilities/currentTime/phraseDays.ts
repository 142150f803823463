import { PhraseError, type PhraseWords, monthOf, orderOf, weekdayOf } from './phraseWords';
import type { PlainDate, TemporalApi, ZonedDateTime } from './temporal';
import { months, weekdays } from './timeFormats';
import { readTimeOfDay, type TimeOfDay, timeOf } from './timeOfDay';

/** A day, with a time where the words for the day say one too, as `tonight` does. */
interface DayRead {
  readonly date: PlainDate;
  readonly time?: TimeOfDay;
}

/** Reads the days of a phrase: `tomorrow`, `next monday`, `end of the month`, `21 november 2026`. */
export class PhraseDays {
  readonly #words: PhraseWords;
  readonly #now: ZonedDateTime;
  readonly #temporal: TemporalApi;
  readonly #assumed: string[];

  /** @param assumed gets what had to be assumed. */
  constructor(words: PhraseWords, now: ZonedDateTime, temporal: TemporalApi, assumed: string[]) {
    this.#words = words;
    this.#now = now;
    this.#temporal = temporal;
    this.#assumed = assumed;
  }

  get #today(): PlainDate {
    return this.#now.toPlainDate();
  }

  /** Reads a day; undefined, with nothing passed, where the next words name none. */
  read(): DayRead | undefined {
    const today = this.#today;
    if (this.#words.take('day', 'after', 'tomorrow')) return { date: today.add({ days: 2 }) };
    if (this.#words.take('day', 'before', 'yesterday')) return { date: today.subtract({ days: 2 }) };
    if (this.#words.takeOne('today')) return { date: today };
    if (this.#words.takeOne('tomorrow', 'tmrw', 'tomorow')) return { date: today.add({ days: 1 }) };
    if (this.#words.takeOne('yesterday')) return { date: today.subtract({ days: 1 }) };
    if (this.#words.takeOne('tonight')) {
      this.#assumed.push('tonight: 20:00 unless a time is given');
      while (this.#words.takeOne('at', '@'));
      return { date: today, time: readTimeOfDay(this.#words, this.#assumed) ?? timeOf(20) };
    }
    const word = this.#words.next();
    if (word !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(word)) {
      this.#words.at++;
      return { date: this.#dateOf(Number(word.slice(0, 4)), Number(word.slice(5, 7)), Number(word.slice(8))) };
    }
    return this.#edgeOfPeriod() ?? this.#relativeDay() ?? this.#ordinalWeekday() ?? this.#calendarDate();
  }

  #dateOf(year: number, month: number, day: number): PlainDate {
    try {
      return this.#temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' });
    } catch {
      throw new PhraseError(`${day} ${months[month - 1]?.toLowerCase() ?? month} ${year}`);
    }
  }

  /** `end of the month`, `start of next year`, `last day of february`. */
  #edgeOfPeriod(): DayRead | undefined {
    const start = this.#words.at;
    const edge =
      this.#words.take('last', 'day', 'of') || this.#words.take('end', 'of')
        ? 'end'
        : this.#words.take('first', 'day', 'of') ||
            this.#words.take('start', 'of') ||
            this.#words.take('beginning', 'of')
          ? 'start'
          : undefined;
    if (edge === undefined) return undefined;
    const isEnd = edge === 'end';
    while (this.#words.takeOne('the'));
    const month = monthOf(this.#words.next());
    if (month !== undefined) {
      this.#words.at++;
      const first = this.#dateOf(this.#year(), month, 1);
      return { date: isEnd ? first.add({ months: 1 }).subtract({ days: 1 }) : first };
    }
    const step = this.#step();
    const period = this.#words.takeOne('day', 'today', 'week', 'month', 'quarter', 'year');
    if (period === undefined) {
      this.#words.at = start;
      return undefined;
    }
    const first = this.#startOf(period, step);
    const next = this.#startOf(period, step + 1);
    if (period === 'day' || period === 'today') {
      return isEnd ? { date: first, time: timeOf(23, 59, 59) } : { date: first };
    }
    return { date: isEnd ? next.subtract({ days: 1 }) : first };
  }

  /** `next`, `last`, `this` or nothing, as steps. */
  #step(): number {
    const word = this.#words.takeOne('next', 'last', 'previous', 'this', 'coming', 'current');
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
  #relativeDay(): DayRead | undefined {
    const start = this.#words.at;
    const said = this.#words.next();
    const step = this.#step();
    const stepped = this.#words.at > start;
    const today = this.#today;
    const weekday = weekdayOf(this.#words.next());
    if (weekday !== undefined && this.#words.next(1) !== 'of') {
      this.#words.at++;
      const inWeek = this.#words.at;
      const weekStep = this.#step();
      if (!stepped && this.#words.at > inWeek && this.#words.takeOne('week'))
        return { date: this.#startOf('week', weekStep).add({ days: weekday - 1 }) };
      this.#words.at = inWeek;
      const ahead = (weekday - today.dayOfWeek + 7) % 7;
      if (said === 'this') return { date: this.#startOf('week', 0).add({ days: weekday - 1 }) };
      if (step < 0) return { date: today.subtract({ days: ahead === 0 ? 7 : 7 - ahead }) };
      return { date: today.add({ days: step > 0 && ahead === 0 ? 7 : ahead }) };
    }
    const period = stepped ? this.#words.takeOne('week', 'month', 'quarter', 'year', 'day') : undefined;
    if (period === undefined) {
      this.#words.at = start;
      return undefined;
    }
    if (period !== 'day') this.#assumed.push(`${said} ${period}: its first day`);
    return { date: this.#startOf(period, step) };
  }

  /** `first monday of march 2027`, `last friday of next month`. */
  #ordinalWeekday(): DayRead | undefined {
    const start = this.#words.at;
    const word = this.#words.next();
    const order = orderOf(word);
    const suffixed = /^\d$/.test(word ?? '') && /^(?:st|nd|rd|th)$/.test(this.#words.next(1) ?? '') ? 1 : 0;
    const weekday = weekdayOf(this.#words.next(1 + suffixed));
    if (order === undefined || weekday === undefined || this.#words.next(2 + suffixed) !== 'of') return undefined;
    this.#words.at += 3 + suffixed;
    while (this.#words.takeOne('the'));
    const month = monthOf(this.#words.next());
    let first: PlainDate;
    if (month === undefined) {
      const step = this.#step();
      if (!this.#words.takeOne('month')) {
        this.#words.at = start;
        return undefined;
      }
      first = this.#startOf('month', step);
    } else {
      this.#words.at++;
      first = this.#dateOf(this.#year(), month, 1);
    }
    const next = first.add({ months: 1 });
    if (order === -1) return { date: next.subtract({ days: ((next.dayOfWeek - weekday + 6) % 7) + 1 }) };
    const found = first.add({ days: ((weekday - first.dayOfWeek + 7) % 7) + 7 * (order - 1) });
    if (this.#temporal.PlainDate.compare(found, next) >= 0)
      throw new PhraseError(`${word} ${weekdays[weekday - 1]?.toLowerCase()}`);
    return { date: found };
  }

  /** A year if one follows, else this one, which is said. */
  #year(): number {
    while (this.#words.takeOne(',', 'of'));
    const word = this.#words.next();
    if (word !== undefined && /^[12]\d{3}$/.test(word)) {
      this.#words.at++;
      return Number(word);
    }
    this.#assumed.push(`no year was given: ${this.#now.year}`);
    return this.#now.year;
  }

  /** `21 november 2026`, `nov 21st, 2026`, `the 21st of november`, `21/11/2026` where only one reading is possible. */
  #calendarDate(): DayRead | undefined {
    const start = this.#words.at;
    const word = this.#words.next() ?? '';
    const month = monthOf(word);
    if (month !== undefined && /^\d{1,2}$/.test(this.#words.next(1) ?? '')) {
      const day = Number(this.#words.next(1));
      this.#words.at += 2;
      this.#words.takeOne('st', 'nd', 'rd', 'th');
      return { date: this.#dateOf(this.#year(), month, day) };
    }
    if (month !== undefined && /^[12]\d{3}$/.test(this.#words.next(1) ?? '')) {
      this.#words.at++;
      this.#assumed.push('no day was given: the first of the month');
      return { date: this.#dateOf(this.#year(), month, 1) };
    }
    if (!/^\d{1,2}$/.test(word)) return undefined;
    this.#words.at++;
    this.#words.takeOne('st', 'nd', 'rd', 'th');
    while (this.#words.takeOne('of', '-'));
    const behind = monthOf(this.#words.next());
    if (behind !== undefined) {
      this.#words.at++;
      while (this.#words.takeOne('-'));
      return { date: this.#dateOf(this.#year(), behind, Number(word)) };
    }
    this.#words.at = start;
    return this.#numericDate(word);
  }

  #numericDate(word: string): DayRead | undefined {
    const sign = this.#words.next(1);
    const [second, year] = [this.#words.next(2) ?? '', this.#words.next(4) ?? ''];
    if (
      !(sign === '/' || sign === '.') ||
      this.#words.next(3) !== sign ||
      !/^\d{1,2}$/.test(second) ||
      !/^\d{4}$/.test(year)
    )
      return undefined;
    this.#words.at += 5;
    const [a, b] = [Number(word), Number(second)];
    if (sign === '/' && a <= 12 && b <= 12 && a !== b)
      throw new PhraseError(`${a}/${b}/${year} (day and month could be either; write ${year}-MM-DD)`);
    const dayFirst = sign === '.' || a > 12;
    return { date: this.#dateOf(Number(year), dayFirst ? b : a, dayFirst ? a : b) };
  }
}
