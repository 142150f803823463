/**
 * Skips the running test, or the suite whose `before` calls it, and writes the reason on the line of each skipped test.
 */
export function skipBecause(context: Mocha.Context, why: string): never {
  const running = context.runnable();
  // A suite's own `before` hook is not among its tests.
  const own = testsOf(running.parent);
  const tests = own.includes(running) ? [running] : own;
  for (const test of tests) test.title = `${test.title} (skipped: ${why})`;
  return context.skip();
}

function testsOf(suite: Mocha.Suite | undefined): readonly Mocha.Runnable[] {
  return suite ? [...suite.tests, ...suite.suites.flatMap(testsOf)] : [];
}
