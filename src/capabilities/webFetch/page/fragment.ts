import { percentDecoded } from '../../../core/base/percentDecoded';
import { type LeanNode, TEXT, textOf } from '../html/leanNode';
import { Rule } from '../html/tags';

/**
 * Cuts a tree down to the part that a fragment names: by id or `name`, else by a heading's words. A heading stands for
 * its section, up to the next heading of its level or above, a term for its definitions too. Returns the page's
 * headings where nothing has that name.
 */
export function selectFragment(
  root: LeanNode,
  fragment: string,
): { readonly found: true } | { readonly found: false; readonly headings: readonly string[] } {
  const wanted = percentDecoded(fragment.replace(/^#/, ''));
  const elements: LeanNode[] = [];
  collect(root, elements);
  const headings = elements.filter((node) => node.tag.rule === Rule.Heading);
  const named = elements.find(
    (node) => node.attribute('id') === wanted || (node.tag.name === 'A' && node.attribute('name') === wanted),
  );
  const start = (named && startOf(named, elements)) ?? headings.find((node) => slug(textOf(node)) === slug(wanted));
  if (!start)
    return { found: false, headings: headings.slice(0, 12).map((node) => textOf(node).replace(/\s+/g, ' ').trim()) };
  prune(root, start);
  return { found: true };
}

function collect(node: LeanNode, into: LeanNode[]): void {
  for (let child = node.first; child; child = child.next) {
    if (child.type === TEXT) continue;
    into.push(child);
    collect(child, into);
  }
}

/** The heading that an anchor belongs to, or the block itself where it holds text of its own. */
function startOf(node: LeanNode, elements: readonly LeanNode[]): LeanNode | undefined {
  for (let up: LeanNode | null = node; up; up = up.parent) if (up.tag.rule === Rule.Heading) return up;
  if (node.tag.block && textOf(node).trim() !== '') return node;
  // An empty anchor, as old pages put them before a heading or at the start of a paragraph.
  const parent = node.parent;
  if (parent && parent.tag.block && parent.parent && textOf(parent).trim() !== '' && parent.tag.rule !== Rule.Default)
    return parent;
  const at = elements.indexOf(node);
  return elements.slice(at + 1).find((one) => one.tag.rule === Rule.Heading || one.tag.rule === Rule.Paragraph);
}

const level = (node: LeanNode): number => Number(node.tag.name.charAt(1));

/** Takes out all that lies before the start and after the end of its section. */
function prune(root: LeanNode, start: LeanNode): void {
  const ancestors = new Set<LeanNode>();
  for (let up = start.parent; up; up = up.parent) ancestors.add(up);
  const isHeading = start.tag.rule === Rule.Heading;
  const last = lastOf(start);
  let inside = false;
  let after = false;
  const walk = (node: LeanNode): void => {
    for (let child = node.first; child;) {
      const { next } = child;
      if (child === start) {
        inside = true;
        if (!isHeading) after = child === last;
      } else if (after) child.unlink();
      else if (inside && !isHeading) after = child === last;
      else if (inside && child.type !== TEXT && child.tag.rule === Rule.Heading && level(child) <= level(start)) {
        after = true;
        child.unlink();
      } else if (ancestors.has(child) || (inside && child.type !== TEXT)) walk(child);
      else if (!inside) child.unlink();
      child = next;
    }
  };
  walk(root);
}

/** Where the part ends that begins here: with the last definition of a term, which others may share. */
function lastOf(start: LeanNode): LeanNode {
  let last = start;
  if (start.tag.rule !== Rule.Term) return last;
  for (let one = start.next; one; one = one.next) {
    if (one.type === TEXT) continue;
    if (one.tag.rule === Rule.Definition) last = one;
    else if (one.tag.rule !== Rule.Term || last !== start) break;
  }
  return last;
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
