/** Signs by which a command line is more than one plain command. */
const operators = ';&|<>$`(){}\\\\\'"#\\n\\r';

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/**
 * An expression over whole command lines in which a command may stand anywhere, with a folder before it and whatever
 * comes after: for what restricts. In the pattern `*` stands for any text.
 */
export const anywhereInLine = (pattern: string): string =>
  `(?is)(?:.*[^\\w-])?${wordsOf(pattern)}(?:[^\\w].*)?${pattern.endsWith('*') ? '(?:.*)' : ''}`;

/** An expression over command lines that are this command and nothing else: for what allows. */
export function onlyThisLine(pattern: string): string {
  return pattern.split('*').map(escaped).join(`[^${operators}]*`);
}

/** True where nothing in a pattern but its stars means anything to a glob or a shell. */
export const isPlainLine = (pattern: string): boolean => /^[\w ./:=@%+,*-]+$/.test(pattern);

/** An expression for the start of a command, whatever words come after it, as JavaScript reads it between slashes. */
export const startOfCommand = (pattern: string): string => `(?:^|[^\\w-])${wordsOf(pattern)}`;

/** The words of a pattern with any white space between them; stars at its end say nothing more. */
const wordsOf = (pattern: string): string =>
  pattern
    .trim()
    .split(/\s+/)
    .map((word) => word.split('*').map(escaped).join('.*'))
    .join('\\s+')
    .replace(/(?:\\s\+\.\*)+$/, '');
