/** What a page can be given as; `raw` is as it came, `html` without scripts, styles and hidden parts. */
export const pageFormats = ['raw', 'markdown', 'text', 'html'] as const;

export type PageFormat = (typeof pageFormats)[number];
