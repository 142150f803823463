import type { LeanNode } from './leanNode';

const none: ReadonlyMap<string, string> = new Map();

const mayHide =
  /\\|display|visibility|opacity|font|left|top|right|bottom|indent|clip|width|height|color|background|transform|scale/i;

/** Of a value so many characters are looked at: what hides is short. */
const longestValue = 300;

/**
 * What an element's own style declares, by property, names and values in lower case: the last declaration of each that
 * a browser would take, the important ones before others. Empty where nothing in it could hide anything.
 */
export function styleOf(node: LeanNode): ReadonlyMap<string, string> {
  const text = node.attribute('style');
  if (text === undefined || !mayHide.test(text)) return none;
  const found = new Map<string, string>();
  const important = new Set<string>();
  for (const declaration of declarations(text)) {
    const colon = declaration.indexOf(':');
    const name = unescaped(declaration.slice(0, Math.max(0, colon)));
    const given = unescaped(declaration.slice(colon + 1));
    const mark = given.lastIndexOf('!');
    const isImportant = mark >= 0 && given.slice(mark + 1).trim() === 'important';
    const value = given.slice(0, Math.min(isImportant ? mark : given.length, longestValue)).trim();
    if (name === '' || value === '' || !isValid(name, value) || (important.has(name) && !isImportant)) continue;
    if (isImportant) important.add(name);
    found.set(name, value);
  }
  return found;
}

/** In lower case, with escaped letters as they read. */
function unescaped(text: string): string {
  const lower = text.trim().toLowerCase();
  if (!lower.includes('\\')) return lower;
  return lower.replace(
    /\\(?:([0-9a-f]{1,6})\s?|([^]))/g,
    (_found, code: string | undefined, char: string | undefined) =>
      code === undefined ? (char ?? '') : String.fromCharCode(Number.parseInt(code, 16)).toLowerCase(),
  );
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '"': '"', "'": "'" };

/** Splits at semicolons, but not inside brackets and quotes; comments count as a space. */
function declarations(text: string): string[] {
  if (!/[([{"'/\\]/.test(text)) return text.split(';');
  const found: string[] = [];
  const open: string[] = [];
  let written = '';
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    const closer = open.at(-1);
    if (char === '\\') at++;
    else if (char === closer) open.pop();
    else if (closer === '"' || closer === "'") continue;
    else if (char === '/' && text.charAt(at + 1) === '*') {
      written += `${text.slice(start, at)} `;
      const end = text.indexOf('*/', at + 2);
      start = end < 0 ? text.length : end + 2;
      at = start - 1;
    } else if (char === ';' && open.length === 0) {
      found.push(written + text.slice(start, at));
      written = '';
      start = at + 1;
    } else if (closers[char] !== undefined) open.push(closers[char]);
  }
  found.push(written + text.slice(start));
  return found;
}

const displays =
  /^(?:none|contents|block|inline|flow|flow-root|(?:inline-)?(?:block|flex|grid|table)|table-[a-z-]+|list-item|run-in|ruby|ruby-[a-z]+|math|-(?:webkit|moz|ms)-[a-z-]+|initial|inherit|unset|revert|revert-layer|(?:block|inline) [a-z -]+|.*var\(.*)$/;
const visibilities = /^(?:visible|hidden|collapse|initial|inherit|unset|revert|revert-layer|.*var\(.*)$/;
const sizes = /^(?:[+]?[\d.]+(?:e[+-]?\d+)?(?:[a-z]+|%)?|[a-z]+-?[a-z]*|[a-z]+\(.*\))$/;
const opacities = /^(?:[+-]?[\d.]+(?:e[+-]?\d+)?%?|initial|inherit|unset|revert|revert-layer|[a-z]+\(.*\))$/;

/** A value that a browser does not know leaves the one before it in force. */
function isValid(name: string, value: string): boolean {
  switch (name) {
    case 'display':
      return displays.test(value);
    case 'visibility':
      return visibilities.test(value);
    case 'font-size':
      return sizes.test(value);
    case 'opacity':
      return opacities.test(value);
    default:
      return true;
  }
}
