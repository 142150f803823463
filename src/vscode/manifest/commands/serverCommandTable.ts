import { contextKey } from './contextKey';
import { viewIds } from './viewIds';
import { type CommandTable, menusOf } from './commandSpec';

const { title, row } = menusOf(viewIds.capabilities);
const ready = contextKey('ready');
const on = (states: string): RegExp => new RegExp(`^server\\.(${states})\\.`);
const anyServer = /^server\./;
const ownServer = /^server\..*\.(user|workspace)$/;

/** The commands about MCP servers and about the clients of our own. */
export const serverCommandTable = {
  addMcpServer: {
    title: 'Add MCP Server…',
    icon: 'add',
    enablement: ready,
    menus: [title('5_add@1'), row('group.servers', 'inline@1')],
  },
  startMcpServer: {
    title: 'Start MCP Server…',
    icon: 'play',
    enablement: ready,
    menus: [
      row(on('stopped|failed|refused.signedOut'), 'inline@1'),
      row(on('stopped|failed|unapproved|refused.signedOut'), '1_run@1'),
    ],
  },
  stopMcpServer: {
    title: 'Stop MCP Server…',
    icon: 'debug-stop',
    enablement: ready,
    menus: [row(on('running|starting'), 'inline@2'), row(on('running|starting|blocked|asking'), '1_run@2')],
  },
  restartMcpServer: {
    title: 'Restart MCP Server…',
    icon: 'debug-restart',
    enablement: ready,
    menus: [row(on('running'), 'inline@1'), row(on('running|failed|blocked|asking|refused|stopped'), '1_run@3')],
  },
  reviewMcpServer: {
    title: 'Review Tools of MCP Server…',
    icon: 'shield',
    enablement: ready,
    menus: [
      row(on('blocked|refused(?!\\.signedOut)|unapproved'), 'inline@1'),
      row(on('running|stopped|blocked|refused(?!\\.signedOut)|unapproved'), '2_review@1'),
    ],
  },
  showMcpServerLog: {
    title: 'Show MCP Server Log…',
    icon: 'output',
    enablement: ready,
    menus: [row(anyServer, 'inline@3'), row(anyServer, '2_review@2')],
  },
  editMcpServer: { title: 'Edit MCP Server…', icon: 'edit', enablement: ready, menus: [row(ownServer, '3_change@1')] },
  signOutMcpServer: {
    title: 'Sign Out of MCP Server…',
    icon: 'sign-out',
    enablement: ready,
    menus: [row(/^server\..*\.signsIn\./, '3_change@0')],
  },
  removeMcpServer: {
    title: 'Remove MCP Server…',
    icon: 'trash',
    enablement: ready,
    menus: [row(ownServer, '3_change@2')],
  },
  judgeTool: { title: 'Judge Tool…', icon: 'law', enablement: ready, menus: [row(/^tool\..*foreign$/, '1_state@2')] },
  copyClientConfiguration: { title: 'Copy Client Configuration…', icon: 'copy', enablement: ready },
  copyApiAccess: { title: 'Copy API Address and Token', icon: 'key', enablement: ready },
} as const satisfies CommandTable;
