import { atOnce, type Steps, type TextMatches, TextSearch, wideEncoding } from '../../../core/files/searchText';
import { compileLineMatcher, type LineMatcher } from '../../../core/files/lineMatcher';
import type { SearchFile, SearchQuery } from '../../../core/ports/fileSearch';
import { anyCase, holdsInOrder, requiredText, requiredTexts } from '../../../core/files/requiredText';
import type { HandleMode } from '../handles';
import { type Content, readContained, Room } from './contained';

/** A part of a search as plain data, so that it can be sent to a worker thread. */
export interface SearchBatch {
  readonly folder: string;
  readonly handles: HandleMode;
  readonly query: Pick<SearchQuery, 'pattern' | 'literal' | 'ignoreCase' | 'wholeWord' | 'contextLines' | 'maxPerFile'>;
  readonly files: readonly string[];
}

export interface LeftOutFile {
  readonly path: string;
  readonly reason: string;
}

/** Both in the order of the files. */
export interface BatchResult {
  readonly found: readonly SearchFile[];
  readonly leftOut: readonly LeftOutFile[];
}

/** What came of one file: its matches, why it was left out, or nothing. */
export type FileResult = SearchFile | LeftOutFile | undefined;

/** Prepares a search of files one after the other. */
export function fileSearcher({
  folder,
  handles,
  query,
}: Omit<SearchBatch, 'files'>): (file: string) => Steps<FileResult> {
  const matcher = compileLineMatcher(query);
  const holds = holdsOf(query);
  const place = { folder, handles, room: new Room() };
  return function* (path) {
    const result = yield* readContained(place, path, (content) => searchContent(content, matcher, holds, query));
    if (typeof result === 'string') return { path, reason: result };
    return result && { path, ...result };
  };
}

/** Searches files in a worker thread. */
export function searchBatchTask(input: unknown): BatchResult {
  // The caller is `BuiltInSearch`, in the same bundle.
  const batch = input as SearchBatch;
  const search = fileSearcher(batch);
  const found: SearchFile[] = [];
  const leftOut: LeftOutFile[] = [];
  for (const file of batch.files) {
    const result = atOnce(search(file));
    if (result && 'reason' in result) leftOut.push(result);
    else if (result) found.push(result);
  }
  return { found, leftOut };
}

type Holds = (bytes: Buffer) => boolean;

/** Tells whether bytes hold what every match holds; undefined where that is not sure. */
function holdsOf(query: SearchBatch['query']): Holds | undefined {
  const text = requiredText(query);
  // What is no UTF-8 is decoded to this character.
  if (text === undefined || query.pattern.includes('\ufffd')) return undefined;
  return query.ignoreCase ? anyCaseIn(text) : textsIn(requiredTexts(query));
}

function textsIn(texts: readonly string[]): Holds {
  const needles = texts.map((text) => Buffer.from(text));
  return (bytes) => holdsInOrder<Uint8Array>(bytes, needles);
}

function anyCaseIn(text: string): Holds {
  const anywhere = anyCase(text, true);
  return (bytes) => anywhere.test(bytes.toString('latin1'));
}

function* searchContent(
  content: Content,
  matcher: LineMatcher,
  holds: Holds | undefined,
  query: SearchBatch['query'],
): Steps<TextMatches | 'binary' | 'too-large' | undefined> {
  const search = new TextSearch(matcher, query);
  let decode: Decode | undefined;
  for (const window of content.windows()) {
    if (window === 'too-large') return window;
    const { bytes, isLast } = window;
    const isFirst = decode === undefined;
    decode ??= decoderOf(bytes);
    if (!decode.isWide && bytes.includes(0)) return 'binary';
    const lacks = !decode.isWide && holds?.(bytes) === false;
    if (lacks && !search.wantsContext) search.skip(isLast ? 0 : content.room.countLineFeeds(bytes));
    else if (lacks && isLast && !search.hasFound) return undefined;
    else if (decode.isWide || !search.isDone) {
      const text = decode.next(bytes, { isFirst, isLast });
      if (decode.isWide && text.includes('\0')) return 'binary';
      yield* search.take(text);
    }
    if (!isLast) yield;
  }
  return search.end();
}

interface Decode {
  readonly isWide: boolean;
  /** The next whole lines of the text. */
  next(bytes: Uint8Array, place: { readonly isFirst: boolean; readonly isLast: boolean }): string;
}

/** By byte order mark, else UTF-8, whose windows end with whole characters. */
function decoderOf(start: Uint8Array): Decode {
  const wide = wideEncoding(start);
  if (!wide) {
    return {
      isWide: false,
      // A byte order mark later on is a character like any other.
      next: (bytes, { isFirst }) => new TextDecoder('utf-8', { ignoreBOM: !isFirst }).decode(bytes),
    };
  }
  const decoder = new TextDecoder(wide);
  let rest = '';
  return {
    isWide: true,
    next(bytes, { isLast }) {
      const all = rest + decoder.decode(bytes, { stream: !isLast });
      const end = isLast ? all.length : all.lastIndexOf('\n') + 1;
      rest = all.slice(end);
      return all.slice(0, end);
    },
  };
}
