import { type ByCommand, type CommandRun, mapCommands } from '../manifest/commands/commandRun';

/** Gives commands what they all work with, before what the editor passes. */
export function withParts<Parts>(
  commands: ByCommand<(parts: Parts, ...args: unknown[]) => unknown>,
  parts: Parts,
): ByCommand<CommandRun> {
  return mapCommands(
    commands,
    (run) =>
      (...args) =>
        run(parts, ...args),
  );
}
