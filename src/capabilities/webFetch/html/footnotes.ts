import { type LeanNode, TEXT, textOf } from './leanNode';

/** Footnotes of a page: references become `[^1]`, the notes move to the end as `[^1]: …`. */
export class Footnotes {
  /** Note's element id → label. */
  readonly #labels = new Map<string, string>();
  readonly #done = new Set<string>();
  readonly #notes: { readonly label: string; readonly content: string }[] = [];

  /** Looks for references whose target is really there, so that an ordinary link inside the page stays one. */
  constructor(root: LeanNode | undefined) {
    if (!root) return;
    const references: LeanNode[] = [];
    const ids = new Map<string, LeanNode>();
    const walk = (node: LeanNode): void => {
      for (let child = node.first; child; child = child.next) {
        if (child.type === TEXT) continue;
        const id = child.attribute('id');
        if (id !== undefined && !ids.has(id)) ids.set(id, child);
        if (child.tag.name === 'A' && isReference(child)) references.push(child);
        walk(child);
      }
    };
    walk(root);
    const used = new Set<string>();
    for (const reference of references) {
      const id = targetOf(reference);
      const target = ids.get(id);
      if (!target || !target.tag.block || this.#labels.has(id)) continue;
      const wanted = textOf(reference).replace(/[^\w-]/g, '') || String(this.#labels.size + 1);
      let label = wanted;
      for (let count = 2; used.has(label); count++) label = `${wanted}-${count}`;
      used.add(label);
      this.#labels.set(id, label);
    }
  }

  /** The markdown of a reference or of a link back to one; undefined for any other link. */
  reference(node: LeanNode): string | undefined {
    if (this.#labels.size === 0) return undefined;
    const label = this.#labels.get(targetOf(node));
    if (label !== undefined) return `[^${label}]`;
    return isBackLink(node) ? '' : undefined;
  }

  /** Keeps a note for the end; false where the element is none. */
  definition(node: LeanNode, content: () => string): boolean {
    if (this.#labels.size === 0) return false;
    const label = this.#labels.get(node.attribute('id') ?? '');
    if (label === undefined || this.#done.has(label)) return false;
    this.#done.add(label);
    this.#notes.push({ label, content: content().trim() });
    return true;
  }

  write(indent: (content: string) => string): string {
    return this.#notes.map(({ label, content }) => `[^${label}]: ${indent(content)}`).join('\n');
  }
}

function targetOf(link: LeanNode): string {
  const href = link.attribute('href') ?? '';
  return href.startsWith('#') ? href.slice(1) : '';
}

function isReference(link: LeanNode): boolean {
  if (targetOf(link) === '' || isBackLink(link)) return false;
  if (
    link.attribute('role') === 'doc-noteref' ||
    /\b(?:footnote-?ref|noteref|footnote-reference)\b/i.test(link.attribute('class') ?? '')
  )
    return true;
  if (!/^(?:fn|footnote|note|cite_note|endnote)[-_:]?/i.test(targetOf(link))) return false;
  return link.parent?.tag.name === 'SUP' || link.first?.type !== TEXT;
}

function isBackLink(link: LeanNode): boolean {
  if (
    link.attribute('role') === 'doc-backlink' ||
    /\bback-?(?:ref|link)\b|\breversefootnote\b/i.test(link.attribute('class') ?? '')
  )
    return true;
  return /^(?:fnref|cite_ref|footnote-?ref|noteref)/i.test(targetOf(link)) && textOf(link).trim().length <= 3;
}
