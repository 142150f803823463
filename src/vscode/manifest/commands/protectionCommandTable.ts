import { contextKey } from './contextKey';
import { viewIds } from './viewIds';
import { type CommandTable, menusOf } from './commandSpec';

const { title, row } = menusOf(viewIds.capabilities);
const ready = contextKey('ready');

/** The commands about the hooks of other agents, and the one that looks at everything. */
export const protectionCommandTable = {
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
