import { findNodeAtLocation, getNodeValue, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { pointerParts } from './pointer';
import type { Problem } from '../problem';

/** A JSON text (comments and trailing commas allowed) with its value and a way back from a place in the value to its line. */
export interface JsonText {
  /** Undefined where the text cannot be read at all. */
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /** The line and column (both from 1) of the value that a JSON pointer names, or of the nearest value around it. */
  locate(pointer: string): { readonly line: number; readonly column: number };
}

/** Reads JSON with comments. A fault is a problem with its line; the value is then undefined, because half a policy is none. */
export function readJsonText(text: string, file: string): JsonText {
  const errors: ParseError[] = [];
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const root = parseTree(source, errors, { allowTrailingComma: true, disallowComments: false });
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  const position = (offset: number): { line: number; column: number } => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
  const locate = (pointer: string): { line: number; column: number } => {
    if (!root) return { line: 1, column: 1 };
    const parts = pointerParts(pointer);
    for (let length = parts.length; length >= 0; length--) {
      const path = parts.slice(0, length).map((part) => (/^(?:0|[1-9]\d*)$/.test(part) ? Number(part) : part));
      const node = findNodeAtLocation(root, path) ?? (length === 0 ? root : undefined);
      if (node) return position(node.offset);
    }
    return { line: 1, column: 1 };
  };
  const problems = errors.map((error): Problem => ({
    severity: 'error',
    code: 'invalid_json',
    message: `the file is not valid JSON: ${words(printParseErrorCode(error.error))}`,
    file,
    ...position(error.offset),
  }));
  if (!root && problems.length === 0)
    problems.push({ severity: 'error', code: 'invalid_json', message: 'the file is empty', file, line: 1, column: 1 });
  return { value: root && problems.length === 0 ? (getNodeValue(root) as unknown) : undefined, problems, locate };
}

const words = (code: string): string => code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

/** Gives problems the file and the line that their pointers name. */
export function located(problems: readonly Problem[], file: string, text: JsonText): readonly Problem[] {
  return problems.map((problem) => (problem.line === undefined ? { ...problem, file, ...text.locate(problem.pointer ?? '') } : problem));
}
