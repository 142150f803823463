import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runEditorSuites } from '../support/editor/index';
import { buildAndPackage } from '../support/start/packageExtension';
import { median, type Row } from './rows';
import type { MeasuredStart } from './window/person/start.measure';

/**
 * The start in the editor: what the editor itself marks around our code and our activation, in windows opened one after
 * the other, each with an extension host of its own.
 */
export async function bench(): Promise<Row[]> {
  const kept = path.resolve('.build/bench/starts.json');
  rmSync(kept, { force: true });
  const vsix = await buildAndPackage(process.cwd());
  await runEditorSuites({ vsix, suites: ['person'], folder: 'test/bench/window', suffix: '.measure.ts' });
  if (!existsSync(kept)) return [];
  const starts: MeasuredStart[] = JSON.parse(readFileSync(kept, 'utf8'));
  const middle = (of: (start: MeasuredStart) => number): number => median(starts.map(of));
  const row = (name: string, ours: number, unit: string, limit: number): Row => ({
    name: `${name} (median of ${starts.length} windows)`,
    ours,
    unit,
    target: `aim: below ${limit} ${unit}`,
    met: ours < limit,
  });
  return [
    row(
      'entry: our code is loaded',
      middle(({ entryMs }) => entryMs),
      'ms',
      5,
    ),
    row(
      'ready: activated, after the entry',
      middle(({ readyMs }) => readyMs),
      'ms',
      60,
    ),
    row('loaded until then', middle(({ bytes }) => bytes) / 1000, 'KB', 600),
  ];
}
