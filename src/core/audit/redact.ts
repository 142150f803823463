import type { Json } from '../base/json';
import { pointerTo } from '../base/jsonReader';
import type { Finding, SecretFinder } from '../secrets/finding';
import { findSecrets, isCallId, isSecretName } from './secrets';
import { cut, grouped } from '../base/figures';

/** One thing that was hidden: where (a JSON pointer), and by which rule. */
export interface Hidden {
  readonly path: string;
  readonly rule: string;
}

interface RedactOptions {
  /** Says why a string may not be kept at all, such as a file's content; undefined lets it pass to the rules. */
  readonly withhold?: (value: string, path: readonly string[]) => string | undefined;
}

/** Hides secrets in texts and values. Made once; it keeps the latest answers, because a log repeats itself. */
export interface Redactor {
  text(value: string): string;
  /** Deep copies with the keys sorted; the original is never changed. Cycles and depth over 12 are cut. */
  value(value: unknown, hidden: Hidden[], options?: RedactOptions): Json;
}

/** Longest text that the rules look at; what is longer is cut first, so that a call with 50 MB costs no seconds. */
const maxLooked = 65_536;
/** Longer strings are cut after they are cleaned. */
const mostCharacters = 2000;
const maxDepth = 12;
const maxItems = 200;
const cacheSize = 2048;

/** Builds a redactor from the built-in rules and any further finders. */
export function createRedactor(finders: readonly SecretFinder[] = []): Redactor {
  const all = [findSecrets, ...finders];
  const cache = new Map<string, string>();

  const clean = (value: string, found: (rule: string) => void): string => {
    const looked = value.length > maxLooked ? cut(value, maxLooked) : value;
    const plain = withoutEscapes(looked);
    const findings = all.flatMap((finder) =>
      plain === looked ? finder(looked) : [...finder(looked), ...finder(plain)],
    );
    if (findings.length === 0) return looked;
    for (const rule of new Set(findings.map((finding) => finding.rule))) found(rule);
    return mask(looked, findings);
  };

  const text = (value: string): string => {
    if (value.length < 6 || isCallId(value)) return value;
    const known = cache.get(value);
    if (known !== undefined) return known;
    const cleaned = clean(value, () => undefined);
    if (value.length <= 1024) {
      if (cache.size >= cacheSize) cache.clear();
      cache.set(value, cleaned);
    }
    return cleaned;
  };

  return {
    text,
    value: (value, hidden, options = {}) => new CleanCopy(clean, text, hidden, options).of(value, [], []),
  };
}

/**
 * The same text at the same places, but with blanks for the escapes of line breaks and for backslashes before quotes.
 * In JSON inside of a text, the `n` of an escaped line break stands before a token like a letter of it.
 */
function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\+([nrtbf"'`])/g,
    (escape, char: string) => `${' '.repeat(escape.length - 1)}${/[nrtbf]/.test(char) ? ' ' : char}`,
  );
}

/** Copies one value without what is to be hidden in it. */
class CleanCopy {
  readonly #clean: (value: string, found: (rule: string) => void) => string;
  readonly #text: (value: string) => string;
  readonly #hidden: Hidden[];
  readonly #options: RedactOptions;

  constructor(
    clean: (value: string, found: (rule: string) => void) => string,
    text: (value: string) => string,
    hidden: Hidden[],
    options: RedactOptions,
  ) {
    this.#clean = clean;
    this.#text = text;
    this.#hidden = hidden;
    this.#options = options;
  }

  of(value: unknown, path: readonly string[], parents: readonly object[]): Json {
    if (typeof value === 'string') {
      const why = this.#options.withhold?.(value, path);
      if (why === undefined)
        return cut(
          this.#clean(value, (rule) => this.#hide(path, rule)),
          mostCharacters,
        );
      this.#hide(path, why);
      return `[${why}: ${grouped(value.length)} characters]`;
    }
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value === 'boolean' || value === null) return value;
    if (typeof value !== 'object') return typeof value === 'undefined' ? null : `[${typeof value}]`;
    if (ArrayBuffer.isView(value)) return `[bytes: ${grouped(value.byteLength)}]`;
    if (parents.includes(value)) return '[cycle]';
    if (path.length >= maxDepth) return '[too deep]';
    return Array.isArray(value) ? this.#list(value, path, parents) : this.#object(value, path, parents);
  }

  /** Headers come as pairs too: ["authorization", "Bearer …"], or flat, name and value by turns. */
  #list(items: readonly unknown[], path: readonly string[], parents: readonly object[]): Json {
    const copied = items.slice(0, maxItems).map((item, index) => {
      const before = index > 0 && typeof item === 'string' ? items[index - 1] : undefined;
      const at = [...path, String(index)];
      const isName = typeof before === 'string' && before.length < 64 && !before.includes(' ') && isSecretName(before);
      return isName ? this.#hide(at, secretNamed) : this.of(item, at, [...parents, items]);
    });
    if (items.length > maxItems) copied.push(`[${grouped(items.length - maxItems)} more]`);
    return copied;
  }

  #object(value: object, path: readonly string[], parents: readonly object[]): Json {
    const result: Record<string, Json> = {};
    const keys = Object.keys(value).sort();
    // A header or a variable as an object of its own: { name: "Authorization", value: "…" }.
    const label = ['name', 'key', 'header', 'Name', 'Key']
      .map((key): unknown => Reflect.get(value, key))
      .find((item) => typeof item === 'string');
    const labelled = typeof label === 'string' && isSecretName(label);
    for (const key of keys.slice(0, maxItems)) {
      const item: unknown = Reflect.get(value, key);
      const name = this.#text(key);
      const at = [...path, name];
      const isSecret = isSecretName(key) || (labelled && /^values?$/i.test(key));
      const isHarmless =
        item === null ||
        item === undefined ||
        typeof item === 'boolean' ||
        (typeof item === 'number' && !/pin|otp|pass/i.test(key));
      setOwn(
        result,
        name,
        isSecret && !isHarmless ? this.#hide(at, secretNamed) : this.of(item, at, [...parents, value]),
      );
    }
    if (keys.length > maxItems) result['…'] = `${grouped(keys.length - maxItems)} more`;
    return result;
  }

  #hide(path: readonly string[], rule: string): string {
    this.#hidden.push({ path: path.reduce<string>(pointerTo, ''), rule });
    return `[hidden: ${rule}]`;
  }
}

const secretNamed = 'secret name';

/** Sets a key as data even where it is called `__proto__`. */
function setOwn(target: Record<string, Json>, key: string, value: Json): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function mask(text: string, findings: readonly Finding[]): string {
  const sorted = [...findings].sort((a, b) => a.start - b.start || b.end - a.end);
  let result = '';
  let at = 0;
  for (const { start, end, rule } of sorted) {
    if (end <= at) continue;
    // Findings that overlap become one gap, named by the first of them.
    if (start >= at) result += `${text.slice(at, start)}[hidden: ${rule}]`;
    at = end;
  }
  return result + text.slice(at);
}
