import { isObject, parsedJson } from '../base/json';
import { percentDecoded } from '../base/percentDecoded';
import { readUrl } from '../places/urlReadings';

/**
 * The paths that a name of a file may stand for: as written; and of a URI of an editor (`vscode-remote:`, `git:`) the
 * path in it besides, decoded, and the one that its query may tell. One letter is the drive of a path.
 */
export function uriPlaces(text: string): readonly string[] {
  const reading = readUrl(text);
  if (reading.type === 'file') return [reading.path];
  const [, rest, query = ''] = /^[a-z][\w+.-]+:(?:\/\/[^/?#]*)?([^?#]*)\??([^#]*)/i.exec(text.trim()) ?? [];
  if (rest === undefined) return [text];
  const told = parsedJson(percentDecoded(query));
  const other = isObject(told) ? told['path'] : undefined;
  return [text, percentDecoded(rest), ...(typeof other === 'string' ? [other] : [])].filter((one) => one !== '');
}
