import { camelCase, isObject, typeName } from '../base/json';
import { didYouMean } from '../base/nearest';
import type { Problem } from '../base/problem';

/** Collects what is wrong with one file, each fault with the JSON pointer to its place. */
export class Findings {
  readonly problems: Problem[] = [];
  readonly #subject: string | undefined;

  constructor(subject?: string) {
    this.#subject = subject;
  }

  add(severity: Problem['severity'], code: string, pointer: string, message: string): void {
    this.problems.push({
      severity,
      code,
      message,
      pointer,
      ...(this.#subject === undefined ? {} : { subject: this.#subject }),
    });
  }

  error(pointer: string, message: string, code = 'invalid_definition'): void {
    this.add('error', code, pointer, message);
  }

  warn(pointer: string, message: string, code = 'invalid_definition'): void {
    this.add('warning', code, pointer, message);
  }
}

export function pointerTo(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
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
      if (this.#fields.has(name))
        findings.warn(
          pointerTo(pointer, key),
          `\`${key}\` says the same as \`${this.#fields.get(name)?.key ?? name}\`; the last one counts`,
        );
      this.#fields.set(name, { key, value });
    }
  }

  has(key: string): boolean {
    this.#asked.add(key);
    return this.#fields.get(key)?.value !== undefined;
  }

  raw(key: string): unknown {
    this.#asked.add(key);
    return this.#fields.get(key)?.value;
  }

  at(key: string): string {
    return pointerTo(this.pointer, this.#fields.get(key)?.key ?? key);
  }

  error(key: string, message: string, code?: string): void {
    this.findings.error(this.#fields.has(key) ? this.at(key) : this.pointer, `\`${key}\` ${message}`, code);
  }

  warn(key: string, message: string, code?: string): void {
    this.findings.warn(this.#fields.has(key) ? this.at(key) : this.pointer, `\`${key}\` ${message}`, code);
  }

  #typed<T>(key: string, expected: string, check: (value: unknown) => value is T): T | undefined {
    const value = this.raw(key);
    if (value === undefined || value === null) return undefined;
    if (check(value)) return value;
    this.error(key, `must be ${expected} (got ${typeName(value)})`);
    return undefined;
  }

  text(key: string): string | undefined {
    return this.#typed(key, 'string', (value): value is string => typeof value === 'string');
  }

  /** A string that must be there and not empty. */
  required(key: string): string | undefined {
    const value = this.text(key);
    if (value !== undefined && value.trim() !== '') return value;
    if (value !== undefined || !this.has(key))
      this.error(key, value === undefined ? 'is required' : 'must not be empty');
    return undefined;
  }

  flag(key: string): boolean | undefined {
    return this.#typed(key, 'boolean', (value): value is boolean => typeof value === 'boolean');
  }

  number(key: string, bounds: { readonly minimum: number; readonly maximum: number }): number | undefined {
    const value = this.#typed(key, 'number', (one): one is number => typeof one === 'number' && Number.isFinite(one));
    if (value === undefined || (value >= bounds.minimum && value <= bounds.maximum)) return value;
    this.error(key, `must be from ${bounds.minimum} to ${bounds.maximum} (got ${value})`);
    return undefined;
  }

  oneOf<T extends string>(
    key: string,
    allowed: readonly T[],
    synonyms: Readonly<Record<string, T>> = {},
  ): T | undefined {
    const value = this.raw(key);
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string') {
      const found =
        allowed.find((one) => one === value) ?? (Object.hasOwn(synonyms, value) ? synonyms[value] : undefined);
      if (found !== undefined) return found;
    }
    const near = typeof value === 'string' ? didYouMean(value, allowed) : '';
    this.error(
      key,
      `must be one of ${allowed.map((one) => `\`${one}\``).join(', ')} (got ${JSON.stringify(value)})${near}`,
    );
    return undefined;
  }

  texts(key: string): readonly string[] | undefined {
    const list = this.#typed(key, 'an array of strings', (value): value is unknown[] => Array.isArray(value));
    if (!list) return undefined;
    return list.filter((item, index): item is string => {
      if (typeof item === 'string') return true;
      this.findings.error(pointerTo(this.at(key), index), `\`${key}\` must hold strings only (got ${typeName(item)})`);
      return false;
    });
  }

  list(key: string): readonly unknown[] | undefined {
    return this.#typed(key, 'an array', (value): value is unknown[] => Array.isArray(value));
  }

  object(key: string): Record<string, unknown> | undefined {
    return this.#typed(key, 'an object', isObject);
  }

  reader(key: string): ObjectReader | undefined {
    const value = this.object(key);
    return value === undefined ? undefined : new ObjectReader(value, this.at(key), this.findings);
  }

  /** Reports the properties that nobody asked for. To be called once everything has been read. */
  finish(severity: 'error' | 'warning' = 'warning'): void {
    for (const [name, { key }] of this.#fields) {
      if (this.#asked.has(name) || name.startsWith('$')) continue;
      this.findings.add(
        severity,
        'unknown_property',
        pointerTo(this.pointer, key),
        `\`${key}\` is not a known property here${didYouMean(name, this.#asked)}`,
      );
    }
  }
}
