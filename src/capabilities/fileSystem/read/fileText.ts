import { isObject, type JsonObject } from '../../../core/base/json';
import { breaksLine, factsOf, hashOf, objectsIn, withFacts } from '../shared/modelText';

/** A file as a model reads it: its content, and in the last line what is needed to go on with it. */
export function fileText(file: JsonObject): string | undefined {
  const { content } = file;
  return typeof content === 'string' ? withFacts(content, factsOfFile(file)) : undefined;
}

/** What the content does not say itself; where it is cut, it ends with how to go on. */
function factsOfFile(file: JsonObject): JsonObject {
  const { content, total_lines, first_line, last_line, encoding, end_of_line, bom, offset, note } = file;
  const isCut = file['truncated'] === true;
  const atEnd = last_line !== undefined && last_line === total_lines && !isCut;
  const isEnded = !atEnd || total_lines === 0 || /[\r\n]$/.test(String(content));
  return {
    ...hashOf(file),
    // A range says itself which lines it shows, but not where it ended with the file.
    ...(atEnd && first_line !== 1 ? { lines: `${String(first_line)}-${String(last_line)}` } : {}),
    ...(isCut ? {} : { next_offset: file['next_offset'] }),
    ...(encoding === 'image' ? {} : { encoding }),
    ...(end_of_line === 'none' ? {} : { end_of_line }),
    ...(isEnded ? {} : { no_final_newline: true }),
    bom,
    offset,
    note,
  };
}

const heading = /^\[\d+\/\d+ /m;

/**
 * Several files, each below a line that names it; as JSON where one of them holds a line that could pass for such a
 * line.
 */
export function filesText(payload: JsonObject): string | undefined {
  const files = objectsIn(payload['files']);
  if (!files) return undefined;
  const texts: string[] = [];
  for (const [index, file] of files.entries()) {
    const { path, content, error } = file;
    const said = isObject(error) ? `error: ${String(error['message'])}` : content;
    if (typeof path !== 'string' || typeof said !== 'string') return undefined;
    if (breaksLine(path) || heading.test(said)) return undefined;
    const facts = isObject(error) ? '' : factsOf(factsOfFile(file));
    texts.push(`[${index + 1}/${files.length} ${path}${facts === '' ? '' : `; ${facts}`}]\n${said.replace(/\n$/, '')}`);
  }
  return texts.join('\n');
}
