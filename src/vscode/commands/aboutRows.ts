import type { capabilityCommandTable } from '../manifest/commands/capabilityCommandTable';
import type { CommandId } from '../manifest/commands/commandTable';

/**
 * Commands of the Capabilities view whose keys are about the selected rows. The table of commands says so too; it is
 * not loaded by the start, and a test compares the two.
 */
export const aboutRows: ReadonlySet<CommandId> = new Set<keyof typeof capabilityCommandTable>([
  'toggleSelected',
  'moveUp',
  'moveDown',
  'openDetails',
]);
