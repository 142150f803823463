import type { CommandId } from './commandTable';

/** What a command does with whatever it is passed. */
export type CommandRun = (...args: unknown[]) => unknown;

/** Something for each of some commands, by their ids. */
export type ByCommand<Value> = Readonly<Partial<Record<CommandId, Value>>>;

export function commandEntries<Value>(commands: ByCommand<Value>): readonly (readonly [CommandId, Value])[] {
  // Safe: such an object has no keys but those that its type names.
  return Object.entries<Value>(commands).map(([id, value]) => [id as CommandId, value]);
}

/** Makes of what each command has what it does. */
export function mapCommands<Value>(
  commands: ByCommand<Value>,
  change: (value: Value, id: CommandId) => CommandRun,
): ByCommand<CommandRun> {
  return Object.fromEntries(commandEntries(commands).map(([id, value]) => [id, change(value, id)]));
}
