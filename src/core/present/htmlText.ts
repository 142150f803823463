import { visible } from '../base/visible';

/** Text as HTML that shows it as it is. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The same of a text that others wrote, in which what cannot be seen is written out. */
export const plainHtml = (text: string): string => escapeHtml(visible(text));

/** Shows what a message puts in backticks as code; the text is escaped already. */
export function codeInHtml(escaped: string): string {
  return escaped.replace(/`([^`]+)`/g, '<code>$1</code>');
}

interface WebviewPage {
  readonly title: string;
  /** BCP 47 tag of its words. */
  readonly language: string;
  readonly nonce: string;
  /** What it looks like beside what all pages share. */
  readonly style: string;
  /** HTML. */
  readonly main: string;
}

/** A page of the editor in its colours; it holds no script, and nothing is fetched for it. */
export const webviewHtml = ({ style, main, ...page }: WebviewPage): string =>
  htmlPage({ ...page, style: `${commonStyle}${style}`, body: `<main>\n${main}\n</main>` });

interface Page extends Pick<WebviewPage, 'title' | 'language' | 'style'> {
  /** What its one style has to name; left out for a file, in which every style counts. */
  readonly nonce?: string;
  /** HTML, with the one script of the nonce where `hasScript` says so. */
  readonly body: string;
  readonly hasScript?: boolean;
}

/** A whole page for which nothing is fetched. */
export function htmlPage({ title, language, nonce, style, body, hasScript = false }: Page): string {
  const own = nonce === undefined ? "'unsafe-inline'" : `'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="${plainHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; ${hasScript ? `script-src ${own}; ` : ''}style-src ${own}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${plainHtml(title)}</title>
<style${nonce === undefined ? '' : ` nonce="${nonce}"`}>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

const commonStyle = `
body { color: var(--vscode-foreground); background: var(--vscode-editor-background); font: var(--vscode-font-size)/1.5 var(--vscode-font-family); padding: 0 1.5em 3em; }
h1 { font-size: 1.6em; margin-bottom: 0; }
pre, code { font-family: var(--vscode-editor-font-family); font-size: .95em; color: inherit; background: none; overflow-wrap: anywhere; white-space: pre-wrap; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--vscode-panel-border, currentColor); padding: .3em .6em; text-align: left; vertical-align: top; }
`;
