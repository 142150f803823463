import type { Disposable } from '../../core/base/lifecycle';
import type { OutsideCalls } from '../confirm/outsideCalls';
import { type ByCommand, mapCommands } from '../manifest/commands/commandRun';
import type { CommandRuns } from './commandRuns';

/** Adds commands, each of which gets what they all work with before what the editor passes, behind the wall. */
export function addWithParts<Parts extends { readonly outside: OutsideCalls }>(
  commands: CommandRuns,
  handlers: ByCommand<(parts: Parts, ...args: unknown[]) => unknown>,
  parts: Parts,
): Disposable {
  const own = mapCommands(
    handlers,
    (run) =>
      (...args) =>
        run(parts, ...args),
  );
  return commands.add(parts.outside.guard(own));
}
