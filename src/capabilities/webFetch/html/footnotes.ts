import { type LeanNode, TEXT, textOf } from './leanNode';
import { Rule } from './tags';

/** Footnotes of a page: references become `[^1]`, the notes move to the end as `[^1]: …`. */
export class Footnotes {
  /** Note's element id → label. */
  readonly #labels = new Map<string, string>();
  /** The ids of references and of what they stand in, to which their notes lead back. */
  readonly #origins = new Set<string>();
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
      if (!target || !target.tag.block || target.tag.rule === Rule.Heading || this.#labels.has(id)) continue;
      const wanted = textOf(reference).replace(/[^\w-]/g, '') || String(this.#labels.size + 1);
      let label = wanted;
      for (let count = 2; used.has(label); count++) label = `${wanted}-${count}`;
      used.add(label);
      this.#labels.set(id, label);
    }
    for (const reference of references)
      if (this.#labels.has(targetOf(reference)))
        for (const node of [reference, reference.parent])
          for (const name of [node?.attribute('id'), node?.attribute('name')]) if (name) this.#origins.add(name);
  }

  /** The markdown of a reference or of a link back to one; undefined for any other link. */
  reference(node: LeanNode): string | undefined {
    if (this.#labels.size === 0) return undefined;
    const label = this.#labels.get(targetOf(node));
    if (label !== undefined) return `[^${label}]`;
    const leadsBack = this.#origins.has(targetOf(node)) && textOf(node).trim().length <= 3;
    return leadsBack || isBackLink(node) ? '' : undefined;
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
  const isRaised = link.parent?.tag.name === 'SUP' || (link.first?.tag.name === 'SUP' && !link.first.next);
  // A raised number that leads to the same number, whatever stands before it there: `1`, `_ftn1`, `ref-01`.
  const number = /^[[(]?(\d{1,4})[\])]?$/.exec(textOf(link).trim())?.[1];
  if (isRaised && number !== undefined && /(?<!\d)0{0,3}(\d{1,4})$/.exec(targetOf(link))?.[1] === number) return true;
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
