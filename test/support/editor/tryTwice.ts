import type { Printer } from './print';

/**
 * Runs suites in a fresh window and, where something fails, once more in another: a real window has a life of its own
 * (it loads, animates, takes the focus), and editors do the same with their own smoke tests. The summary names what
 * passed only then. `AGENT_CAPABILITIES_TRIES=1` lets the first failure count.
 */
export async function tryTwice(printer: Printer, run: () => Promise<void>): Promise<void> {
  const before = printer.count();
  await run();
  if (printer.failures.length === before.failed || process.env['AGENT_CAPABILITIES_TRIES'] === '1') return;
  printer.tryAgain(before);
  await run();
}
