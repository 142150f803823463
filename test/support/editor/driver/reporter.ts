import { findSourceMap } from 'node:module';
import type { Runner, Test } from 'mocha';
import type { SuiteEvent } from './plan';

/** The extension host formats stacks itself and knows no source maps, so bundled places are traced back here. */
function traceBack(stack: string): string {
  return stack.replaceAll(
    /\(?(\/[^\s()]+\.js):(\d+):(\d+)\)?/g,
    (place: string, file: string, line: string, column: string) => {
      const entry = findSourceMap(file)?.findEntry(Number(line) - 1, Number(column) - 1);
      return entry && 'originalSource' in entry
        ? `(${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1})`
        : place;
    },
  );
}

/**
 * One text for an error of any kind, with the two sides of a failed comparison where the message does not show them.
 */
function describeError(error: Error & { expected?: unknown; actual?: unknown; generatedMessage?: boolean }): string {
  const text = traceBack(error.stack ?? String(error));
  if (error.generatedMessage === true || (error.expected === undefined && error.actual === undefined)) return text;
  const show = (value: unknown): string =>
    (typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? String(value))).slice(0, 4_000);
  return `${text}\n  expected: ${show(error.expected)}\n  actual:   ${show(error.actual)}`;
}

/**
 * Turns mocha's run into events. The same for suites in the extension host and in the outer process,
 * so that every kind of test prints alike. Mocha calls a reporter with `new`; a plain function is enough for that.
 */
export function reportTo(emit: (event: SuiteEvent) => void): (runner: Runner) => void {
  return function report(runner: Runner): void {
    let depth = 0;
    runner.on('suite', (suite) => {
      if (suite.root) return;
      emit({ kind: 'suite', title: suite.title, depth });
      depth += 1;
    });
    runner.on('suite end', (suite) => {
      if (!suite.root) depth -= 1;
    });
    runner.on('pass', (test: Test) => emit({ kind: 'pass', title: test.title, depth, ms: test.duration ?? 0 }));
    runner.on('pending', (test: Test) => emit({ kind: 'pending', title: test.title, depth }));
    runner.on('fail', (test: Test, error: Error) =>
      emit({ kind: 'fail', title: test.title, depth, fullTitle: test.fullTitle(), error: describeError(error) }),
    );
  };
}
