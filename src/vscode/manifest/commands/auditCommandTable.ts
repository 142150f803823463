import { viewIds } from './viewIds';
import { type CommandTable, menusOf } from './commandSpec';

const { title } = menusOf(viewIds.capabilities);

/** The commands about the record of calls. */
export const auditCommandTable = {
  openAuditView: { title: 'Open Audit View', icon: 'graph', menus: [title('5_log@2')] },
  sessionSummary: { title: 'Session Summary', menus: [title('5_log@3')] },
  verifyAudit: { title: 'Verify Audit' },
  exportAudit: { title: 'Export Audit…' },
  makeAuditReport: { title: 'Make Audit Report…' },
  clearAudit: { title: 'Clear Audit…' },
} as const satisfies CommandTable;
