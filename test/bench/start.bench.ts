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
  if (!existsSync(kept)) throw new Error('no start could be measured; the tests above say why');
  const starts: MeasuredStart[] = JSON.parse(readFileSync(kept, 'utf8'));
  const middle = (of: (start: MeasuredStart) => number): number => median(starts.map(of));
  const row = (name: string, ours: number, unit: string, limit: number): Row => ({
    name: `${name} (median of ${starts.length} windows)`,
    ours,
    unit,
    target: `aim: below ${limit} ${unit}`,
    met: ours < limit,
  });
  const known = (name: string, ours: number): Row => ({
    name: `${name} (median of ${starts.length} windows)`,
    ours,
    unit: 'ms',
    target: 'for information',
  });
  return [
    row(
      'entry: our code is loaded',
      middle(({ entryMs }) => entryMs),
      'ms',
      5,
    ),
    known(
      'the editor fetches what it keeps for us, after the entry',
      middle(({ calledMs }) => calledMs),
    ),
    row(
      'activated: the editor goes on, after it called us',
      middle(({ activatedMs, calledMs }) => activatedMs - calledMs),
      'ms',
      60,
    ),
    known(
      'everything is there, after the editor called us',
      middle(({ readyMs, calledMs }) => readyMs - calledMs),
    ),
    known(
      'everything is there, after the entry',
      middle(({ readyMs }) => readyMs),
    ),
    row('loaded by a start in all', middle(({ bytes }) => bytes) / 1000, 'KB', 600),
  ];
}
