import { viewIds } from './viewIds';
import type { CommandTable } from './commandSpec';

const view = `view == ${viewIds.capabilities}`;

/** The commands about the record of calls. */
export const auditCommandTable = {
  openAuditView: {
    title: 'Open Audit View',
    icon: 'graph',
    menus: [{ menu: 'view/title', when: view, group: '5_log@2' }],
  },
  sessionSummary: { title: 'Session Summary', menus: [{ menu: 'view/title', when: view, group: '5_log@3' }] },
  verifyAudit: { title: 'Verify Audit' },
  exportAudit: { title: 'Export Audit…' },
  clearAudit: { title: 'Clear Audit…' },
} as const satisfies CommandTable;
