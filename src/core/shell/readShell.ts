import { Ledger } from './ledger';
import { Scope } from './scope';
import type { ShellContext, ShellReading } from './shellReading';
import { Walker } from './walker';

/** A longer line is not read; its text stands there as not understood. */
const longestLine = 64_000;

/**
 * What a line for a POSIX shell or bash would do, without running any of it: the accesses of every command with its
 * words expanded where that can be known, on every branch; a guess (`suspected`) for each word and each place that the
 * text names; and what is not understood. Never throws. Its work is bounded, whatever the line holds: about 50 ms of
 * processor time on a machine at rest; of a line that takes more, the rest counts as not understood (`too_long`).
 */
export function readShell(line: string, context: ShellContext = {}): ShellReading {
  const ledger = new Ledger();
  const scope = new Scope(context);
  try {
    const walker = new Walker(scope, ledger);
    if (line.length > longestLine) ledger.unknown('too_long', line);
    else walker.read(line);
  } catch {
    // A fault of ours, or more nesting than the stack holds: nothing of the line is taken as understood.
    ledger.unknown('too_deep', line);
  }
  return ledger.reading(scope);
}
