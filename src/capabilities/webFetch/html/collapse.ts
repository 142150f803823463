import { type LeanNode, TEXT } from './leanNode';

interface CollapseOptions {
  /** White space inside `code` counts too (turndown's `preformattedCode`). */
  readonly preformattedCode: boolean;
  /** Runs of no-break spaces are cut to so many characters; undefined keeps them. */
  readonly maxNoBreakRun?: number;
}

/**
 * Collapses white space as a browser would show it (the algorithm that turndown uses) and takes out what is no text of
 * the page. On the way back up each element learns whether it holds text or something else that counts, which the rules
 * need again and again.
 */
export function collapse(root: LeanNode, options: CollapseOptions): void {
  const pass = new CollapsePass(options);
  pass.children(root);
  pass.end();
}

class CollapsePass {
  readonly #options: CollapseOptions;
  #previous: LeanNode | null = null;
  #keepLeading = false;

  constructor(options: CollapseOptions) {
    this.#options = options;
  }

  children(node: LeanNode): void {
    for (let child = node.first; child;) {
      const { next } = child;
      if (child.type === TEXT) this.#text(child, node);
      else this.#element(child, node);
      child = next;
    }
  }

  end(): void {
    const last = this.#previous;
    if (!last) return;
    this.#trimPrevious();
    if (last.data === '') last.unlink();
  }

  #text(node: LeanNode, parent: LeanNode): void {
    let text = node.data;
    if (text !== ' ') {
      text = collapseSpaces(text);
      const run = this.#options.maxNoBreakRun;
      if (run !== undefined && text.includes('\u00a0\u00a0')) text = cutNoBreakRuns(text, run);
    }
    const { data } = this.#previous ?? { data: ' ' };
    if (!this.#keepLeading && text.charCodeAt(0) === 32 && data.charCodeAt(data.length - 1) === 32)
      text = text.slice(1);
    if (text === '') {
      node.unlink();
      return;
    }
    node.data = text;
    this.#previous = node;
    if (!parent.hasText && text !== ' ' && hasInk(text)) parent.hasText = true;
  }

  #element(node: LeanNode, parent: LeanNode): void {
    const { tag } = node;
    if (tag.removed) return node.unlink();
    this.#visit(node);
    const name = tag.name;
    if (name === 'PRE' || (this.#options.preformattedCode && name === 'CODE')) {
      measure(node);
    } else if (node.first) {
      this.children(node);
      this.#visit(node);
    }
    if (node.hasText) parent.hasText = true;
    if (tag.keepsBlank || node.hasKept) parent.hasKept = true;
  }

  /** What passing an element's start or end means for the white space around it. */
  #visit(node: LeanNode): void {
    const { tag } = node;
    if (tag.block || tag.name === 'BR') {
      this.#trimPrevious();
      this.#previous = null;
      this.#keepLeading = false;
    } else if (
      (tag.empty && tag.keepsBlank) ||
      tag.name === 'PRE' ||
      (this.#options.preformattedCode && tag.name === 'CODE')
    ) {
      this.#previous = null;
      this.#keepLeading = true;
    } else if (this.#previous) {
      this.#keepLeading = false;
    }
  }

  #trimPrevious(): void {
    const node = this.#previous;
    if (node && node.data.charCodeAt(node.data.length - 1) === 32) node.data = node.data.slice(0, -1);
  }
}

const ink = /\S/;
const hasInk = (text: string): boolean => {
  const code = text.charCodeAt(0);
  return (code > 32 && code < 128) || ink.test(text);
};

const spaces = /[ \r\n\t]+/g;
const needsCollapse = /[\r\n\t]| {2}/;

function collapseSpaces(text: string): string {
  return needsCollapse.test(text) ? text.replace(spaces, ' ') : text;
}

/** Cuts long runs in one pass; a backtracking expression would be quadratic here. */
function cutNoBreakRuns(text: string, max: number): string {
  return text.replace(/\u00a0+/g, (run) => (run.length > max ? run.slice(0, max) : run));
}

/** Learns what a preformatted element holds, without touching its text. */
function measure(node: LeanNode): void {
  for (let child = node.first; child; child = child.next) {
    if (child.type === TEXT) {
      if (ink.test(child.data)) node.hasText = true;
      continue;
    }
    measure(child);
    if (child.hasText) node.hasText = true;
    if (child.tag.keepsBlank || child.hasKept) node.hasKept = true;
  }
}
