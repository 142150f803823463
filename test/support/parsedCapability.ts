import { parseDefinition } from '../../src/core/definitions/parse';
import type { ParsedFile } from '../../src/core/definitions/parse';

/** Reads a definition from the lines that an editor would show of it. */
export const capability = (content: unknown, file = '.vscode/capabilities/one.capability.json'): ParsedFile =>
  parseDefinition(JSON.stringify(content, null, 2), file);

/** What is wrong with a definition, each with its place. */
export const words = (parsed: ParsedFile): string[] =>
  parsed.problems.map((one) => `${one.severity} ${one.line}:${one.column} ${one.message}`);
