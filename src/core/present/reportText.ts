import type { AuditReport } from '../audit/report';
import { proseMarkdown } from '../base/markdown';
import type { Translate } from '../base/translate';
import { htmlPage, plainHtml } from './htmlText';
import { code } from './recordText';
import { type Cell, type ReportSection, reportSections } from './reportSections';

/** How a report is written for a reader. */
interface ReportWords {
  readonly t: Translate;
  /** Writes an ISO time as the reader does. */
  readonly when?: (time: string) => string;
  /** BCP 47 tag of the words that `t` answers. */
  readonly language?: string;
}

/** In what a report can be written. */
export const reportFormats = ['html', 'markdown', 'json'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** The ending of a file with a report. */
export const reportEndings: Readonly<Record<ReportFormat, string>> = { markdown: 'md', html: 'html', json: 'json' };

/** Writes a report; what stands in records can neither become markup nor hide. */
export function reportText(report: AuditReport, format: ReportFormat, words: ReportWords): string {
  if (format === 'json') return `${JSON.stringify(report, undefined, 2)}\n`;
  const { t, when = (time: string) => time, language = 'en' } = words;
  const period = t(
    'From {0} to {1}, made at {2}.',
    report.from === undefined ? t('the beginning') : when(report.from),
    when(report.to),
    when(report.made),
  );
  const page: Page = {
    title: t('Audit report'),
    period,
    cut:
      report.cut.length > 0
        ? [t('Lists show 1,000 entries at most; these were longer: {0}.', report.cut.join(', '))]
        : [],
    sections: reportSections(report, t, when),
    language,
  };
  return format === 'html' ? html(page) : markdown(page);
}

interface Page {
  readonly title: string;
  readonly period: string;
  readonly cut: readonly string[];
  readonly sections: readonly ReportSection[];
  readonly language: string;
}

/** Rows are lists: a table's cell could be left through the bars that stand in a path. */
function markdown({ title, period, cut, sections }: Page): string {
  const cell = (one: Cell): string => (typeof one === 'string' ? proseMarkdown(one) : code(one.foreign));
  const row = (columns: readonly string[], cells: readonly Cell[]): string =>
    cells.flatMap((one, at) => (one === '' ? [] : [`${proseMarkdown(columns[at] ?? '')}: ${cell(one)}`])).join(' · ');
  const lines = [`# ${title}`, '', ...[period, ...cut].flatMap((line) => [proseMarkdown(line), ''])];
  for (const { title: heading, lines: said, columns, rows } of sections)
    lines.push(
      `## ${proseMarkdown(heading)}`,
      '',
      ...said.flatMap((line) => [proseMarkdown(line), '']),
      ...rows.map((cells) => `- ${row(columns, cells)}`),
      ...(rows.length > 0 ? [''] : []),
    );
  return `${lines.join('\n').trimEnd()}\n`;
}

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: CanvasText; background: Canvas; }
h2 { margin: 2rem 0 0.5rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; text-align: start; vertical-align: top; border-bottom: 1px solid GrayText; }
code { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap; }
@media print { body { margin: 0; max-width: none; } }
`;

/** A page of its own: no script, nothing fetched, colours of the reader's system. */
function html({ title, period, cut, sections, language }: Page): string {
  const cell = (one: Cell): string =>
    typeof one === 'string' ? plainHtml(one) : `<code><bdi>${plainHtml(one.foreign)}</bdi></code>`;
  const row = (cells: readonly Cell[]): string => `<tr>${cells.map((one) => `<td>${cell(one)}</td>`).join('')}</tr>`;
  const table = ({ columns, rows, title: name }: ReportSection): string =>
    rows.length === 0
      ? ''
      : `<div class="wide" role="region" tabindex="0" aria-label="${plainHtml(name)}"><table><thead><tr>${columns.map((one) => `<th scope="col">${plainHtml(one)}</th>`).join('')}</tr></thead>
<tbody>
${rows.map(row).join('\n')}
</tbody></table></div>
`;
  const paragraphs = (lines: readonly string[]): string => lines.map((line) => `<p>${plainHtml(line)}</p>\n`).join('');
  const parts = sections.map(
    (one) => `<section>\n<h2>${plainHtml(one.title)}</h2>\n${paragraphs(one.lines)}${table(one)}</section>\n`,
  );
  const head = `<h1>${plainHtml(title)}</h1>\n${paragraphs([period, ...cut])}`;
  return htmlPage({ title, language, style, body: `<main>\n${head}${parts.join('')}</main>` });
}
