import { type JsonDocument, markedValue, readJsonDocument } from '../../base/jsonDocument';
import { type Problem, problem } from '../../base/problem';
import { say, type Sentence, sentenceKey } from '../../base/sentence';
import type { Boundary } from '../../vocabulary/boundary';
import { parseBoundaries, unreadableBoundary } from './parse';

/** A file of rules as the workspace holds it. */
export interface PolicyFile {
  readonly path: string;
  readonly text: string;
  /** Why it could not be read, where it is there and could not: it is no file, is too large, may not be read. */
  readonly fault?: Sentence;
}

/** What one `boundaries.json` says. */
interface BoundaryFile {
  readonly boundaries: readonly Boundary[];
  readonly problems: readonly Problem[];
  /** True where the text as a whole cannot be read, so that what it said before stays in force. */
  readonly isDamaged: boolean;
  /** Where each boundary stands in the document, in their order. */
  readonly pointers: readonly string[];
  readonly document: JsonDocument;
}

/**
 * Reads files of rules, each text once, for all who ask. A file that cannot be read keeps what could be, and asks for
 * every call of an agent until it is mended; whoever knows what it said before takes that instead.
 */
export class BoundaryFiles {
  readonly #known = new Map<string, { readonly file: PolicyFile; readonly read: BoundaryFile }>();

  read(file: PolicyFile): BoundaryFile {
    const known = this.#known.get(file.path);
    if (known?.file.text === file.text && keyOf(known.file) === keyOf(file)) return known.read;
    const read = readBoundaryFile(file);
    this.#known.set(file.path, { file, read });
    return read;
  }
}

const keyOf = ({ fault }: PolicyFile): string | undefined => fault && sentenceKey(fault);

function readBoundaryFile({ path, text, fault }: PolicyFile): BoundaryFile {
  const document = readJsonDocument(text, path);
  const problems: Problem[] = fault === undefined ? [...document.problems] : [unreadableFile(path, fault)];
  const isDamaged = problems.some((problem) => problem.severity === 'error');
  const parsed = parseBoundaries(fault === undefined ? markedValue(document) : undefined, 'workspace');
  problems.push(...parsed.problems.map((problem) => document.place(problem)));
  const own = parsed.value.map((boundary, index): Boundary => ({
    ...boundary,
    file: path,
    line: document.range(parsed.pointers[index] ?? '').line,
  }));
  const boundaries = isDamaged
    ? [...own, unreadableBoundary('workspace', `unreadable ${path}`, problems[0]?.said ?? say('cannot_be_read'))]
    : own;
  return { boundaries, problems, isDamaged, pointers: parsed.pointers, document };
}

/** The problem of a policy file that is there and cannot be read. */
export function unreadableFile(path: string, fault: Sentence): Problem {
  const said = say('file_unreadable', fault);
  return problem({ severity: 'error', code: 'unreadable_file', said, file: path, line: 1, column: 1 });
}
