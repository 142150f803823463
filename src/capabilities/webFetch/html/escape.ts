const special = /[\\*_`[\]]/;
const specials = /[\\*_`[\]]/g;

/** Escapes text exactly as turndown does: what could be markdown gets a backslash. */
export function escapeTurndown(text: string): string {
  const escaped = special.test(text) ? text.replace(specials, '\\$&') : text;
  return escapeStart(escaped);
}

/** What means a block only where a line begins; a text node's start may be one. */
function escapeStart(text: string): string {
  switch (text.charCodeAt(0)) {
    case 45: // -
    case 62: // >
    case 61: // =
      return `\\${text}`;
    case 43: // +
      return text.charCodeAt(1) === 32 ? `\\${text}` : text;
    case 126: // ~
      return text.startsWith('~~~') ? `\\${text}` : text;
    case 35: // #
      return /^#{1,6} /.test(text) ? `\\${text}` : text;
    default:
      return text.charCodeAt(0) >= 48 && text.charCodeAt(0) <= 57 ? text.replace(/^(\d+)\. /, '$1\\. ') : text;
  }
}

const anySpecial = /[\\*_`[\]<&~]/;
const inner = /[\\*`[\]]|_+|~{2,}|<(?=[a-z!/?])|&(?=#?\w{1,31};)/gi;

/**
 * Escapes text so that markdown shows it as it stands and no more than that: underscores inside words, lone tildes, and
 * `<` or `&` that mean nothing stay as they are.
 */
export function escapeText(text: string, atLineStart: boolean): string {
  let escaped = text;
  if (anySpecial.test(text)) {
    escaped = text.replace(inner, (found, at: number) => {
      if (found.charCodeAt(0) !== 95) return found.replace(/[^]/g, '\\$&');
      const before = text.charCodeAt(at - 1);
      const after = text.charCodeAt(at + found.length);
      return isWord(before) && isWord(after) ? found : found.replaceAll('_', '\\_');
    });
  }
  return atLineStart ? escapeLineStart(escaped) : escaped;
}

const isWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code > 191;

function escapeLineStart(text: string): string {
  const code = text.charCodeAt(0);
  if (code >= 48 && code <= 57) return text.replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
  if (code === 45 || code === 43) return /^(?:[-+](?:\s|$)|-[-\s]*$|-{2,})/.test(text) ? `\\${text}` : text;
  if (code === 35) return /^#{1,6}(?:\s|$)/.test(text) ? `\\${text}` : text;
  if (code === 62 || code === 61) return `\\${text}`;
  return text;
}

/** A link's target: brackets escaped, in angle brackets where it holds a space. */
export function escapeDestination(destination: string): string {
  const escaped = /[<>()]/.test(destination) ? destination.replace(/[<>()]/g, '\\$&') : destination;
  return escaped.includes(' ') ? `<${escaped}>` : escaped;
}

export const escapeTitle = (title: string): string => title.replaceAll('"', '\\"');

/** The same where a backslash is a character of the title. */
export const escapeWholeTitle = (title: string): string => title.replace(/["\\]/g, '\\$&');

/** An attribute's text: blank lines would end the construct that it stands in. */
export const cleanAttribute = (value: string | undefined): string => (value ? value.replace(/\n\s*/g, '\n') : '');
