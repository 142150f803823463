import type { Json } from '../base/json';
import type { LinearRegex } from '../base/linearRegex';
import { say, type Sentence } from '../base/sentence';
import type { RedactionMode } from '../settings/entrySchemas';
import type { Finding } from './finding';
import { environmentSecrets } from './environmentSecrets';
import { findAsWritten, findByRules, findWith, newKnownValues } from './finder';
import { Placeholders } from './placeholders';
import { RecentFindings } from './recentFindings';
import { joinedLists, mapTexts, placeholderPattern } from './texts';
import { findInViews } from './views';

export interface OwnPattern {
  readonly kind: string;
  readonly pattern: LinearRegex;
}

/** Where a text comes from, for what is found in it. */
export interface HideOptions {
  readonly mode: RedactionMode;
  /** Where the call read: a value may go back there. */
  readonly places: readonly string[];
  /** Every value of it counts, as in a `.env` file. */
  readonly isEnvironment: boolean;
  /** It may begin or end within a secret. */
  readonly isPart?: boolean;
  /** It was read, so a placeholder in it is a text that stands there, and none that came back from a model. */
  readonly isRead?: boolean;
  /** It was put together from what came from several places: a value that has a place gets no other one by it. */
  readonly isMixed?: boolean;
}

/** What was put in the place of secrets. */
interface Hidden {
  readonly value: Json;
  readonly hidden: ReadonlySet<string>;
  /** Kinds of what only may be a secret, or was to be told alone. */
  readonly marked: ReadonlySet<string>;
}

type PutBack =
  | { readonly type: 'done'; readonly value: Json; readonly kinds: readonly string[] }
  | { readonly type: 'refused'; readonly placeholder: string; readonly why: Sentence };

/**
 * What one session hides from models and puts back where it came from. Holds values in memory, as long as the window
 * does.
 */
export class SecretSession {
  readonly #placeholders: Placeholders;
  readonly #known = newKnownValues();
  readonly #recent = { wholes: new RecentFindings(), parts: new RecentFindings(), named: new RecentFindings() };
  /** How many values were known when the latest texts were looked through. */
  #knownThen = 0;
  #patterns: readonly OwnPattern[] = [];
  readonly #mixed = new Set<string>();
  readonly #learnt = new Map<string, readonly string[]>();

  readonly #now: () => number;
  /** When own patterns have had their time. */
  #until = Infinity;

  /**
   * @param draw gives eight random hexadecimal digits.
   * @param now a clock that never goes back, in milliseconds.
   */
  constructor(draw: () => string, now: () => number) {
    this.#placeholders = new Placeholders(draw);
    this.#now = now;
  }

  usePatterns(patterns: readonly OwnPattern[]): void {
    this.#patterns = patterns;
    // They find more in files that were looked through before.
    this.#learnt.clear();
    this.#forgetRecent();
  }

  /** Remembers a value that is a secret because of where it stands, and where that is. */
  know(value: string, kind: string, places: readonly string[]): void {
    if (value.length < 6) return;
    this.#known.addWithForms(value, kind);
    this.#placeholders.of(value, kind, places);
  }

  /** Remembers the secrets of a file of which only a part may be shown. */
  learn(text: string, places: readonly string[], isEnvironment: boolean): void {
    this.#until = this.#now() + patternsMs;
    for (const { start, end, rule, sure } of this.#find(text, { isEnvironment })) {
      const value = text.slice(start, end);
      if (sure !== true || value.length < 6) continue;
      this.#known.add(value, rule);
      this.#placeholders.of(value, rule, places);
    }
  }

  hide(value: Json, { mode, places, isEnvironment, isPart, isRead, isMixed }: HideOptions): Hidden {
    // The lines of a key may stand one by one in a list.
    if (mode !== 'off') for (const lines of joinedLists(value)) this.#learnLines(lines);
    this.#known.startCut();
    this.#until = this.#now() + patternsMs;
    const hidden = new Set<string>();
    const marked = new Set<string>();
    const clean = (text: string, name?: string): string => {
      if (text.length < 6) return text;
      const findings = [...this.#placeholdersIn(text, isRead), ...this.#find(text, { isEnvironment, isPart }, name)];
      if (findings.length === 0) return text;
      return this.#replace(text, findings, (finding, part) => {
        if (mode === 'mark' || finding.sure !== true) {
          marked.add(finding.rule);
          return part;
        }
        const placeholder = this.#placeholders.of(part, finding.rule, places, isMixed);
        if (part.length >= 8 && isPart !== true && finding.rule !== placeholderText)
          this.#known.add(part, finding.rule);
        hidden.add(placeholder);
        return placeholder;
      });
    };
    return { value: mode === 'off' ? value : mapTexts(value, clean), hidden, marked };
  }

  /**
   * The same value with the values that are known hidden in it and nothing else looked for: for what was looked through
   * before values were put into it, and for what is kept beside it.
   */
  hideKnown<T>(value: T): T {
    if (this.#known.size === 0) return value;
    const clean = (text: string): string =>
      text.length < 6
        ? text
        : this.#replace(
            text,
            findInViews(text, (read) => this.#known.find(read), this.#known),
            ({ rule }, part) => this.#placeholders.of(part, rule, [], true),
          );
    // What is hidden are parts of texts: the shape stays.
    return mapTexts(value as Json, clean) as T;
  }

  /**
   * Puts values in the place of their placeholders, if every place that the call reaches is one that each may go to.
   * @param places of the call; undefined stands for one that cannot be named.
   * @param isAllowed tells of a place that the user named for a kind.
   */
  putBack(
    value: Json,
    places: readonly (string | undefined)[],
    isAllowed: (kind: string, place: string) => boolean,
  ): PutBack {
    let refused: Extract<PutBack, { type: 'refused' }> | undefined;
    const kinds: string[] = [];
    const fill = (text: string): string =>
      text.replace(placeholderPattern, (placeholder) => {
        if (this.#placeholders.isLiteral(placeholder)) return placeholder;
        const held = this.#placeholders.get(placeholder);
        const why = held ? strangePlace(held, places, isAllowed) : say('secret_unknown');
        if (why) refused ??= { type: 'refused', placeholder, why };
        if (!held || why) return placeholder;
        kinds.push(held.kind);
        return held.value;
      });
    const filled = mapTexts(value, fill);
    return refused ?? { type: 'done', value: filled, kinds };
  }

  /**
   * The same value with the values of some placeholders in it, which a person lets an agent see, and those that stood
   * in it.
   */
  show(value: Json, placeholders: ReadonlySet<string>): { readonly value: Json; readonly shown: ReadonlySet<string> } {
    const shown = new Set<string>();
    const fill = (text: string): string =>
      text.replace(placeholderPattern, (placeholder) => {
        const held = placeholders.has(placeholder) ? this.#placeholders.get(placeholder) : undefined;
        if (!held) return placeholder;
        shown.add(placeholder);
        return held.value;
      });
    return { value: mapTexts(value, fill), shown };
  }

  /** Remembers that a call has calls within it, whose answers are learnt one by one. */
  noteMixed(parentId: string): void {
    if (this.#mixed.size > 1000) this.#mixed.clear();
    this.#mixed.add(parentId);
  }

  /** Whether a call had calls within it; forgotten with it. */
  takeMixed(invocationId: string): boolean {
    return this.#mixed.delete(invocationId);
  }

  /** Whether a file was learnt, as it is now, with the patterns that there are now. */
  hasLearnt(file: string, version: string): boolean {
    return this.#learnt.get(file)?.includes(version) === true;
  }

  /** Remembers that all of a file was learnt, and what that version of it is known by. */
  noteLearnt(file: string, versions: readonly string[]): void {
    if (this.#learnt.size > 10_000) this.#learnt.clear();
    this.#learnt.set(file, versions);
  }

  /**
   * What looks like a placeholder in a text that was read: one of this session is hidden itself, so that it is written
   * back as it stands, and not as the value that it stands for elsewhere; any other stands for itself.
   */
  #placeholdersIn(text: string, isRead: boolean | undefined): readonly Finding[] {
    if (!text.includes('{{secret:')) return [];
    return [...text.matchAll(placeholderPattern)].flatMap(({ 0: one, index }) => {
      this.#placeholders.notice(one);
      const isLive = isRead === true && this.#placeholders.get(one) !== undefined;
      return isLive ? [{ start: index, end: index + one.length, rule: placeholderText, sure: true }] : [];
    });
  }

  #find(
    text: string,
    { isEnvironment, isPart }: { readonly isEnvironment: boolean; readonly isPart?: boolean | undefined },
    name?: string,
  ): readonly Finding[] {
    const found: Finding[] = [...this.#findAnywhere(text, isPart)];
    if (name !== undefined && mayBeValue.test(text)) found.push(...this.#findNamed(name, text));
    if (isEnvironment) found.push(...environmentSecrets(text));
    return found;
  }

  /** By rules, known values and patterns; what was found in the same text is known, until there are other values. */
  #findAnywhere(text: string, isPart: boolean | undefined): readonly Finding[] {
    if (this.#known.size !== this.#knownThen) {
      this.#knownThen = this.#known.size;
      this.#forgetRecent();
    }
    const recent = isPart === true ? this.#recent.parts : this.#recent.wholes;
    const known = recent.get(text);
    if (known !== undefined) return known;
    const found = findInViews(text, (read) => this.#findRead(read, isPart), this.#known);
    // Where there was no time for all of it, more is hidden than needs to be: there may be time for it next time.
    const isComplete = (this.#patterns.length === 0 || this.#now() <= this.#until) && this.#known.hasCutsLeft;
    if (isComplete) recent.keep(text, found);
    return found;
  }

  /**
   * A field whose name says what its value is: `{ "aws_secret_access_key": "…" }`. Rules alone, which stay the same.
   */
  #findNamed(name: string, text: string): readonly Finding[] {
    const before = `${name}="`;
    const field = `${before}${text}"`;
    const known = this.#recent.named.get(field);
    if (known !== undefined) return known;
    const found = findByRules(field).flatMap(({ start, end, ...rest }) =>
      start >= before.length && end <= before.length + text.length
        ? [{ ...rest, start: start - before.length, end: end - before.length }]
        : [],
    );
    this.#recent.named.keep(field, found);
    return found;
  }

  #forgetRecent(): void {
    this.#recent.wholes.clear();
    this.#recent.parts.clear();
  }

  #findRead(text: string, isPart: boolean | undefined): readonly Finding[] {
    const found: Finding[] = [...findWith(text, this.#known)];
    if (isPart === true) this.#known.findCut(text, found);
    for (const { kind, pattern } of this.#patterns)
      for (const place of pattern.places(text, () => this.#now() > this.#until))
        if (place.end > place.start) found.push({ ...place, rule: kind, sure: true });
    return found;
  }

  #learnLines(lines: string): void {
    for (const { start, end, rule } of findAsWritten(lines))
      if (rule === 'private-key' && end - start >= 8) this.#known.add(lines.slice(start, end), rule);
  }

  #replace(text: string, findings: readonly Finding[], by: (finding: Finding, part: string) => string): string {
    // A sure finding before a guess, a longer before a shorter one, at each place.
    const sorted = [...findings].sort(
      (a, b) => a.start - b.start || Number(b.sure ?? false) - Number(a.sure ?? false) || b.end - a.end,
    );
    let result = '';
    let at = 0;
    for (const finding of withoutOverlap(sorted)) {
      result += text.slice(at, finding.start) + by(finding, text.slice(finding.start, finding.end));
      at = finding.end;
    }
    return result + text.slice(at);
  }
}

/** The kind of a placeholder that stands for the text of another one. */
const placeholderText = 'placeholder';

/** Own patterns may take so long for one result; what they have not seen by then is hidden. In milliseconds. */
const patternsMs = 2000;

/** What may be one value, and no sentence. */
const mayBeValue = /^[^\s]{8,256}$/;

/** Findings in order, none within another: those that overlap become one, sure where one of them is. */
function withoutOverlap(sorted: readonly Finding[]): readonly Finding[] {
  const kept: Finding[] = [];
  for (const finding of sorted) {
    const last = kept.at(-1);
    if (!last || finding.start >= last.end) kept.push(finding);
    else if (finding.sure === true && last.sure !== true)
      kept[kept.length - 1] = { ...finding, start: last.start, end: Math.max(last.end, finding.end) };
    else if (finding.sure === true && finding.end > last.end) kept[kept.length - 1] = { ...last, end: finding.end };
  }
  return kept;
}

function strangePlace(
  held: { readonly kind: string; readonly places: ReadonlySet<string> },
  places: readonly (string | undefined)[],
  isAllowed: (kind: string, place: string) => boolean,
): Sentence | undefined {
  for (const place of places) {
    if (place === undefined) return say('secret_no_place');
    if (!held.places.has(place) && !isAllowed(held.kind, place)) return say('secret_strange_place', place);
  }
  return undefined;
}
