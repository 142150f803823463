import { type DurationParts, negateDuration, readDuration } from './duration';
import { PhraseDays } from './phraseDays';
import { PhraseError, PhraseWords } from './phraseWords';
import { readTimeOfDay, type TimeOfDay } from './timeOfDay';
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

/**
 * Understands English phrases such as `next monday at 3pm`, `in 5 minutes`, `2 days before tomorrow`, `last friday of
 * march 2027`. Throws a PhraseError that names the word where it gave up.
 */
export function parsePhrase(text: string, now: ZonedDateTime, Temporal: TemporalApi): Phrase {
  return new Parser(new PhraseWords(text), now, Temporal).whole();
}

class Parser {
  readonly #words: PhraseWords;
  readonly #now: ZonedDateTime;
  readonly #temporal: TemporalApi;
  readonly #assumed: string[] = [];
  readonly #days: PhraseDays;
  #date: PlainDate | undefined;
  #time: PlainTime | undefined;

  constructor(words: PhraseWords, now: ZonedDateTime, temporal: TemporalApi) {
    this.#words = words;
    this.#now = now;
    this.#temporal = temporal;
    this.#days = new PhraseDays(words, now, temporal, this.#assumed);
  }

  whole(): Phrase {
    const phrase = this.#rest();
    const rest = this.#words.next();
    if (rest !== undefined) throw new PhraseError(rest);
    return phrase;
  }

  /** `in 5 minutes`, `2 days ago`, `3 weeks after 1 march`, `an hour before noon`. */
  #shifted(): Phrase | undefined {
    const start = this.#words.at;
    const ahead = this.#words.take('in') || this.#words.take('+');
    const read = readDuration(this.#words.all, this.#words.at);
    if (!read) {
      this.#words.at = start;
      return undefined;
    }
    this.#words.at = read.next;
    const shifted = (shift: DurationParts, base: Phrase = { kind: 'now' }): Phrase => ({
      kind: 'shifted',
      base,
      shift,
    });
    if (this.#words.takeOne('ago', 'earlier')) return this.#atTime(shifted(negateDuration(read.parts)));
    if (this.#words.takeOne('later', 'hence') || this.#words.take('from', 'now'))
      return this.#atTime(shifted(read.parts));
    if (this.#words.takeOne('after', 'from')) return shifted(read.parts, this.#rest());
    if (this.#words.takeOne('before')) return shifted(negateDuration(read.parts), this.#rest());
    if (ahead) return this.#atTime(shifted(read.parts));
    this.#words.at = start;
    return undefined;
  }

  #rest(): Phrase {
    return this.#shifted() ?? this.#local();
  }

  /** `in 3 days at 9am`: the day of the shifted moment, with its own time. */
  #atTime(phrase: Phrase): Phrase {
    if (this.#words.isEnd || phrase.kind !== 'shifted') return phrase;
    this.#readTime();
    if (!this.#time) return phrase;
    return { kind: 'local', date: this.#now.add(phrase.shift).toPlainDate(), time: this.#time, assumed: this.#assumed };
  }

  #local(): Phrase {
    if (this.#words.all.length === 1 && this.#words.takeOne('now')) return { kind: 'now' };
    if (this.#words.takeOne('now') || this.#words.take('right', 'now')) return { kind: 'now' };
    for (;;) {
      const before = this.#words.at;
      while (this.#words.takeOne(',', 'on', 'the', 'at', '@'));
      if (this.#date === undefined && this.#readDay()) continue;
      if (this.#time === undefined && this.#readTime()) continue;
      if (this.#words.at === before || this.#words.isEnd) break;
      throw new PhraseError(this.#words.next() ?? '');
    }
    if (this.#date === undefined && this.#time === undefined) throw new PhraseError(this.#words.next() ?? '');
    if (this.#date === undefined) this.#assumed.push('no day was given: today');
    if (this.#time === undefined) this.#assumed.push('no time of day was given: start of the day');
    return { kind: 'local', date: this.#date ?? this.#now.toPlainDate(), time: this.#time, assumed: this.#assumed };
  }

  #readDay(): boolean {
    const read = this.#days.read();
    if (!read) return false;
    this.#date = read.date;
    if (read.time) this.#setTime(read.time);
    return true;
  }

  #readTime(): boolean {
    const read = readTimeOfDay(this.#words, this.#assumed);
    if (read) this.#setTime(read);
    return read !== undefined;
  }

  #setTime({ hour, minute, second }: TimeOfDay): void {
    this.#time = new this.#temporal.PlainTime(hour, minute, second);
  }
}
