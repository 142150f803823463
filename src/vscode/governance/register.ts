import { worded } from '../../core/base/sentence';
import * as vscode from 'vscode';
import { Emitter } from '../../core/base/event';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { Problem } from '../../core/base/problem';
import type { MoreRows } from '../tree/capabilityView';
import { lazily } from '../commands/lazily';
import type { CommandRuns } from '../commands/commandRuns';
import { addWithParts } from '../commands/addWithParts';
import type { governanceCommandTable } from '../manifest/commands/governanceCommandTable';
import { followPlans } from './followPlans';
import type { GovernanceCommand, GovernanceContext } from './governanceCommand';
import type { governanceGroups as GovernanceGroups, GroupsContext } from './governanceGroups';
import { showInformation } from '../notices';

const handlers: Readonly<
  Record<Exclude<keyof typeof governanceCommandTable, 'validateEverything'>, GovernanceCommand<keyof GovernanceContext>>
> = {
  allowDecision: lazily(async () => (await import('./decisions')).allowDecision),
  allowDecisionForSession: lazily(async () => (await import('./decisions')).allowDecisionForSession),
  answerApproval: lazily(async () => (await import('./approvals')).answerApproval),
  checkCapability: lazily(async () => (await import('./checkCapability')).checkCapability),
  copyRule: lazily(async () => (await import('./rules')).copyRule),
  clearLabels: lazily(async () => (await import('./clearLabels')).clearLabels),
  denyApproval: lazily(async () => (await import('./approvals')).denyApproval),
  denyDecision: lazily(async () => (await import('./decisions')).denyDecision),
  explainCall: lazily(async () => (await import('./explainCall')).explainCall),
  exportRules: lazily(async () => (await import('./exchangeRules')).exportRules),
  editRule: lazily(async () => (await import('./rules')).editRule),
  endPlan: lazily(async () => (await import('./freezePlan')).endPlan),
  goToRule: lazily(async () => (await import('./rules')).editRule),
  importRules: lazily(async () => (await import('./exchangeRules')).importRules),
  freezePlan: lazily(async () => (await import('./freezePlan')).freezePlan),
  manageGrants: lazily(async () => (await import('./manageGrants')).manageGrants),
  managePlan: lazily(async () => (await import('./freezePlan')).managePlan),
  newRule: lazily(async () => (await import('./newRule')).newRule),
  newPlan: lazily(async () => (await import('./freezePlan')).newPlan),
  pendingApprovals: lazily(async () => (await import('./approvals')).pendingApprovals),
  probeCapability: lazily(async () => (await import('./checkCapability')).probeCapability),
  revokeGrant: lazily(async () => (await import('./manageGrants')).revokeGrant),
  setAdminToken: lazily(async () => (await import('./adminToken')).setAdminToken),
  showRule: lazily(async () => (await import('./rules')).showRule),
  showSecretOnce: lazily(async () => (await import('./showSecretOnce')).showSecretOnce),
  showRules: ({ revealGroup }) => revealGroup('group:rules'),
  simulatePolicy: lazily(async () => (await import('./simulatePolicy')).simulatePolicy),
  suggestRules: lazily(async () => (await import('./suggestRules')).suggestRules),
  turnIntoRule: lazily(async () => (await import('./turnIntoRule')).turnIntoRule),
  whyCall: lazily(async () => (await import('./whyCall')).whyCall),
};

/**
 * Adds the commands about rules, approvals, plans and requirements, and keeps the Problems panel and context keys
 * up to date.
 */
export function registerGovernance(commands: CommandRuns, context: GovernanceContext): Disposable {
  const store = new DisposableStore();
  // Marks in files come behind the start.
  const diagnostics = import('./diagnostics').then(({ PolicyDiagnostics }) =>
    store.add(new PolicyDiagnostics(context)),
  );
  const validateEverything = async (): Promise<readonly Problem[]> => {
    const problems = await (await diagnostics).refresh(await context.everyProfile());
    await tellProblems(context, problems);
    return problems;
  };
  store.add(addWithParts<GovernanceContext>(commands, { ...handlers, validateEverything }, context));
  tellRefusals(context, store);
  store.add(followPlans(context));
  const { queue, grants } = context;
  const refresh = (): void => {
    context.keys.set('hasPendingApprovals', (queue?.pending().length ?? 0) > 0);
    context.keys.set('hasGrants', grants.list().length > 0);
  };
  if (queue) store.add(queue.onDidChange(refresh));
  store.add(grants.onDidChange(refresh));
  refresh();
  return store;
}

/** What tells of a call that came to nothing is loaded with the first of them. */
function tellRefusals({ recent, log }: Pick<GovernanceContext, 'recent' | 'log'>, store: DisposableStore): void {
  const waiting = store.add(
    recent.onDidChange(() => {
      if (recent.list()[0]?.outcome === 'ran') return;
      waiting.dispose();
      import('./lastRefusal').then(
        ({ showLastRefusal }) => void (store.isDisposed || store.add(showLastRefusal(recent))),
        (error: unknown) => log.error(`the last call cannot be shown: ${String(error)}`),
      );
    }),
  );
}

/**
 * What the Capabilities view shows of all this: groups below the capabilities, and why one of them cannot run now. They
 * stand below all others, so they are loaded after the start.
 */
export function governanceInTree(context: GroupsContext & Pick<GovernanceContext, 'log'>): MoreRows {
  const { queue, grants, resolver, plans, policy, recent } = context;
  const loaded = new Emitter<void>();
  let late: ReturnType<typeof GovernanceGroups> | undefined;
  import('./governanceGroups').then(
    ({ governanceGroups }) => {
      late = governanceGroups(context);
      loaded.fire();
    },
    (error: unknown) => context.log.error(`the groups of the view cannot be shown: ${String(error)}`),
  );
  return {
    rows: () => late?.rows() ?? [],
    problems: () => late?.problems() ?? [],
    changes: [
      loaded.event,
      resolver.onDidChange,
      grants.onDidChange,
      plans.onDidChange,
      policy.onDidChange,
      recent.onDidHit,
      queue?.onDidChange ?? new Emitter<void>().event,
    ],
  };
}

async function tellProblems(context: Pick<GovernanceContext, 'texts'>, problems: readonly Problem[]): Promise<void> {
  const open = problems.filter((one) => one.severity !== 'information');
  if (open.length === 0) {
    void showInformation(
      vscode.l10n.t('No problem was found in profiles, settings and the files of .vscode/capabilities.'),
    );
    return;
  }
  if (open.some((one) => one.file !== undefined))
    await vscode.commands.executeCommand('workbench.actions.view.problems');
  // The Problems panel shows files only; a setting has its place in a list of its own.
  const loose = open.filter((one) => one.file === undefined);
  if (loose.length > 0)
    await context.texts.open(
      'Problems.txt',
      loose
        .map(
          (one) =>
            `${one.severity}: ${one.subject === undefined ? '' : `${one.subject}: `}${worded(one.said, vscode.l10n.t)}`,
        )
        .join('\n'),
    );
}
