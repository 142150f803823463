import type { JsonObject } from '../../../core/base/json';
import type { TreeRow } from '../../../core/present/treeRow';
import type { AuditRecord } from '../../../core/audit/record';
import { capabilityCommandTable } from './capabilityCommandTable';
import { changeCommandTable } from './changeCommandTable';
import { type CommandTable, menusOf, specsOf } from './commandSpec';
import { contextKey } from './contextKey';
import { viewIds } from './viewIds';
import { definitionCommandTable } from './definitionCommandTable';
import { governanceCommandTable } from './governanceCommandTable';
import { serverCommandTable } from './serverCommandTable';
import { todoCommandTable } from './todoCommandTable';

const { title, row } = menusOf(viewIds.capabilities);
const ready = contextKey('ready');

/** The commands about the record of calls. */
const auditCommandTable = {
  openAuditView: { title: 'Open Audit View', icon: 'graph', menus: [title('5_log@2')] },
  sessionSummary: { title: 'Session Summary', menus: [title('5_log@3')] },
  verifyAudit: { title: 'Verify Audit' },
  exportAudit: { title: 'Export Audit…' },
  makeAuditReport: { title: 'Make Audit Report…' },
  clearAudit: { title: 'Clear Audit…' },
} as const satisfies CommandTable;

/** The commands about the hooks of other agents, and the one that looks at everything. */
const protectionCommandTable = {
  protectAgent: {
    title: 'Protect This Agent…',
    icon: 'shield',
    enablement: ready,
    menus: [title('6_rules@5'), row('group.protection', 'inline@1'), row(/^protection\.(\w+|tool\.open)$/, 'inline@1')],
  },
  doctor: { title: 'Doctor', icon: 'heart', enablement: ready, menus: [title('6_rules@6')] },
  checkProtection: {
    title: 'Check Protection',
    icon: 'pulse',
    enablement: ready,
    menus: [row('group.protection', 'inline@2')],
  },
} as const satisfies CommandTable;

/** The commands for who has no language model yet. */
const tourCommandTable = {
  playTour: {
    title: 'Play the Tour',
    icon: 'play-circle',
    menus: [title('6_help@1'), row('group.noModel', 'inline@1')],
  },
  withoutModel: {
    title: 'What Works Without a Model',
    icon: 'question',
    menus: [title('6_help@2'), row('group.noModel', 'inline@2')],
  },
} as const satisfies CommandTable;

const commandTable = {
  ...capabilityCommandTable,
  ...auditCommandTable,
  ...governanceCommandTable,
  ...definitionCommandTable,
  ...serverCommandTable,
  ...protectionCommandTable,
  ...todoCommandTable,
  ...changeCommandTable,
  ...tourCommandTable,
};

/** The id of a declared command, without the prefix `agentCapabilities.`. */
export type CommandId = keyof typeof commandTable;

/** Every command of the extension, whichever view it belongs to. */
export const commandSpecs = specsOf<CommandId>(commandTable);

/**
 * What a program passes to the commands that take something. Anybody may run a command with anything, so each command
 * looks at what it gets all the same.
 */
export interface CommandArguments {
  readonly switchProfile: readonly [profile: string];
  readonly setMode: readonly [mode: string];
  readonly newProfile: readonly [name: string];
  readonly renameProfile: readonly [profile: string, name?: string];
  readonly duplicateProfile: readonly [profile: string, name?: string];
  readonly deleteProfile: readonly [profile: string];
  readonly resetProfile: readonly [profile: string];
  readonly exportProfile: readonly [profile: string];
  readonly enableCapability: readonly [capability: string] | Rows;
  readonly disableCapability: readonly [capability: string] | Rows;
  readonly toggleTool: readonly [tool: string] | Rows;
  readonly toggleSelected: Rows;
  readonly moveUp: readonly [capability: string] | Rows;
  readonly moveDown: readonly [capability: string] | Rows;
  readonly openDetails: Rows;
  readonly showRule: readonly [rule: string] | Rows;
  readonly acceptWidening: Rows;
  readonly filterCapabilities: readonly [filter: string];
  readonly groupBy: readonly [grouping: string];
  /** With `ask` the input is where the form begins; without, the tool runs with it. */
  readonly runTool: readonly [tool: string, input?: JsonObject, ask?: boolean] | Rows;
  /** A call of this window by its id, or a record of the audit. */
  readonly turnIntoRule: readonly [call: string | AuditRecord];
  /** What a button of the tour's page asks for. */
  readonly playTour: readonly [what: string];
  /** A call that a line of the chat leads back to, by its number. */
  readonly whyCall: readonly [call: number];
  readonly setSecret: readonly [name: string];
  readonly protectAgent: readonly [agent: string] | Rows;
  readonly startMcpServer: readonly [server: string] | Rows;
  readonly reviewMcpServer: readonly [server: string] | Rows;
}

/** The row that was clicked, and all that are selected with it. */
type Rows = readonly [clicked: TreeRow, selected?: readonly TreeRow[]];

/** What may be passed to a command; nothing always may, and then it asks. */
export type ArgumentsOf<Id extends CommandId> =
  readonly [] | (Id extends keyof CommandArguments ? CommandArguments[Id] : readonly []);
