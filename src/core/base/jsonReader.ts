import { camelCase, defined, isObject, nameTable, typeName } from './json';
import { proposal } from './nearest';
import { type Problem, problem } from './problem';
import { say, type Sentence } from './sentence';

/** How the faults of one source are told. */
interface FindingsOptions {
  /** The code of a problem that has none of its own. */
  readonly code: string;
  readonly subject?: string;
  /** Says of a property what is wrong with it; `fault` is the rest of a sentence that begins with the property. */
  readonly sentence?: (pointer: string, key: string, fault: Sentence) => Sentence;
  /** Whether `null` is a value of the wrong type; else it stands for a property that is not there. */
  readonly nullIsWrong?: true;
  /** Hears of each fault that a reader finds, for who has more to do than to tell of it. */
  readonly heard?: (pointer: string, fault: Sentence) => void;
}

/** Stands for a property that a file holds twice: nobody can say which of the two was meant. */
export const statedTwice: unique symbol = Symbol('stated twice');

/** Collects what is wrong with one source, each fault with the JSON pointer to its place. */
export class Findings {
  readonly problems: Problem[] = [];
  readonly options: FindingsOptions;

  constructor(options: FindingsOptions) {
    this.options = options;
  }

  add(severity: Problem['severity'], pointer: string, said: Sentence, code = this.options.code): void {
    const { subject } = this.options;
    this.problems.push(problem({ severity, code, said, pointer, ...defined({ subject }) }));
  }

  error(pointer: string, said: Sentence, code?: string): void {
    this.add('error', pointer, said, code);
  }

  warn(pointer: string, said: Sentence, code?: string): void {
    this.add('warning', pointer, said, code);
  }

  /** The sentence that says of a property what is wrong with it. */
  about(pointer: string, key: string, fault: Sentence): Sentence {
    return this.options.sentence?.(pointer, key, fault) ?? say('property', key, fault);
  }

  /** How many errors there are by now. */
  errors(): number {
    return this.problems.filter((one) => one.severity === 'error').length;
  }
}

export function pointerTo(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The type of a value as a word, for a sentence that says what came instead. */
export function got(value: unknown): Sentence | string {
  return value === undefined ? say('nothing') : typeName(value);
}

/** A value as JSON, for a sentence that says what came instead. */
export function gotJson(value: unknown): Sentence | string {
  return JSON.stringify(value) ?? say('nothing');
}

/** A reader of a value that must be an object; undefined, and said of `part`, where it is none. */
export function readerOf(
  raw: unknown,
  pointer: string,
  findings: Findings,
  part: Sentence,
  expected: Sentence = say('an_object'),
): ObjectReader | undefined {
  if (isObject(raw)) return new ObjectReader(raw, pointer, findings);
  findings.error(pointer, say('part_must_be', part, expected, got(raw)));
  return undefined;
}

interface Field {
  /** As it is spelled. */
  readonly key: string;
  readonly value: unknown;
  readonly isTwice: boolean;
  /** The values of all its spellings. */
  readonly written: readonly unknown[];
}

/**
 * Reads the properties of one object in camelCase or snake_case and reports what does not fit at its place: a wrong
 * type, a property that is there twice (of which neither counts), and every one that nobody asked for, with the nearest
 * known names.
 */
export class ObjectReader {
  readonly pointer: string;
  readonly findings: Findings;
  readonly #fields = new Map<string, Field>();
  readonly #asked = new Set<string>();

  /** @param names how names are spelled: those of a table are anybody's own, and stay as they are. */
  constructor(raw: Record<string, unknown>, pointer: string, findings: Findings, names: 'ours' | 'theirs' = 'ours') {
    this.pointer = pointer;
    this.findings = findings;
    for (const [key, value] of Object.entries(raw)) {
      const name = key.startsWith('$') || names === 'theirs' ? key : camelCase(key);
      const before = this.#fields.get(name)?.written ?? [];
      const isTwice = value === statedTwice || before.length > 0;
      this.#fields.set(name, { key, value: isTwice ? undefined : value, isTwice, written: [...before, value] });
      if (isTwice) this.error(name, say('two_spellings'));
    }
  }

  has(key: string): boolean {
    return this.raw(key) !== undefined || this.isTwice(key);
  }

  /** Whether the property is there twice, so that it has no value. */
  isTwice(key: string): boolean {
    return this.#fields.get(key)?.isTwice === true;
  }

  raw(key: string): unknown {
    this.#asked.add(key);
    return this.#fields.get(key)?.value;
  }

  /** Each value that the property is given, for who has to take the strictest where it is there twice. */
  written(key: string): readonly unknown[] {
    this.#asked.add(key);
    return this.#fields.get(key)?.written ?? [];
  }

  /** The names of all properties, and of those that nobody has asked for. */
  names(): readonly string[] {
    return [...this.#fields.keys()];
  }

  unasked(): readonly string[] {
    return this.names().filter((name) => !this.#asked.has(name) && name !== '$schema' && name !== '$comment');
  }

  at(key: string): string {
    return pointerTo(this.pointer, this.#fields.get(key)?.key ?? key);
  }

  error(key: string, fault: Sentence, code?: string): void {
    this.findings.options.heard?.(this.at(key), fault);
    this.#report('error', key, fault, code);
  }

  warn(key: string, fault: Sentence, code?: string): void {
    this.#report('warning', key, fault, code);
  }

  #report(severity: Problem['severity'], key: string, fault: Sentence, code?: string): void {
    this.findings.add(severity, this.at(key), this.findings.about(this.at(key), key, fault), code);
  }

  /**
   * A value as `read` understands it, which answers undefined for what it does not understand.
   * @param fault what is wrong with a value that does not fit.
   * @param instead what counts where it does not fit, or is there twice.
   */
  take<T>(
    key: string,
    read: (value: unknown) => T | undefined,
    fault: (value: unknown) => Sentence,
    instead?: NoInfer<T>,
  ): T | undefined {
    const value = this.raw(key);
    if (this.isTwice(key)) return instead;
    if (this.#isMissing(key)) return undefined;
    const taken = read(value);
    if (taken !== undefined) return taken;
    this.error(key, fault(value));
    return instead;
  }

  /** @param instead what is said to count in place of a value that does not fit. */
  #typed<T>(
    key: string,
    expected: Sentence | string,
    check: (value: unknown) => value is T,
    instead?: Sentence,
  ): T | undefined {
    return this.take(
      key,
      (value) => (check(value) ? value : undefined),
      (value) => {
        const fault = say('must_be', expected, got(value));
        return instead ? say('instead', fault, instead) : fault;
      },
    );
  }

  text(key: string): string | undefined {
    return this.#typed(key, 'string', (value): value is string => typeof value === 'string');
  }

  /** A string that must not be empty where it is there. */
  filled(key: string): string | undefined {
    const value = this.text(key);
    if (value === undefined || value.trim() !== '') return value;
    this.error(key, say('is_empty'));
    return undefined;
  }

  /** A string that must be there and not empty; null is as good as nothing. */
  required(key: string): string | undefined {
    if (this.#isMissing(key) && !this.isTwice(key)) this.error(key, say('is_required'));
    return this.filled(key);
  }

  #isMissing(key: string): boolean {
    const value = this.raw(key);
    return value === undefined || (value === null && !this.findings.options.nullIsWrong);
  }

  flag(key: string, instead?: Sentence): boolean | undefined {
    return this.#typed(key, 'boolean', (value): value is boolean => typeof value === 'boolean', instead);
  }

  number(
    key: string,
    bounds: { readonly minimum: number; readonly maximum?: number; readonly isWhole?: boolean },
  ): number | undefined {
    const value = this.#typed(key, 'number', (one): one is number => typeof one === 'number' && Number.isFinite(one));
    const { minimum, maximum } = bounds;
    if (value !== undefined && bounds.isWhole === true && !Number.isInteger(value)) {
      this.error(key, say('must_be', say('a_whole_number'), String(value)));
      return undefined;
    }
    if (value === undefined || (value >= minimum && value <= (maximum ?? value))) return value;
    this.error(
      key,
      maximum === undefined ? say('at_least', minimum, value) : say('must_be_from_to', minimum, maximum, value),
    );
    return undefined;
  }

  /** @param instead what is said to count in place of a value that does not fit. */
  oneOf<T extends string>(
    key: string,
    allowed: readonly T[],
    synonyms: Readonly<Record<string, T>> = {},
    instead?: Sentence,
  ): T | undefined {
    return this.take(
      key,
      (value) => {
        if (typeof value !== 'string') return undefined;
        return allowed.find((one) => one === value) ?? (Object.hasOwn(synonyms, value) ? synonyms[value] : undefined);
      },
      (value) => {
        const near = typeof value === 'string' ? proposal(value, allowed) : '';
        const fault = say('must_be_one_of', allowed, gotJson(value), near);
        return instead ? say('instead', fault, instead) : fault;
      },
    );
  }

  texts(key: string, instead?: Sentence): readonly string[] | undefined {
    const list = this.#typed(key, say('strings'), (value): value is unknown[] => Array.isArray(value), instead);
    if (!list) return undefined;
    return list.filter((item, index): item is string => {
      if (typeof item === 'string') return true;
      const at = pointerTo(this.at(key), index);
      this.findings.error(at, this.findings.about(at, key, say('holds_no_string', got(item))));
      return false;
    });
  }

  list(key: string): readonly unknown[] | undefined {
    return this.#typed(key, say('an_array'), (value): value is unknown[] => Array.isArray(value));
  }

  /** @param instead what is said to count in place of a value that does not fit. */
  object(key: string, instead?: Sentence): Record<string, unknown> | undefined {
    return this.#typed(key, say('an_object'), isObject, instead);
  }

  reader(key: string): ObjectReader | undefined {
    const value = this.object(key);
    return value === undefined ? undefined : new ObjectReader(value, this.at(key), this.findings);
  }

  /** A reader of a table, whose names are anybody's own. */
  table(key: string): ObjectReader | undefined {
    const value = this.object(key);
    return value === undefined ? undefined : new ObjectReader(value, this.at(key), this.findings, 'theirs');
  }

  /** A table of what `read` answers for each name; names for which it answers undefined are left out. */
  each<T>(read: (name: string) => T | undefined): Record<string, T> {
    const out = nameTable<T>();
    for (const name of this.#fields.keys()) {
      const value = read(name);
      if (value !== undefined) out[name] = value;
    }
    return out;
  }

  /**
   * Reports the properties that nobody asked for. To be called once everything has been read.
   * @param instead what is said to count because of them.
   */
  finish(severity: 'error' | 'warning' = 'warning', code = 'unknown_property', instead?: Sentence): void {
    for (const name of this.unasked()) {
      const key = this.#fields.get(name)?.key ?? name;
      const unknown = say('is_unknown', proposal(name, this.#asked));
      const fault = instead ? say('instead', unknown, instead) : unknown;
      this.findings.add(severity, this.at(name), this.findings.about(this.at(name), key, fault), code);
    }
  }
}
