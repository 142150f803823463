import { type LeanNode, TEXT } from '../html/leanNode';
import { MarkdownPieces } from '../html/markdownPieces';
import { Rule } from '../html/tags';

/** Writes a collapsed tree as text without any markup: paragraphs apart, list items and rows on lines of their own. */
export function writePlainText(root: LeanNode): string {
  const out = new MarkdownPieces(false);
  walk(root, out);
  return out.end().trim();
}

function walk(node: LeanNode, out: MarkdownPieces): void {
  for (let child = node.first; child; child = child.next) {
    if (child.type === TEXT) {
      out.add(child.data);
      continue;
    }
    const { tag } = child;
    if (tag.rule === Rule.Break) out.add('\n');
    else if (tag.name === 'TD' || tag.name === 'TH') {
      walk(child, out);
      if (child.next) out.add(' ');
    } else if (tag.block) {
      const breaks =
        tag.rule === Rule.Item || tag.name === 'TR' || tag.rule === Rule.Term || tag.rule === Rule.Definition ? 1 : 2;
      out.breaks(breaks);
      walk(child, out);
      out.breaks(breaks);
    } else walk(child, out);
  }
}
