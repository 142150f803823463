import type { Finding } from './finding';
import { isExample, isPassword } from './shape';

/** The values stand so near to the kind, in characters and in lines. */
const reach = 2000;
const mostLines = 80;

/** Where another one begins: a document, or an item of a list. */
const begins = /\n(?:---|kind:|[ \t]{0,20}- (?:apiVersion|kind):)/;
const kindBefore = /kind["']?:\s{0,3}["']?$/i;
const section = /(?:^|\n|,)([ \t]{0,200})["']?(data|stringData)["']?:[ \t]{0,40}(?:\{[ \t]{0,40})?\r?\n/g;
const entry = /([ \t]*)(?:#[^\n]*|["']?([\w.-]{1,100})["']?:[ \t]*([^\n]*)|[^\n]*)(?:\n|$)/y;
const namedSecret = /(?:pass(?:word|phrase|wd)?|pwd|token|secret|key|credentials?|auth)$/i;
/** What signs in to a registry, as an object. */
const registries = /\.docker(?:cfg|configjson)$/;
const inQuotes = /^"((?:[^"\\]|\\.)*)"|^'((?:[^']|'')*)'/;
/** So much of a value says what it is; a multiple of four, for base64. */
const toldBy = 4000;

/**
 * Finds the values of a Secret of Kubernetes, by the word that says its kind: under `data` in base64, those that nobody
 * would have written as an example, and those whose names say so.
 */
export function inManifest(text: string, at: number): readonly Finding[] {
  if (
    text.slice(at, at + 6) !== 'Secret' ||
    !kindBefore.test(text.slice(Math.max(0, at - 14), at)) ||
    /[\w-]/.test(text.charAt(at + 6))
  )
    return [];
  // The line of the kind itself begins no other manifest.
  const head = Math.max(0, at - 6);
  const before = text.slice(Math.max(0, head - reach), head);
  const behind = text.slice(at, at + reach);
  const from = head - before.length + ([...before.matchAll(new RegExp(begins, 'g'))].at(-1)?.index ?? 0);
  const end = begins.exec(behind)?.index ?? behind.length;
  const to = at + end;
  const all = [...text.slice(from, to).matchAll(section)];
  const last = all.findLast(({ index }) => from + index < at);
  const next = all.find(({ index }) => from + index >= at);
  return [last, next].flatMap((one) =>
    one === undefined
      ? []
      : valuesOf(text, from + one.index + one[0].length, to, one[1]?.length ?? 0, one[2] === 'data'),
  );
}

function valuesOf(text: string, start: number, until: number, indent: number, isEncoded: boolean): Finding[] {
  const found: Finding[] = [];
  entry.lastIndex = start;
  for (let line = 0; line < mostLines && entry.lastIndex < until; line++) {
    const at = entry.lastIndex;
    const [whole = '', blanks = '', name = '', rest = ''] = entry.exec(text) ?? [];
    if (whole.trim() !== '' && blanks.length <= indent) break;
    const value = valueIn(rest);
    if (value.length < 6 || isTemplate(value)) continue;
    const begin = value.slice(0, toldBy);
    if (!isSecret(name, isEncoded ? (value.length % 4 === 0 ? decoded(begin) : '') : begin)) continue;
    const first = at + whole.replace(/\n$/, '').length - rest.length + rest.indexOf(value);
    found.push({ start: first, end: first + value.length, rule: 'kubernetes-secret', sure: true });
  }
  return found;
}

/** What stands behind a name: to the end of its quotes, or to a comment. */
function valueIn(rest: string): string {
  const [quoted, double, single] = inQuotes.exec(rest) ?? [];
  if (quoted !== undefined) return double ?? single ?? '';
  return (rest.split(/\s#/, 1)[0] ?? '').trimEnd().replace(/,$/, '');
}

/** What is put in later, and the head of a text in lines. */
const isTemplate = (value: string): boolean => /^[${<%*|>&]/.test(value);

/** Certificates are none; what has no name that says so is one word. */
const isSecret = (name: string, held: string): boolean =>
  held.length >= 6 &&
  (registries.test(name) || !isExample(held)) &&
  !held.startsWith('-----BEGIN CERTIFICATE') &&
  (registries.test(name) || namedSecret.test(name) || (/^[\x21-\x7e]+$/.test(held) && isPassword(held)));

function decoded(value: string): string {
  try {
    return /^[A-Za-z0-9+/]+={0,2}$/.test(value) ? atob(value) : '';
  } catch {
    return '';
  }
}
