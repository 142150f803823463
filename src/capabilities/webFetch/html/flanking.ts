import { type LeanNode, TEXT } from './leanNode';
import { Rule } from './tags';

interface Flanking {
  /** Whether there is any, be it given up or not. */
  readonly found: boolean;
  readonly leading: string;
  readonly trailing: string;
}

const none: Flanking = { found: false, leading: '', trailing: '' };

/**
 * The white space that an inline element begins and ends with and that has to stand outside its markers, because
 * `**bold **` is not bold. A space is given up where the neighbour has one already. Follows turndown's results; walks
 * only the text at the edges. In extended mode a picture is content, as text is.
 */
export function flanking(node: LeanNode, preformattedCode: boolean, extended: boolean): Flanking {
  const { space: start, ended } = edge(node, false, extended);
  const end = ended ? edge(node, true, extended).space : '';
  if (start === '' && end === '') return none;
  let leading = start;
  const ascii = leadingAscii(start);
  if (ascii > 0 && isFlanked(node.prev, true, preformattedCode)) leading = start.slice(ascii);
  let trailing = end;
  const asciiEnd = trailingAscii(end);
  if (asciiEnd > 0 && isFlanked(node.next, false, preformattedCode)) trailing = end.slice(0, end.length - asciiEnd);
  return { found: true, leading, trailing };
}

const isAscii = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;

function leadingAscii(text: string): number {
  let at = 0;
  while (at < text.length && isAscii(text.charCodeAt(at))) at++;
  return at;
}

function trailingAscii(text: string): number {
  let at = text.length;
  while (at > 0 && isAscii(text.charCodeAt(at - 1))) at--;
  return text.length - at;
}

/** The white space at the start or end of all text below a node, and whether anything else ended it. */
function edge(
  node: LeanNode,
  fromEnd: boolean,
  extended: boolean,
): { readonly space: string; readonly ended: boolean } {
  let text = '';
  const walk = (one: LeanNode): boolean => {
    if (one.type === TEXT) {
      const { data } = one;
      const rest = fromEnd ? data.trimEnd() : data.trimStart();
      if (rest === '') {
        text = fromEnd ? data + text : text + data;
        return false;
      }
      const space = fromEnd ? data.slice(rest.length) : data.slice(0, data.length - rest.length);
      if (space !== '') text = fromEnd ? space + text : text + space;
      return true;
    }
    if (extended && (one.tag.rule === Rule.Image || one.tag.rule === Rule.Checkbox)) return true;
    for (let child = fromEnd ? one.last : one.first; child; child = fromEnd ? child.prev : child.next)
      if (walk(child)) return true;
    return false;
  };
  const ended = walk(node);
  return { space: text, ended };
}

/** The first or last character of the text below a node. */
function edgeCode(node: LeanNode, fromEnd: boolean): number {
  if (node.type === TEXT) return node.data.charCodeAt(fromEnd ? node.data.length - 1 : 0);
  for (let child = fromEnd ? node.last : node.first; child; child = fromEnd ? child.prev : child.next) {
    const code = edgeCode(child, fromEnd);
    if (!Number.isNaN(code)) return code;
  }
  return Number.NaN;
}

function isFlanked(sibling: LeanNode | null, left: boolean, preformattedCode: boolean): boolean {
  if (!sibling) return false;
  if (sibling.type !== TEXT && (sibling.tag.block || (preformattedCode && sibling.tag.name === 'CODE'))) return false;
  return edgeCode(sibling, left) === 32;
}
