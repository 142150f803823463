import { viewIds } from './viewIds';
import type { CommandTable } from './commandSpec';

const view = `view == ${viewIds.capabilities}`;
const ready = 'agentCapabilities.ready';

/** The commands about rules, approvals, plans and requirements. */
export const governanceCommandTable = {
  explainCall: {
    title: 'Explain a Call…',
    icon: 'question',
    enablement: ready,
    menus: [{ menu: 'view/item/context', when: `${view} && viewItem =~ /^tool\\./`, group: '2_show@2' }],
  },
  checkCapability: {
    title: 'Check Capability…',
    icon: 'pulse',
    enablement: ready,
    menus: [
      { menu: 'view/item/context', when: `${view} && viewItem =~ /^(capability|composed)\\./`, group: '2_show@3' },
    ],
  },
  probeCapability: {
    title: 'Probe Capability…',
    icon: 'refresh',
    enablement: ready,
    menus: [{ menu: 'view/item/context', when: `${view} && viewItem == composed.probe`, group: 'inline@1' }],
  },
  validateEverything: {
    title: 'Validate Everything',
    icon: 'checklist',
    enablement: ready,
    menus: [{ menu: 'view/title', when: view, group: '6_rules@1' }],
  },
  simulatePolicy: {
    title: 'Simulate Policy…',
    icon: 'beaker',
    enablement: ready,
    menus: [{ menu: 'view/title', when: view, group: '6_rules@2' }],
  },
  manageGrants: {
    title: 'Manage Grants',
    icon: 'key',
    enablement: 'agentCapabilities.hasGrants',
    menus: [
      { menu: 'view/title', when: view, group: '6_rules@3' },
      { menu: 'view/item/context', when: `${view} && viewItem == group.grants`, group: 'inline@1' },
    ],
  },
  revokeGrant: {
    title: 'Revoke Grant',
    icon: 'trash',
    palette: false,
    menus: [{ menu: 'view/item/context', when: `${view} && viewItem == grant`, group: 'inline@1' }],
  },
  pendingApprovals: {
    title: 'Pending Approvals',
    icon: 'bell-dot',
    enablement: 'agentCapabilities.hasPendingApprovals',
    menus: [{ menu: 'view/item/context', when: `${view} && viewItem == group.pending`, group: 'inline@1' }],
  },
  answerApproval: {
    title: 'Answer…',
    icon: 'comment-discussion',
    palette: false,
    menus: [{ menu: 'view/item/context', when: `${view} && viewItem == pending`, group: 'inline@1' }],
  },
  denyApproval: {
    title: 'Deny',
    icon: 'circle-slash',
    palette: false,
    menus: [{ menu: 'view/item/context', when: `${view} && viewItem == pending`, group: 'inline@2' }],
  },
  freezePlan: {
    title: 'Freeze Plan',
    icon: 'lock',
    enablement: ready,
    menus: [{ menu: 'view/title', when: view, group: '6_rules@4' }],
  },
  setAdminToken: { title: 'Set Admin Token…', icon: 'key', enablement: ready },
} as const satisfies CommandTable;
