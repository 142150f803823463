import { codeSpan } from './codeText';
import { type LeanNode, TEXT } from './leanNode';
import { Rule } from './tags';

interface Part {
  text: string;
  readonly link: LeanNode | undefined;
}

/**
 * Code with links in it, as documentation of an API has it: a code span for each stretch, inside of its link. In one
 * span the links would be text. Undefined where the code has none.
 */
export function linkedCode(code: LeanNode, write: (link: LeanNode, span: string) => string): string | undefined {
  const parts: Part[] = [];
  // One that leads nowhere is none, or two code spans would touch.
  collect(code, undefined, (link) => !['', '`x`'].includes(write(link, '`x`')), parts);
  if (!parts.some(({ link }) => link)) return undefined;
  return parts
    .map(({ text, link }) => {
      const inner = text.trim();
      if (inner === '') return text;
      const start = text.indexOf(inner);
      const span = codeSpan(inner);
      return text.slice(0, start) + (link ? write(link, span) : span) + text.slice(start + inner.length);
    })
    .join('')
    .trim();
}

function collect(node: LeanNode, link: LeanNode | undefined, leads: (link: LeanNode) => boolean, into: Part[]): void {
  for (let child = node.first; child; child = child.next) {
    if (child.type !== TEXT) {
      collect(child, child.tag.rule === Rule.Link && leads(child) ? child : link, leads, into);
      continue;
    }
    const last = into.at(-1);
    if (last && last.link === link) last.text += child.data;
    else into.push({ text: child.data, link });
  }
}
