import { wordSet } from '../../../core/base/wordSet';

/** What the converter does with an element, as one number per tag name, so that the hot loops compare numbers. */
export const Rule = {
  Default: 0,
  Paragraph: 1,
  Break: 2,
  Heading: 3,
  Quote: 4,
  List: 5,
  Item: 6,
  Pre: 7,
  Line: 8,
  Link: 9,
  Emphasis: 10,
  Strong: 11,
  Code: 12,
  Image: 13,
  Table: 14,
  Definitions: 15,
  Term: 16,
  Definition: 17,
  Details: 18,
  Summary: 19,
  Strike: 20,
  Caption: 21,
  Checkbox: 22,
  Figure: 23,
} as const;
export type Rule = (typeof Rule)[keyof typeof Rule];

/** Facts about a tag name that never change. One object per name and parse, compared by identity. */
export interface Tag {
  /** In capitals, as a document calls it. */
  readonly name: string;
  readonly rule: Rule;
  readonly block: boolean;
  readonly empty: boolean;
  /** Counts as content even without text (turndown's `meaningfulWhenBlank`), or is void. */
  readonly keepsBlank: boolean;
  /** Its text is never part of the page. */
  readonly removed: boolean;
  /** A start tag of it ends an open paragraph. */
  readonly closesParagraph: boolean;
  /** HTML's "special" elements: an end tag of an ordinary element does not reach over them. */
  readonly special: boolean;
  /** An end tag or implied end does not reach out of it. */
  readonly scope: boolean;
  readonly holdsHtml: boolean;
  readonly leavesForeign: boolean;
  readonly formatting: boolean;
  readonly rawText: 'raw' | 'decoded' | undefined;
  /** Belongs into the head as long as the body has not begun. */
  readonly inHead: boolean;
  /** White space inside it counts. */
  readonly preformatted: boolean;
  /** A line break right after its start tag does not count. */
  readonly swallowsBreak: boolean;
}

const block = wordSet(
  'address article aside audio blockquote body canvas center dd dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html isindex li main menu nav noframes noscript ol output p pre section table tbody td tfoot th thead tr ul',
);
const empty = wordSet(
  'area base basefont bgsound br col command embed frame hr img input keygen link meta param source track wbr',
);
/** The void elements that turndown counts; the others above end at once but do not keep an element from being blank. */
const countedEmpty = wordSet('area base br col command embed hr img input keygen link meta param source track wbr');
const keepsBlank = wordSet('a table thead tbody tfoot th td iframe script audio video');
const removed = wordSet('script style noscript template head title meta link base');
const closesParagraph = wordSet(
  'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp',
);
/** Inside a drawing or formula these hold HTML again. */
const holdsHtml = wordSet('foreignobject desc svg-title mi mo mn ms mtext annotation-xml');
const special = wordSet(
  'address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre script search section select source style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp',
);
const scope = wordSet('applet caption html table td th marquee object template');
/** No part of a drawing or formula: a start tag of it ends one that is open. */
const leavesForeign = wordSet(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
);
const formatting = wordSet('a b big code em font i nobr s small strike strong tt u');
const inHead = wordSet('base basefont bgsound link meta noframes noscript script style template title');

const rows: readonly (readonly [Rule, string])[] = [
  [Rule.Paragraph, 'p'],
  [Rule.Break, 'br'],
  [Rule.Heading, 'h1 h2 h3 h4 h5 h6'],
  [Rule.Quote, 'blockquote'],
  [Rule.List, 'ul ol'],
  [Rule.Item, 'li'],
  [Rule.Pre, 'pre'],
  [Rule.Line, 'hr'],
  [Rule.Link, 'a'],
  [Rule.Emphasis, 'em i'],
  [Rule.Strong, 'strong b'],
  [Rule.Code, 'code'],
  [Rule.Image, 'img'],
  [Rule.Table, 'table'],
  [Rule.Definitions, 'dl'],
  [Rule.Term, 'dt'],
  [Rule.Definition, 'dd'],
  [Rule.Details, 'details'],
  [Rule.Summary, 'summary'],
  [Rule.Strike, 'del s strike'],
  [Rule.Caption, 'figcaption'],
  [Rule.Figure, 'figure'],
  [Rule.Checkbox, 'input'],
];
const rules = new Map(rows.flatMap(([rule, names]) => names.split(' ').map((name) => [name, rule] as const)));

/** Blocks that turndown does not know and a reader sees as such. */
const moreBlocks = wordSet('details summary dialog search legend caption option optgroup');

function makeTag(name: string, extended: boolean, preformattedCode: boolean): Tag {
  const preformatted = name === 'pre' || name === 'listing' || name === 'textarea';
  return {
    name: name.toUpperCase(),
    rule: rules.get(name) ?? Rule.Default,
    block: block.has(name) || (extended && moreBlocks.has(name)),
    empty: empty.has(name),
    keepsBlank: keepsBlank.has(name) || countedEmpty.has(name),
    removed: removed.has(name),
    closesParagraph: closesParagraph.has(name),
    special: special.has(name) || holdsHtml.has(name),
    scope: scope.has(name) || holdsHtml.has(name),
    holdsHtml: holdsHtml.has(name),
    leavesForeign: leavesForeign.has(name),
    formatting: formatting.has(name),
    rawText: /^(?:script|style|xmp|iframe|noembed|noframes)$/.test(name)
      ? 'raw'
      : /^(?:title|textarea)$/.test(name)
        ? 'decoded'
        : undefined,
    inHead: inHead.has(name),
    preformatted: preformatted || (preformattedCode && name === 'code'),
    swallowsBreak: preformatted,
  };
}

/** The tags of one parse. Names that a page invents stay in this table only, so they cannot fill memory for ever. */
export class TagTable {
  readonly #tags = new Map<string, Tag>();
  readonly #extended: boolean;
  readonly #preformattedCode: boolean;

  constructor(extended: boolean, preformattedCode = false) {
    this.#extended = extended;
    this.#preformattedCode = preformattedCode;
  }

  /** Finds the tag by its name, in any case. */
  get(name: string): Tag {
    const known = this.#tags.get(name);
    if (known) return known;
    const lower = name.toLowerCase();
    let tag = this.#tags.get(lower);
    if (!tag) {
      tag = makeTag(lower, this.#extended, this.#preformattedCode);
      this.#tags.set(lower, tag);
    }
    if (name !== lower) this.#tags.set(name, tag);
    return tag;
  }
}
