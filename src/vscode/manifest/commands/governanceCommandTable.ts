import { contextKey } from './contextKey';
import { viewIds } from './viewIds';
import { decisionScheme } from './decisionScheme';
import { type CommandTable, menusOf } from './commandSpec';

const { title, row } = menusOf(viewIds.capabilities);
const ready = contextKey('ready');

/** The title bar of an editor that shows a call which waits for an answer. */
const decision = (group: string, also?: string) => ({
  menu: 'editor/title',
  when: `resourceScheme == ${decisionScheme}${also === undefined ? '' : ` && ${also}`}`,
  group,
});

/** The commands about rules, approvals, plans and requirements. */
export const governanceCommandTable = {
  explainCall: { title: 'Explain a Call…', icon: 'question', enablement: ready, menus: [row(/^tool\./, '2_show@2')] },
  checkCapability: {
    title: 'Check Capability…',
    icon: 'pulse',
    enablement: ready,
    menus: [row(/^(capability|composed)\./, '2_show@3')],
  },
  probeCapability: {
    title: 'Probe Capability…',
    icon: 'refresh',
    enablement: ready,
    menus: [row('composed.probe', 'inline@1')],
  },
  validateEverything: {
    title: 'Validate Everything',
    icon: 'checklist',
    enablement: ready,
    menus: [title('6_rules@1')],
  },
  simulatePolicy: { title: 'Simulate Policy…', icon: 'beaker', enablement: ready, menus: [title('6_rules@2')] },
  manageGrants: {
    title: 'Manage Grants…',
    icon: 'key',
    enablement: contextKey('hasGrants'),
    menus: [title('6_rules@3'), row('group.grants', 'inline@1')],
  },
  clearLabels: { title: 'Clear Labels…', icon: 'tag', enablement: ready },
  showSecretOnce: { title: 'Show a Hidden Secret Once…', icon: 'eye', enablement: ready },
  revokeGrant: { title: 'Revoke Grant', icon: 'trash', palette: false, menus: [row('grant', 'inline@1')] },
  pendingApprovals: {
    title: 'Pending Approvals…',
    icon: 'bell-dot',
    enablement: contextKey('hasPendingApprovals'),
    menus: [row('group.pending', 'inline@1')],
  },
  answerApproval: { title: 'Answer…', icon: 'comment-discussion', palette: false, menus: [row('pending', 'inline@1')] },
  denyApproval: { title: 'Deny', icon: 'circle-slash', palette: false, menus: [row('pending', 'inline@2')] },
  showRules: { title: 'Show Rules in Force', icon: 'law', enablement: ready, menus: [title('6_rules@0')] },
  showRule: {
    title: 'Why This Rule?',
    icon: 'question',
    palette: false,
    menus: [row(/^rule\./, 'inline@2'), row(/^rule\./, '2_rule@2')],
  },
  editRule: {
    title: 'Edit Rule',
    icon: 'edit',
    palette: false,
    menus: [row('rule.edit', 'inline@1'), row('rule.edit', '2_rule@1')],
  },
  goToRule: { title: 'Go to Definition', palette: false, menus: [row(/^rule\.(edit|file)/, '1_go@1')] },
  copyRule: { title: 'Copy Rule', icon: 'copy', palette: false, menus: [row(/^rule\./, '3_copy@1')] },
  importRules: { title: 'Import Rules from Another Agent…', icon: 'desktop-download', enablement: ready },
  exportRules: { title: 'Export Rules for Another Agent…', icon: 'export', enablement: ready },
  suggestRules: { title: 'Suggest Rules…', enablement: ready },
  newRule: {
    title: 'New Rule…',
    icon: 'add',
    enablement: ready,
    menus: [row('group.rules', 'inline@1'), title('6_rules@0')],
  },
  turnIntoRule: { title: 'New Rule from a Call…', icon: 'law', enablement: ready },
  whyCall: { title: 'Why Was It Denied?', icon: 'question', enablement: ready },
  freezePlan: {
    title: 'Freeze Plan…',
    icon: 'lock',
    enablement: `${contextKey('hasPlan')} || ${contextKey('hasFrozenPlan')}`,
    menus: [title('6_rules@4')],
  },
  newPlan: { title: 'Write a Plan', enablement: ready },
  managePlan: { title: 'Manage Frozen Plan…', icon: 'gear', palette: false, menus: [row('plan', 'inline@1')] },
  endPlan: {
    title: 'End Frozen Plan…',
    icon: 'debug-stop',
    enablement: contextKey('hasFrozenPlan'),
    menus: [row('plan', 'inline@2')],
  },
  allowDecision: { title: 'Allow', palette: false, menus: [decision('navigation@1')] },
  allowDecisionForSession: {
    title: 'Allow for Session…',
    palette: false,
    menus: [decision('navigation@2', 'resourcePath =~ /^.(now|read)./')],
  },
  denyDecision: { title: 'Deny', palette: false, menus: [decision('navigation@3')] },
  setAdminToken: { title: 'Set Admin Token…', icon: 'key', enablement: ready },
} as const satisfies CommandTable;
