import type { Printer } from './print';
import type { EditorSession } from './session';

/**
 * In CI, runs suites in a fresh window and, where something fails, once more in another, on servers of its own: what
 * the first try left in settings and home decides nothing there. Answers how often they ran. Everywhere else the first
 * failure counts. `AGENT_CAPABILITIES_TRIES` says otherwise, 1 or 2.
 */
export async function tryTwice(session: EditorSession, printer: Printer, run: () => Promise<void>): Promise<number> {
  const before = printer.count();
  await run();
  const tries = process.env['AGENT_CAPABILITIES_TRIES'] ?? (process.env['CI'] ? '2' : '1');
  if (printer.failures.length === before.failed || tries === '1') return 1;
  printer.tryAgain(before);
  session.leaveServers();
  await run();
  return 2;
}
