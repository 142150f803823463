import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { catalogueParts } from '../../src/core/sentences/catalogue';
import { codeWords } from '../../src/core/sentences/codeWords';

/** One text for people in the sources, and where it stands. */
export interface FoundText {
  readonly text: string;
  readonly place: string;
}

/** `l10n.t(` of the editor, and `t(`, which is the same function passed on. */
const call = /(?<![\w$])(?:vscode\.l10n\.t|(?<!\.)t)\(\s*/g;
const literal = /^'((?:[^'\\\n]|\\.)*)'|^"((?:[^"\\\n]|\\.)*)"|^`((?:[^`\\$]|\\.|\$(?!\{))*)`/;
/** What a built-in capability is called and is for, in the tree's row; the tree hands it to the same function. */
const ofCapability = /^ {2}(?:(?:name|category): '(?=[A-Z])|summary: ')([^'\\\n]*)',$/gm;
/** The same of a profile that comes with the extension. */
const ofProfile = /^ {4}(?:name|description): '([^'\\\n]*)',$/gm;
/** A type's method or an arrow's parameter list is no call. */
const signature = /^(?:message|text|key)\s*[:?]/;

/**
 * Every sentence of the catalogue, the words of every code, and every text that the sources hand to the editor for
 * translation; a text that is put together at run time cannot be translated and throws.
 */
export function sourceTexts(root = 'src'): readonly FoundText[] {
  const found: FoundText[] = [...catalogueParts, ...Object.values(codeWords)].flatMap((part) =>
    Object.entries(part).map(([code, text]) => ({ text, place: `the words of ${code}` })),
  );
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.ts')) continue;
    const file = path.join(root, name);
    const source = readFileSync(file, 'utf8');
    for (const match of source.matchAll(call)) {
      const start = match.index + match[0].length;
      const rest = source.slice(start);
      if (signature.test(rest)) continue;
      const place = `${file}:${source.slice(0, start).split('\n').length}`;
      const text = literal.exec(rest);
      if (!text)
        throw new Error(
          `${place}: the text must be one literal, so that it can be translated (got ${rest.slice(0, 40)})`,
        );
      if (/^\s*\+/.test(rest.slice(text[0].length)))
        throw new Error(`${place}: the text is put together; write it as one literal`);
      found.push({ text: unescape(text[1] ?? text[2] ?? text[3] ?? ''), place });
    }
    const named = name.startsWith('capabilities') ? ofCapability : name.endsWith('shippedProfiles.ts') && ofProfile;
    if (named) for (const [, text = ''] of source.matchAll(named)) found.push({ text, place: file });
  }
  return found;
}

function unescape(text: string): string {
  return text.replace(
    /\\(u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|.)/g,
    (_whole, one: string, braced?: string, four?: string) => {
      const code = braced ?? four;
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
      return one === 'n' ? '\n' : one === 't' ? '\t' : one;
    },
  );
}

/**
 * The bundle that the editor reads: each text under itself, in the order of the alphabet, so that two people's
 * additions seldom meet.
 */
export function bundleOf(texts: readonly FoundText[]): Readonly<Record<string, string>> {
  const names = [...new Set(texts.map(({ text }) => text))].sort((a, b) => (a < b ? -1 : 1));
  return Object.fromEntries(names.map((text) => [text, text]));
}

/** The placeholders of a text, each once, in order: `{0}`, `{1}`. */
export function placeholders(text: string): readonly string[] {
  return [...new Set(text.match(/\{\d+\}/g) ?? [])].sort();
}
