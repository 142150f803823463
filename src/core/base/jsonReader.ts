import { camelCase, isObject, typeName } from './json';
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
}

/** Collects what is wrong with one source, each fault with the JSON pointer to its place. */
export class Findings {
  readonly problems: Problem[] = [];
  readonly options: FindingsOptions;

  constructor(options: FindingsOptions) {
    this.options = options;
  }

  add(severity: Problem['severity'], pointer: string, said: Sentence, code = this.options.code): void {
    const { subject } = this.options;
    this.problems.push(problem({ severity, code, said, pointer, ...(subject === undefined ? {} : { subject }) }));
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

/**
 * Reads the properties of one object in camelCase or snake_case, reports what does not fit at its place,
 * and reports every property that nobody asked for, with the nearest known names.
 */
export class ObjectReader {
  readonly pointer: string;
  readonly findings: Findings;
  readonly #fields = new Map<string, { readonly key: string; readonly value: unknown }>();
  readonly #asked = new Set<string>();

  constructor(raw: Record<string, unknown>, pointer: string, findings: Findings) {
    this.pointer = pointer;
    this.findings = findings;
    for (const [key, value] of Object.entries(raw)) {
      const name = key.startsWith('$') ? key : camelCase(key);
      const before = this.#fields.get(name);
      if (before) findings.warn(pointerTo(pointer, key), say('same_property', key, before.key));
      this.#fields.set(name, { key, value });
    }
  }

  has(key: string): boolean {
    return this.raw(key) !== undefined;
  }

  raw(key: string): unknown {
    this.#asked.add(key);
    return this.#fields.get(key)?.value;
  }

  at(key: string): string {
    return pointerTo(this.pointer, this.#fields.get(key)?.key ?? key);
  }

  error(key: string, fault: Sentence, code?: string): void {
    this.#report('error', key, fault, code);
  }

  warn(key: string, fault: Sentence, code?: string): void {
    this.#report('warning', key, fault, code);
  }

  #report(severity: Problem['severity'], key: string, fault: Sentence, code?: string): void {
    const pointer = this.#fields.has(key) ? this.at(key) : this.pointer;
    this.findings.add(severity, pointer, this.findings.about(this.at(key), key, fault), code);
  }

  /** @param instead what counts in place of a value that does not fit. */
  #typed<T>(
    key: string,
    expected: Sentence | string,
    check: (value: unknown) => value is T,
    instead?: Sentence,
  ): T | undefined {
    const value = this.raw(key);
    if (this.#isMissing(key)) return undefined;
    if (check(value)) return value;
    const fault = say('must_be', expected, got(value));
    this.error(key, instead ? say('instead', fault, instead) : fault);
    return undefined;
  }

  text(key: string): string | undefined {
    return this.#typed(key, 'string', (value): value is string => typeof value === 'string');
  }

  /** A string that must be there and not empty; null is as good as nothing. */
  required(key: string): string | undefined {
    const value = this.text(key);
    if (value !== undefined && value.trim() !== '') return value;
    if (value !== undefined) this.error(key, say('is_empty'));
    else if (this.#isMissing(key)) this.error(key, say('is_required'));
    return undefined;
  }

  #isMissing(key: string): boolean {
    const value = this.raw(key);
    return value === undefined || (value === null && !this.findings.options.nullIsWrong);
  }

  flag(key: string, instead?: Sentence): boolean | undefined {
    return this.#typed(key, 'boolean', (value): value is boolean => typeof value === 'boolean', instead);
  }

  number(key: string, bounds: { readonly minimum: number; readonly maximum: number }): number | undefined {
    const value = this.#typed(key, 'number', (one): one is number => typeof one === 'number' && Number.isFinite(one));
    if (value === undefined || (value >= bounds.minimum && value <= bounds.maximum)) return value;
    this.error(key, say('must_be_from_to', bounds.minimum, bounds.maximum, value));
    return undefined;
  }

  oneOf<T extends string>(
    key: string,
    allowed: readonly T[],
    synonyms: Readonly<Record<string, T>> = {},
    instead?: Sentence,
  ): T | undefined {
    const value = this.raw(key);
    if (this.#isMissing(key)) return undefined;
    if (typeof value === 'string') {
      const found =
        allowed.find((one) => one === value) ?? (Object.hasOwn(synonyms, value) ? synonyms[value] : undefined);
      if (found !== undefined) return found;
    }
    const near = typeof value === 'string' ? proposal(value, allowed) : '';
    const fault = say('must_be_one_of', allowed, JSON.stringify(value), near);
    this.error(key, instead ? say('instead', fault, instead) : fault);
    return undefined;
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

  object(key: string): Record<string, unknown> | undefined {
    return this.#typed(key, say('an_object'), isObject);
  }

  reader(key: string): ObjectReader | undefined {
    const value = this.object(key);
    return value === undefined ? undefined : new ObjectReader(value, this.at(key), this.findings);
  }

  /** Reports the properties that nobody asked for. To be called once everything has been read. */
  finish(severity: 'error' | 'warning' = 'warning', code = 'unknown_property'): void {
    for (const [name, { key }] of this.#fields) {
      if (this.#asked.has(name) || name.startsWith('$')) continue;
      const at = pointerTo(this.pointer, key);
      this.findings.add(
        severity,
        at,
        this.findings.about(at, key, say('is_unknown', proposal(name, this.#asked))),
        code,
      );
    }
  }
}
