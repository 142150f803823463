import { Anchors } from './anchors';
import type { Finding } from './finding';

/** Values that are secrets because of where they stand: found literally, whatever they look like. */
export class KnownValues {
  readonly #kinds = new Map<string, string>();
  #anchors: Anchors<string> | undefined;

  add(value: string, kind: string): void {
    if (value.length < 6 || this.#kinds.has(value)) return;
    this.#kinds.set(value, kind);
    this.#anchors = undefined;
  }

  find(text: string, found: Finding[]): void {
    if (this.#kinds.size === 0) return;
    // Folded by one bit, an anchor may stand for another character: each place is compared once more.
    this.#anchors ??= new Anchors([...this.#kinds.keys()].map((value) => [value, value] as const));
    this.#anchors.search(text, (start, values) => {
      for (const value of values)
        if (text.startsWith(value, start) && !isWithinWord(text, start, value))
          found.push({ start, end: start + value.length, rule: this.#kinds.get(value) ?? 'value', sure: true });
    });
  }

  /** What of a value stands at the beginning or the end of a part of a file that was cut within it. */
  findCut(text: string, found: Finding[]): void {
    for (const [value, rule] of this.#kinds) {
      const most = Math.min(value.length - 1, text.length);
      for (let length = most; length >= leastPart; length--)
        if (text.startsWith(value.slice(-length))) {
          found.push({ start: 0, end: length, rule, sure: true });
          break;
        }
      for (let length = most; length >= leastPart; length--)
        if (text.endsWith(value.slice(0, length))) {
          found.push({ start: text.length - length, end: text.length, rule, sure: true });
          break;
        }
      // The part lies within the value.
      if (text.length >= leastPart && text.length < value.length && value.includes(text))
        found.push({ start: 0, end: text.length, rule, sure: true });
    }
  }
}

/** Less of a value than this tells too little to be hidden. */
const leastPart = 6;

/** Letters go on before and behind: a longer word that happens to hold the value. */
function isWithinWord(text: string, start: number, value: string): boolean {
  if (value.length >= 12) return false;
  return /\w/.test(text[start - 1] ?? '') || /\w/.test(text[start + value.length] ?? '');
}

const secretName = /pass|pwd|secret|token|key|auth|credential|private|dsn|salt|signature|webhook/i;
const plain =
  /^(?:true|false|null|none|undefined|localhost|\d+(?:\.\d+)*|[a-z]+(?:[-_.][a-z]+)*|[./~].*|\$\{?\w+\}?|<.*>)$/i;

/** The name in a line of a `.env` file, and the place of its value. */
const name = /^[ \t]*(?:\d+[\t|:])?[ \t]*(?:export[ \t])?[ \t]*([A-Za-z_][\w.-]{0,100})[ \t]*=[ \t]*/;
/** The values of a `.env` file that are secrets: those of secret names, and those drawn by chance. */
export function environmentSecrets(text: string): readonly Finding[] {
  const found: Finding[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    const named = line.length > 5000 ? null : name.exec(line);
    if (named) {
      const rest = line.slice(named[0].length);
      const value = valueOf(rest);
      const start = at + named[0].length + rest.indexOf(value);
      if (isSecretValue(named[1] ?? '', value))
        found.push({ start, end: start + value.length, rule: 'env-value', sure: true });
    }
    at += line.length + 1;
  }
  return found;
}

/** A value in quotes, or up to a comment. */
function valueOf(rest: string): string {
  const quote = rest[0];
  const end = quote === '"' || quote === "'" ? rest.indexOf(quote, 1) : -1;
  if (end > 0) return rest.slice(1, end).trim();
  const comment = rest.indexOf('#');
  return (comment < 0 ? rest : rest.slice(0, comment)).trim();
}

function isSecretValue(named: string, value: string): boolean {
  if (value.length < 6 || plain.test(value) || value.includes('{{secret:')) return false;
  return secretName.test(named) || (value.length >= 16 && /\d/.test(value) && !/\s|:\/\/[^@]*$/.test(value));
}

/** The names that are looked for in each workspace folder. */
export const environmentFiles = ['.env', '.env.local', '.env.development', '.env.production', '.env.test'] as const;
