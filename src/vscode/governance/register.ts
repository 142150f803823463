import { worded } from '../../core/base/sentence';
import * as vscode from 'vscode';
import { Emitter } from '../../core/base/event';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { Problem } from '../../core/base/problem';
import type { MoreRows } from '../tree/capabilityView';
import { loadedFrom, type CommandRuns, addWithParts } from '../commands/commandRuns';
import type { governanceCommandTable } from '../manifest/commands/governanceCommandTable';
import type { GovernanceCommand, GovernanceContext } from './governanceCommand';
import type { governanceGroups as GovernanceGroups, GroupsContext } from './governanceGroups';
import { showInformation } from '../notices';
import { Debounce } from '../../core/base/debounce';

const handlers: Readonly<
  Record<Exclude<keyof typeof governanceCommandTable, 'validateEverything'>, GovernanceCommand<keyof GovernanceContext>>
> = {
  goToRule: async (...given) => (await import('./rules')).editRule(...given),
  showRules: ({ revealGroup }) => revealGroup('group:rules'),
  ...loadedFrom(() => import('./decisions'), 'allowDecision', 'allowDecisionForSession', 'denyDecision'),
  ...loadedFrom(() => import('./approvals'), 'answerApproval', 'denyApproval', 'pendingApprovals'),
  ...loadedFrom(() => import('./checkCapability'), 'checkCapability', 'probeCapability'),
  ...loadedFrom(() => import('./rules'), 'copyRule', 'editRule', 'showRule'),
  ...loadedFrom(() => import('./clearLabels'), 'clearLabels'),
  ...loadedFrom(() => import('./explainCall'), 'explainCall'),
  ...loadedFrom(() => import('./exchangeRules'), 'exportRules', 'importRules'),
  ...loadedFrom(() => import('./freezePlan'), 'endPlan', 'freezePlan', 'managePlan', 'newPlan'),
  ...loadedFrom(() => import('./manageGrants'), 'manageGrants', 'revokeGrant'),
  ...loadedFrom(() => import('./newRule'), 'newRule'),
  ...loadedFrom(() => import('./adminToken'), 'setAdminToken'),
  ...loadedFrom(() => import('./showSecretOnce'), 'showSecretOnce'),
  ...loadedFrom(() => import('./simulatePolicy'), 'simulatePolicy'),
  ...loadedFrom(() => import('./suggestRules'), 'suggestRules'),
  ...loadedFrom(() => import('./turnIntoRule'), 'turnIntoRule'),
  ...loadedFrom(() => import('./whyCall'), 'whyCall'),
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

/** Typing comes in bursts. */
const burstMs = 300;

/** A longer text is no plan that anybody reads before it is frozen. */
const mostCharacters = 200_000;

/** What both forms of a plan hold; whether one is right is found out when it is frozen. */
const mark = /"tool"\s*:/;

/** Offers to freeze a plan only where the text in front may hold one, and to end one only where one is in force. */
function followPlans({ keys, plans }: Pick<GovernanceContext, 'keys' | 'plans'>): Disposable {
  const store = new DisposableStore();
  const refresh = (): void => keys.set('hasFrozenPlan', plans.active !== undefined);
  const look = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    const text = document?.getText() ?? '';
    keys.set('hasPlan', text.length <= mostCharacters && mark.test(text));
  };
  const looking = store.add(new Debounce(look, burstMs));
  store.add(plans.onDidChange(refresh));
  store.add(vscode.window.onDidChangeActiveTextEditor(() => looking.restart()));
  store.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document === vscode.window.activeTextEditor?.document) looking.restart();
    }),
  );
  refresh();
  look();
  return store;
}
