import { viewIds } from './viewIds';
import type { CommandTable } from './commandSpec';

const view = `view == ${viewIds.capabilities}`;
const ready = 'agentCapabilities.ready';
const on = (states: string): string => `${view} && viewItem =~ /^server\\.(${states})\\./`;
const anyServer = `${view} && viewItem =~ /^server\\./`;
const ownServer = `${view} && viewItem =~ /^server\\..*\\.(user|workspace)$/`;

/** The commands about MCP servers and about the clients of our own. */
export const serverCommandTable = {
  addMcpServer: {
    title: 'Add MCP Server…',
    icon: 'add',
    enablement: ready,
    menus: [
      { menu: 'view/title', when: view, group: '5_add@1' },
      { menu: 'view/item/context', when: `${view} && viewItem == group.servers`, group: 'inline@1' },
    ],
  },
  startMcpServer: {
    title: 'Start MCP Server…',
    icon: 'play',
    enablement: ready,
    menus: [
      { menu: 'view/item/context', when: on('stopped|failed|refused.signedOut'), group: 'inline@1' },
      { menu: 'view/item/context', when: on('stopped|failed|unapproved|refused.signedOut'), group: '1_run@1' },
    ],
  },
  stopMcpServer: {
    title: 'Stop MCP Server…',
    icon: 'debug-stop',
    enablement: ready,
    menus: [
      { menu: 'view/item/context', when: on('running|starting'), group: 'inline@2' },
      { menu: 'view/item/context', when: on('running|starting|blocked|asking'), group: '1_run@2' },
    ],
  },
  restartMcpServer: {
    title: 'Restart MCP Server…',
    icon: 'debug-restart',
    enablement: ready,
    menus: [
      { menu: 'view/item/context', when: on('running'), group: 'inline@1' },
      { menu: 'view/item/context', when: on('running|failed|blocked|asking|refused|stopped'), group: '1_run@3' },
    ],
  },
  reviewMcpServer: {
    title: 'Review Tools of MCP Server…',
    icon: 'shield',
    enablement: ready,
    menus: [
      { menu: 'view/item/context', when: on('blocked|refused(?!\\.signedOut)|unapproved'), group: 'inline@1' },
      {
        menu: 'view/item/context',
        when: on('running|stopped|blocked|refused(?!\\.signedOut)|unapproved'),
        group: '2_review@1',
      },
    ],
  },
  showMcpServerLog: {
    title: 'Show MCP Server Log…',
    icon: 'output',
    enablement: ready,
    menus: [
      { menu: 'view/item/context', when: anyServer, group: 'inline@3' },
      { menu: 'view/item/context', when: anyServer, group: '2_review@2' },
    ],
  },
  editMcpServer: {
    title: 'Edit MCP Server…',
    icon: 'edit',
    enablement: ready,
    menus: [{ menu: 'view/item/context', when: ownServer, group: '3_change@1' }],
  },
  signOutMcpServer: {
    title: 'Sign Out of MCP Server…',
    icon: 'sign-out',
    enablement: ready,
    menus: [
      { menu: 'view/item/context', when: `${view} && viewItem =~ /^server\\..*\\.signsIn\\./`, group: '3_change@0' },
    ],
  },
  removeMcpServer: {
    title: 'Remove MCP Server…',
    icon: 'trash',
    enablement: ready,
    menus: [{ menu: 'view/item/context', when: ownServer, group: '3_change@2' }],
  },
  judgeTool: {
    title: 'Judge Tool…',
    icon: 'law',
    enablement: ready,
    menus: [{ menu: 'view/item/context', when: `${view} && viewItem =~ /^tool\\..*foreign$/`, group: '1_state@2' }],
  },
  copyClientConfiguration: { title: 'Copy Client Configuration…', icon: 'copy', enablement: ready },
  copyApiAccess: { title: 'Copy API Address and Token', icon: 'key', enablement: ready },
} as const satisfies CommandTable;
