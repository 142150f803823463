import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import TurndownService from 'turndown';
import { htmlToMarkdown } from '../support/htmlToMarkdown';
import { findMainContent } from '../../src/capabilities/webFetch/html/mainContent';
import { pageDefaults } from '../../src/capabilities/webFetch/html/options';
import { median, type Row } from './rows';

/** The 65 pages beside the project where they are, else pages of our own. */
export function readPages(): string[] {
  const folder = path.resolve('../shared/corpora/pages');
  if (existsSync(folder))
    return readdirSync(folder).map((name) => readFileSync(path.join(folder, name, 'source.html'), 'utf8'));
  const item =
    '<div class="item"><h2>Title</h2><p>Some <b>text</b> with a <a href="/x">link</a>.</p><ul><li>one</li><li>two</li></ul></div>';
  return [10, 100, 1_000].map(
    (count) =>
      `<html><head><style>p{}</style></head><body>${item.repeat(count)}<script>${'x();'.repeat(count * 20)}</script></body></html>`,
  );
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/** The most memory that a fresh process needs for all pages, above what it has at the start; in MB. */
function peakMb(engine: 'ours' | 'turndown'): number {
  const script = `const { engines, readPages } = require(${JSON.stringify(__filename)});
    const pages = readPages(); const run = engines()[${JSON.stringify(engine)}];
    const start = process.memoryUsage().rss; let peak = 0;
    for (const page of pages) { run(page); peak = Math.max(peak, process.memoryUsage().rss - start); }
    console.log(peak / 1e6);`;
  return Number(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }));
}

/** The converters under test. */
export function engines(): Readonly<Record<string, (page: string) => unknown>> {
  const service = new TurndownService();
  return {
    ours: (page) => htmlToMarkdown(page, pageDefaults),
    exact: (page) => htmlToMarkdown(page),
    turndown: (page) => service.turndown(page),
  };
}

/** Ours against turndown with its own DOM, page by page in turns. */
export async function bench(): Promise<Row[]> {
  const pages = readPages();
  const all = engines();
  for (const page of pages) for (const run of Object.values(all)) run(page);
  const totals: Record<string, number> = {};
  const ratios: Record<string, number[]> = { ours: [], exact: [] };
  for (const page of pages) {
    const times: Record<string, number[]> = {};
    for (let round = 0; round < 5; round++)
      for (const [name, run] of Object.entries(all)) (times[name] ??= []).push(timed(() => run(page)));
    const best: Record<string, number> = Object.fromEntries(
      Object.entries(times).map(([name, list]) => [name, median(list)]),
    );
    for (const [name, value] of Object.entries(best)) totals[name] = (totals[name] ?? 0) + value;
    for (const name of ['ours', 'exact']) ratios[name]?.push((best['turndown'] ?? 0) / (best[name] ?? 1));
    await setTimeout(0);
  }
  const megabytes = pages.reduce((sum, page) => sum + Buffer.byteLength(page), 0) / 1e6;
  const speed = (name: string): number => (megabytes * 1_000) / (totals[name] ?? 1);
  const overall = (name: string): number => speed(name) / speed('turndown');
  const mainMs = pages.reduce((sum, page) => sum + timed(() => findMainContent(page, 'https://e.example/')), 0);
  const [ours, theirs] = [peakMb('ours'), peakMb('turndown')];
  return [
    {
      name: 'pages to markdown, all our rules',
      ours: speed('ours'),
      peer: speed('turndown'),
      ratio: overall('ours'),
      unit: 'MB/s',
      target: '>= 3',
    },
    {
      name: 'the same, median over the pages',
      ours: median(ratios['ours'] ?? []),
      ratio: median(ratios['ours'] ?? []),
      unit: 'times',
      target: '>= 3',
    },
    {
      name: "pages to markdown, turndown's rules only",
      ours: speed('exact'),
      peer: speed('turndown'),
      ratio: overall('exact'),
      unit: 'MB/s',
      target: '>= 3',
    },
    { name: 'peak memory over all pages', ours, peer: theirs, ratio: ours / theirs, unit: 'MB', target: '< 0.5' },
    { name: 'main content', ours: (megabytes * 1_000) / mainMs, unit: 'MB/s', target: 'for information' },
  ];
}
