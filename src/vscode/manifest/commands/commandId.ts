import type { CommandId } from './commandTable';

/** The full id by which the editor knows a command. */
export function commandId<Id extends CommandId>(id: Id): `agentCapabilities.${Id}` {
  return `agentCapabilities.${id}`;
}
