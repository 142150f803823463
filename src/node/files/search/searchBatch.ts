import { searchText } from '../../../core/files/searchText';
import { compileLineMatcher } from '../../../core/lineMatcher';
import type { SearchFile, SearchQuery } from '../../../core/ports/fileSearch';
import { anyCase, holdsInOrder, requiredText, requiredTexts } from '../../../core/requiredText';
import type { HandleMode } from '../handles';
import { readContained, Room } from './contained';

/** A part of a search as plain data, so that it can be sent to a worker thread. */
export interface SearchBatch {
  readonly folder: string;
  readonly handles: HandleMode;
  readonly query: Pick<SearchQuery, 'pattern' | 'literal' | 'ignoreCase' | 'wholeWord' | 'contextLines' | 'maxPerFile' | 'maxFileSize'>;
  readonly files: readonly string[];
}

export interface BatchResult {
  readonly found: readonly SearchFile[];
  readonly leftOut: Readonly<Record<string, number>>;
}

/** Prepares a search; the answer searches files one after the other, without waiting in between. */
export function batchSearcher({ folder, handles, query }: Omit<SearchBatch, 'files'>): (files: readonly string[]) => BatchResult {
  const matcher = compileLineMatcher(query);
  const text = requiredText(query);
  const holds = text === undefined ? undefined : query.ignoreCase ? anyCaseIn(text) : textsIn(requiredTexts(query));
  const place = { folder, handles, maxSize: query.maxFileSize, room: new Room() };
  return (files) => {
    const found: SearchFile[] = [];
    const leftOut: Record<string, number> = {};
    for (const file of files) {
      const result = readContained(place, file, (bytes) => (lacks(bytes, holds) ? undefined : searchText(bytes, matcher, query)));
      if (typeof result === 'string') leftOut[result] = (leftOut[result] ?? 0) + 1;
      else if (result) found.push({ path: file, ...result });
    }
    return { found, leftOut };
  };
}

/** The same as a task of a worker thread. */
export function searchBatchTask(input: unknown): BatchResult {
  // The caller is `BuiltInSearch`, in the same bundle.
  const batch = input as SearchBatch;
  return batchSearcher(batch)(batch.files);
}

type Holds = (bytes: Buffer) => boolean;

function textsIn(texts: readonly string[]): Holds {
  const needles = texts.map((text) => Buffer.from(text));
  return (bytes) => holdsInOrder<Uint8Array>(bytes, needles);
}

function anyCaseIn(text: string): Holds {
  const anywhere = anyCase(text, true);
  return (bytes) => anywhere.test(bytes.toString('latin1'));
}

/** Without the text that every match holds there is no match, whatever else the file is; other encodings are searched all the same. */
function lacks(bytes: Buffer, holds: Holds | undefined): boolean {
  if (holds === undefined || holds(bytes)) return false;
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return !wide && !bytes.includes(0);
}
