import type { Finding } from './finding';
import { isMixed } from './shape';

const secretName = /pass|pwd|secret|token|key|auth|credential|private|dsn|salt|signature|webhook/i;
const plain = /^(?:true|false|null|none|undefined|localhost|\d+(?:\.\d+)*|[a-z]+(?:[-_.][a-z]+)*|\$\{?\w+\}?|<.*>)$/i;
const path = /^(?:~|\.{1,2})?(?:\/[\w.@-]+)+\/?$|^\.[\w-]+$/;

/** The name in a line of a `.env` file, and the place of its value. */
const name = /^[ \t]*(?:\d+[\t|:])?[ \t]*(?:export[ \t])?[ \t]*([A-Za-z_][\w.-]{0,100})[ \t]*=[ \t]*/;

/** The values of a `.env` file that are secrets: those of secret names, and those drawn by chance. */
export function environmentSecrets(text: string): readonly Finding[] {
  const found: Finding[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    const named = name.exec(line);
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
  const end = quote === '"' || quote === "'" || quote === '`' ? rest.indexOf(quote, 1) : -1;
  if (end > 0) return rest.slice(1, end).trim();
  // Not every reader takes a number sign within a value for the beginning of a comment.
  const comment = rest.search(/(?:^|\s)#/);
  return (comment < 0 ? rest : rest.slice(0, comment)).trim();
}

function isSecretValue(named: string, value: string): boolean {
  if (value.length < 6 || plain.test(value) || value.includes('{{secret:')) return false;
  if (path.test(value) && !isMixed(value)) return false;
  return secretName.test(named) || (value.length >= 16 && /\d/.test(value) && !/\s|:\/\/[^@]*$/.test(value));
}
