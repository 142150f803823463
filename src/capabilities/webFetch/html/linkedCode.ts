import { codeSpan } from './codeText';
import { type LeanNode, TEXT } from './leanNode';
import { Rule } from './tags';

/** A stretch of text, or markdown that is done: a picture, or the end of a line. */
interface Part {
  text: string;
  readonly link: LeanNode | undefined;
  readonly isDone?: boolean;
}

interface CodeWriter {
  readonly link: (link: LeanNode, span: string) => string;
  readonly image: (image: LeanNode) => string;
}

/**
 * Code with links in it, as documentation of an API has it: a code span for each stretch, inside of its link, with the
 * pictures between them, line by line. In one span the links would be text. Undefined where the code has none.
 */
export function linkedCode(code: LeanNode, writer: CodeWriter, lineBreak: string): string | undefined {
  const lines: Part[][] = [[]];
  // One that leads nowhere is none, or two code spans would touch.
  collect(code, undefined, (link) => !['', '`x`'].includes(writer.link(link, '`x`')), writer, lines);
  if (!lines.some((line) => line.some(({ link }) => link))) return undefined;
  const written = lines.map((parts) =>
    parts
      .map((part) => write(part, writer))
      .join('')
      .trim(),
  );
  return written.filter((line) => line !== '').join(`${lineBreak}\n`);
}

function write({ text, link, isDone }: Part, writer: CodeWriter): string {
  const inner = text.trim();
  if (inner === '') return text;
  const start = text.indexOf(inner);
  const span = isDone ? inner : codeSpan(inner);
  return text.slice(0, start) + (link ? writer.link(link, span) : span) + text.slice(start + inner.length);
}

function collect(
  node: LeanNode,
  link: LeanNode | undefined,
  leads: (link: LeanNode) => boolean,
  writer: CodeWriter,
  lines: Part[][],
): void {
  for (let child = node.first; child; child = child.next) {
    const line = lines.at(-1);
    const last = line?.at(-1);
    if (child.type !== TEXT) {
      if (child.tag.rule === Rule.Break) lines.push([]);
      else if (child.tag.rule === Rule.Image) line?.push({ text: writer.image(child), link, isDone: true });
      else collect(child, child.tag.rule === Rule.Link && leads(child) ? child : link, leads, writer, lines);
    } else if (last && last.link === link && !last.isDone) last.text += child.data;
    else line?.push({ text: child.data, link });
  }
}
