import { codeSpan } from './codeText';
import { escapeText } from './escape';
import { type LeanNode, TEXT, textOf } from './leanNode';
import type { MarkdownPieces } from './markdownPieces';
import { Rule } from './tags';
import { type ContentWriter, trimBreaks, withoutHardBreak } from './contentWriter';

const maxColumns = 100;

interface Row {
  readonly cells: readonly LeanNode[];
  readonly inHead: boolean;
}

/** Writes a table as a GFM table, or, where it only lays out a page, its cells one after the other. */
export function writeTable(table: LeanNode, out: MarkdownPieces, writer: ContentWriter, code: boolean): void {
  const rows: Row[] = [];
  const outside: LeanNode[] = [];
  let caption: LeanNode | undefined;
  const collect = (node: LeanNode, inHead: boolean): void => {
    for (let child = node.first; child; child = child.next) {
      if (child.type === TEXT) outside.push(child);
      else if (child.tag.name === 'TR') {
        const cells: LeanNode[] = [];
        for (let cell = child.first; cell; cell = cell.next) {
          if (cell.type !== TEXT && isCell(cell)) cells.push(cell);
          else outside.push(cell);
        }
        if (cells.length > 0) rows.push({ cells, inHead });
      } else if (/^(?:THEAD|TBODY|TFOOT)$/.test(child.tag.name)) collect(child, child.tag.name === 'THEAD');
      else if (child.tag.name === 'CAPTION') caption = child;
      else if (isCell(child)) rows.push({ cells: [child], inHead });
      else outside.push(child);
    }
  };
  collect(table, false);
  out.breaks(2);
  if (caption) {
    writer.children(caption, out, code);
    out.breaks(2);
  }
  // What stands between the rows is shown before the table, as browsers do.
  for (const [at, node] of outside.entries()) {
    if (node.type === TEXT) writer.text(node, out, code);
    else writer.element(node, out, code);
    if (outside[at + 1] !== node.next) out.breaks(2);
  }
  if (isLayout(table, rows)) {
    for (const row of rows) {
      for (const cell of row.cells) {
        out.breaks(2);
        writer.children(cell, out, code);
        out.breaks(2);
      }
    }
  } else writeGrid(rows, out, writer, code);
  out.breaks(2);
}

const isCell = (node: LeanNode): boolean => node.tag.name === 'TD' || node.tag.name === 'TH';

/**
 * A table that arranges a page: it holds tables, headings or long texts, or has but one column or row and no header.
 */
function isLayout(table: LeanNode, rows: readonly Row[]): boolean {
  const role = table.attribute('role');
  if (role === 'presentation' || role === 'none') return true;
  const hasHeader = rows.some((row) => row.inHead || row.cells.some((cell) => cell.tag.name === 'TH'));
  if (!hasHeader && (rows.length < 2 || rows.every((row) => row.cells.length < 2))) return true;
  return rows.some((row) =>
    row.cells.some((cell) => holdsStructure(cell) || (!hasHeader && textOf(cell).length > 1_000)),
  );
}

function holdsStructure(node: LeanNode): boolean {
  for (let child = node.first; child; child = child.next) {
    if (child.type === TEXT) continue;
    if (
      child.tag.rule === Rule.Table ||
      child.tag.rule === Rule.Heading ||
      child.tag.name === 'FORM' ||
      child.tag.name === 'ARTICLE'
    )
      return true;
    if (holdsStructure(child)) return true;
  }
  return false;
}

function writeGrid(rows: readonly Row[], out: MarkdownPieces, writer: ContentWriter, code: boolean): void {
  const grid: string[][] = [];
  const aligns: (string | undefined)[] = [];
  /** Rows that a cell above still reaches into, by column. */
  const spans: number[] = [];
  for (const row of rows) {
    const line: string[] = [];
    const fill = (): void => {
      while ((spans[line.length] ?? 0) > 0 && line.length < maxColumns) {
        spans[line.length] = (spans[line.length] ?? 1) - 1;
        line.push('');
      }
    };
    for (const cell of row.cells) {
      fill();
      if (line.length >= maxColumns) break;
      const across = span(cell, 'colspan', maxColumns - line.length);
      const below = rows.length - grid.length;
      // Down to the last row.
      const down = cell.attribute('rowspan')?.trim() === '0' ? below : span(cell, 'rowspan', below);
      aligns[line.length] ??= alignment(cell);
      for (let column = 0; column < across; column++) {
        spans[line.length] = down - 1;
        line.push(column === 0 ? cellText(cell, writer, code) : '');
      }
    }
    fill();
    grid.push(line);
  }
  const width = Math.max(...grid.slice(0, 10_000).map((line) => line.length), 1);
  const first = rows[0];
  const headed = first !== undefined && (first.inHead || first.cells.every((cell) => cell.tag.name === 'TH'));
  const head = headed ? (grid.shift() ?? []) : [];
  const lines = [
    line(head, width),
    `| ${Array.from({ length: width }, (_unused, column) => divider(aligns[column])).join(' | ')} |`,
  ];
  for (const cells of grid) lines.push(line(cells, width));
  out.add(lines.join('\n'));
}

function line(cells: readonly string[], width: number): string {
  let text = '|';
  for (let column = 0; column < width; column++) text += ` ${cells[column] ?? ''} |`;
  return text;
}

const divider = (align: string | undefined): string =>
  align === 'center' ? ':---:' : align === 'right' ? '---:' : align === 'left' ? ':---' : '---';

function span(cell: LeanNode, name: string, most: number): number {
  const value = Number.parseInt(cell.attribute(name) ?? '1', 10);
  return Number.isSafeInteger(value) && value > 0 ? Math.max(1, Math.min(value, most)) : 1;
}

function alignment(cell: LeanNode): string | undefined {
  const value =
    /text-align:\s*(left|right|center)/i.exec(cell.attribute('style') ?? '')?.[1] ?? cell.attribute('align');
  return value === undefined ? undefined : /^(?:left|right|center)$/i.exec(value)?.[0].toLowerCase();
}

/** A cell is one line: paragraphs and lines are kept apart by `<br>`, bars are escaped. */
function cellText(cell: LeanNode, writer: ContentWriter, code: boolean): string {
  const { first } = cell;
  if (!first) return '';
  if (first === cell.last && first.type === TEXT && !code && !first.data.includes('|'))
    return escapeText(first.data, false).trim();
  const content = trimBreaks(writer.content(cell, code, true)).trim();
  const lines = cellLines(content).join('<br>');
  return lines.replace(/(\\*)\|/g, (found, before: string) => (before.length % 2 === 0 ? `${before}\\|` : found));
}

/** The lines of a cell that are not empty; of a block of code each one is a code span. */
function cellLines(content: string): string[] {
  const lines: string[] = [];
  let fence = '';
  let indent = 0;
  for (const line of content.split('\n')) {
    const [, marker = '', opened] = fence === '' ? (/^([-*+\d.)>\s]*)(`{3,}|~{3,})[^`]*$/.exec(line) ?? []) : [];
    if (opened !== undefined) {
      fence = opened;
      indent = marker.length;
      if (marker.trim() !== '') lines.push(marker.trim());
    } else if (fence !== '' && line.trim() === fence) fence = '';
    else if (line.trim() !== '')
      lines.push(fence === '' ? withoutHardBreak(line).trim() : codeSpan(dedented(line, indent)));
  }
  return lines;
}

function dedented(line: string, most: number): string {
  let at = 0;
  while (at < most && line.charCodeAt(at) === 32) at++;
  return line.slice(at);
}
