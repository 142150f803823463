import type { Finding } from './finding';
import { isDrawn, isMixed } from './shape';

const secretName =
  /pass|pwd|(?:^|[_.-])pw\d?$|secret|token|key|auth|cred|private|dsn|salt|signature|webhook|jwt|cookie|mnemonic|seed|session/i;
const plain = /^(?:true|false|null|none|undefined|localhost|\d+(?:\.\d+)*|[a-z]+(?:[-_.][a-z]+)*|<[a-z _-]*>)$/i;
/** What stands for another variable. */
const reference = /^\$(?:\{\w+\}|[A-Z_][A-Z0-9_]*)$/;
/** Names of which the value is a secret whatever it looks like. */
const surelySecret = /pass|pwd|(?:^|[_.-])pw\d?$|secret|token|key$|mnemonic|signature/i;
const host = /^\.?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?:\.[a-z]{2,}|:\d{1,5})$/;
const mail = /^[\w.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;
/** An address without a name and a password in it, and what stands behind its host. */
const address = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]*((?:[/?#][^@\s]*)?)$/i;
const path = /^(?:~|\.{1,2})?(?:\/[\w.@-]+)+\/?$|^\.[\w-]+$/;

/** The name in a line of a `.env` file, one that is commented out too, and the place of its value. */
const name =
  /^\ufeff?[ \t]*(?:\d+[\t|:])?[ \t]*(?:[#-][ \t]{0,8})?(?:(?:export|set)[ \t]+)?([A-Za-z_][\w.-]{0,100})[ \t]*(?:\+?=|:(?=[ \t]))[ \t]*/;
const comment = /^[ \t]*(?:\d+[\t|:])?[ \t]*#/;
/** Of what is commented out, a colon is one of prose. */
const spoken = /:[ \t]*$/;

/** The values of a `.env` file that are secrets: those of secret names, and those drawn by chance. */
export function environmentSecrets(text: string): readonly Finding[] {
  const found: Finding[] = [];
  let at = 0;
  for (let next = 0; at < text.length; at = next + 1) {
    next = lineEnd(text, at);
    const named = name.exec(text.slice(at, next));
    if (!named) continue;
    const from = at + named[0].length;
    const { start, end } = valueAt(text, from, next);
    next = Math.max(next, lineEnd(text, end));
    const value = text.slice(start, end);
    // Of what is commented out, sentences of prose are no values.
    if (comment.test(named[0]) && (/\s/.test(value) || spoken.test(named[0]))) continue;
    if (!isSecretValue(named[1] ?? '', value.replace(/\s+/g, ' '))) continue;
    // A placeholder for each line leaves the numbers of the lines as they are.
    for (const { 0: line, index } of value.matchAll(/[^\r\n]+/g))
      if (line.length >= 6 || !value.includes('\n'))
        found.push({ start: start + index, end: start + index + line.length, rule: 'env-value', sure: true });
  }
  return found;
}

function lineEnd(text: string, from: number): number {
  const found = text.slice(from).search(/[\r\n]/);
  return found < 0 ? text.length : from + found;
}

const quoted = /(?:"(?:[^"\\]|\\[^]){0,20000}"|'[^']{0,20000}'|`[^`]{0,20000}`)/y;

/** The place of a value in quotes, which may hold line breaks, or of one up to a comment. */
function valueAt(text: string, from: number, lineEnds: number): { readonly start: number; readonly end: number } {
  quoted.lastIndex = from;
  const whole = quoted.exec(text)?.[0];
  // A quote that is never closed in its line, before a line with a name, was none.
  if (whole !== undefined && !/[\r\n][ \t]*(?:export[ \t]+)?[A-Z_][A-Z0-9_]*=/.test(whole))
    return { start: from + 1, end: from + whole.length - 1 };
  const rest = text.slice(from, lineEnds);
  // Not every reader takes a number sign within a value for the beginning of a comment.
  const commented = rest.search(/(?:^|\s)#/);
  const value = (commented < 0 ? rest : rest.slice(0, commented)).trim();
  const start = from + rest.indexOf(value);
  return { start, end: start + value.length };
}

function isSecretValue(named: string, value: string): boolean {
  if (value.length < 6 || plain.test(value) || reference.test(value) || value.includes('{{secret:')) return false;
  if (path.test(value) && !isMixed(value) && !(value.lastIndexOf('/') <= 0 && /\d/.test(value))) return false;
  if (isPlace(named, value)) return false;
  return (
    secretName.test(named) ||
    (value.length >= 16 && /\d/.test(value) && !/\s/.test(value) && !value.includes('://', value.lastIndexOf('@') + 1))
  );
}

/** Tells an address, a host or somebody's mail from what opens it. */
function isPlace(named: string, value: string): boolean {
  const carried = address.exec(value)?.[1];
  if (carried !== undefined) return !/webhook/i.test(named) && !carried.split(/[/?#&=]+/).some(isDrawn);
  if (surelySecret.test(named)) return false;
  return mail.test(value) || (host.test(value) && !value.split(/[.:]/).some(isDrawn));
}
