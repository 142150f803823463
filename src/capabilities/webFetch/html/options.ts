/** How markdown is written. The names and values of the first part are turndown's. */
export interface MarkdownOptions {
  readonly headingStyle: 'setext' | 'atx';
  readonly hr: string;
  readonly bulletListMarker: '*' | '-' | '+';
  readonly codeBlockStyle: 'indented' | 'fenced';
  readonly fence: string;
  readonly emDelimiter: '_' | '*';
  readonly strongDelimiter: '**' | '__';
  readonly linkStyle: 'inlined' | 'referenced';
  readonly linkReferenceStyle: 'full' | 'collapsed' | 'shortcut';
  readonly br: string;
  readonly preformattedCode: boolean;
  /**
   * Our own rules: tables, fences for every `pre`, definition lists, footnotes, details, figures, task lists, tight
   * escapes.
   */
  readonly extended: boolean;
  /** Links and images are made absolute against it, in extended mode. */
  readonly baseUrl?: string;
}

/** Exactly what turndown writes where nothing is said. */
export const turndownDefaults: MarkdownOptions = {
  headingStyle: 'setext',
  hr: '* * *',
  bulletListMarker: '*',
  codeBlockStyle: 'indented',
  fence: '```',
  emDelimiter: '_',
  strongDelimiter: '**',
  linkStyle: 'inlined',
  linkReferenceStyle: 'full',
  br: '  ',
  preformattedCode: false,
  extended: false,
};

/** What a model gets: the form that costs least and reads best. */
export const pageDefaults: MarkdownOptions = {
  ...turndownDefaults,
  headingStyle: 'atx',
  hr: '---',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
  emDelimiter: '*',
  br: '\\',
  extended: true,
};
