import { Bm25 } from '../../../core/base/bm25';
import { fenceLine } from './fence';

/** A piece of a page under its headings. */
interface Section {
  readonly path: readonly string[];
  readonly text: string;
}

const sectionLength = 1_500;
const maxSections = 12;

interface RelevantText {
  readonly text: string;
  readonly shown: number;
  readonly total: number;
}

/**
 * Picks the sections of a text that answer a query, best first, by BM25 over words (no model, no network).
 * Undefined where no section holds any of the query's words.
 */
export function mostRelevant(text: string, query: string): RelevantText | undefined {
  const sections = splitSections(text);
  const ranking = new Bm25();
  for (const section of sections) {
    const words = tokens(`${section.path.join(' ')} ${section.path.at(-1) ?? ''} ${section.text}`);
    ranking.add(countWords(words), words.length);
  }
  const best = Array.from(ranking.scores(tokens(query)), (score, at) => ({ score, at }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, maxSections);
  if (best.length === 0) return undefined;
  const parts = best.map(({ at }) => {
    const section = sections[at];
    const path = section?.path.join(' > ') ?? '';
    return `[section ${at + 1} of ${sections.length}${path === '' ? '' : `: ${path}`}]\n\n${section?.text ?? ''}`;
  });
  return { text: parts.join('\n\n'), shown: best.length, total: sections.length };
}

/** Splits at headings, and long sections at paragraphs; a fenced block is never split. */
function splitSections(text: string): Section[] {
  const sections: Section[] = [];
  const path: { readonly level: number; readonly title: string }[] = [];
  let lines: string[] = [];
  let length = 0;
  let fence = '';
  const close = (): void => {
    const body = lines.join('\n').trim();
    if (body !== '') sections.push({ path: path.map(({ title }) => title), text: body });
    lines = [];
    length = 0;
  };
  for (const line of text.split('\n')) {
    const mark = fenceLine.exec(line)?.[1];
    if (mark !== undefined) fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence;
    const heading = fence === '' ? /^(#{1,6}) (.*)$/.exec(line) : null;
    if (heading) {
      close();
      const level = heading[1]?.length ?? 1;
      while ((path.at(-1)?.level ?? 0) >= level) path.pop();
      path.push({ level, title: (heading[2] ?? '').trim() });
    } else if (line.trim() === '' && fence === '' && length > sectionLength) close();
    lines.push(line);
    length += line.length + 1;
  }
  close();
  return sections;
}

/** Words in lower case without a plural s; scripts that write without spaces are cut into pairs. */
function tokens(text: string): string[] {
  const found: string[] = [];
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word)) {
      const letters = [...word];
      if (letters.length === 1) found.push(word);
      for (let at = 0; at + 1 < letters.length; at++) found.push(`${letters[at]}${letters[at + 1]}`);
    } else found.push(word.length > 3 ? word.replace(/(?<=[^s])s$/, '') : word);
  }
  return found;
}

function countWords(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
