import { isObject, type Json } from '../../core/base/json';
import { toolError } from '../../core/vocabulary/errors';
import { didYouMean } from '../../core/base/nearest';
import { type AccessContext, noAccesses, type ToolHandler } from '../../core/capability/tool';
import type { ReadNotesInput, SearchNotesInput, WriteNoteInput } from './inputs';

type Source = NonNullable<WriteNoteInput['sources']>[number];

interface Section {
  readonly name: string;
  readonly text: string;
  readonly sources: readonly Source[];
}

/** The scratchpad of one profile, all sections together. In characters. */
const mostCharacters = 500_000;
const mostSections = 200;

const keyOf = (context: AccessContext): string => `research.${context.profileId}`;

/** What was stored is read as foreign: a part that does not fit is left out, the rest stays. */
function load(context: AccessContext): readonly Section[] {
  const raw = context.ports.storage.get(keyOf(context));
  if (!Array.isArray(raw)) return [];
  return raw.flatMap((item: unknown): readonly Section[] => {
    if (!isObject(item) || typeof item['name'] !== 'string' || typeof item['text'] !== 'string') return [];
    const sources = Array.isArray(item['sources']) ? item['sources'] : [];
    return [{ name: item['name'], text: item['text'], sources: sources.flatMap(readSource) }];
  });
}

function readSource(raw: unknown): readonly Source[] {
  if (!isObject(raw) || typeof raw['url'] !== 'string') return [];
  return [{ url: raw['url'], ...(typeof raw['title'] === 'string' ? { title: raw['title'] } : {}) }];
}

function sectionJson({ name, text, sources }: Section): Json {
  return { section: name, text, sources: sources.map((one) => ({ ...one })) };
}

export const writeNote: ToolHandler<WriteNoteInput> = {
  accesses: noAccesses,
  async run({ section, text, sources = [], replace }, context) {
    const all = load(context);
    const before = replace ? undefined : all.find((one) => one.name === section);
    const known = new Set(before?.sources.map((one) => one.url));
    const next: Section = {
      name: section,
      text: before && before.text !== '' ? `${before.text}\n\n${text}` : text,
      sources: [...(before?.sources ?? []), ...sources.filter((one) => !known.has(one.url) && known.add(one.url))],
    };
    const isRemoved = replace && text === '' && sources.length === 0;
    const at = all.findIndex((one) => one.name === section);
    const rest = all.filter((one) => one.name !== section);
    const sections = isRemoved ? rest : at < 0 ? [...all, next] : [...all.slice(0, at), next, ...all.slice(at + 1)];
    const size = sections.reduce((sum, one) => sum + one.text.length, 0);
    if (size > mostCharacters || sections.length > mostSections)
      throw toolError(
        'too_large',
        `the scratchpad would have ${size} characters in ${sections.length} sections, more than ${mostCharacters} in ${mostSections}; replace a section by a shorter one`,
      );
    await context.ports.storage.set(
      keyOf(context),
      sections.map((one) => ({ ...one, sources: one.sources.map((source) => ({ ...source })) })),
    );
    return {
      payload: { section, characters: isRemoved ? 0 : next.text.length, sections: sections.map((one) => one.name) },
    };
  },
};

export const readNotes: ToolHandler<ReadNotesInput> = {
  accesses: noAccesses,
  async run({ section }, context) {
    const all = load(context);
    if (section === undefined) return { payload: { sections: all.map(sectionJson) } };
    const found = all.find((one) => one.name === section);
    const names = all.map((one) => one.name);
    if (!found)
      throw toolError(
        'not_found',
        `the scratchpad has no section \`${section}\`${didYouMean(section, names)}${names.length === 0 ? '; it is empty' : ''}`,
      );
    return { payload: { sections: [sectionJson(found)] } };
  },
};

export const searchNotes: ToolHandler<SearchNotesInput> = {
  accesses: noAccesses,
  async run({ query, limit }, context) {
    const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
    const matches: { readonly score: number; readonly json: Json }[] = [];
    for (const section of load(context)) {
      const heading = section.name.toLowerCase();
      const lines = [
        ...section.text.split('\n').map((line, index) => ({
          text: line,
          json: { section: section.name, line: index + 1, text: line.slice(0, 300) },
        })),
        ...section.sources.map((one) => ({
          text: `${one.title ?? ''} ${one.url}`,
          json: { section: section.name, source: one.url, text: one.title ?? one.url },
        })),
      ];
      for (const { text, json } of lines) {
        const lower = text.toLowerCase();
        const inLine = terms.filter((term) => lower.includes(term)).length;
        if (inLine > 0 && terms.every((term) => lower.includes(term) || heading.includes(term)))
          matches.push({ score: inLine, json });
      }
    }
    matches.sort((a, b) => b.score - a.score);
    return { payload: { matches: matches.slice(0, limit).map((one) => one.json), count: matches.length } };
  },
};
