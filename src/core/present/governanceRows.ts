import { visible } from '../base/visible';
import { describeApproval } from './approvalText';
import type { PendingApproval } from '../policy/approvals/approvals';
import type { Grant } from '../policy/grants/grant';
import { type Problem, problem } from '../base/problem';
import { worded } from '../base/sentence';
import type { Resolution } from '../vocabulary/resolution';
import { actionSaid, findingSaid, resolutionSaid } from './findingWords';
import { groupRows, leaf, type TreeRow } from './treeRow';
import { briefGrant, explainGrant, grantName } from './grantWords';
import type { Translate } from '../base/translate';
import { proseMarkdown, rowText } from './words';
import type { ComposedCapability } from '../capability/capability';

interface GovernanceInput {
  readonly pending: readonly PendingApproval[];
  readonly grants: readonly Grant[];
  /** Capabilities that only the workspace's files declare, each with the resolver's answer. */
  readonly composed: readonly {
    readonly capability: ComposedCapability;
    readonly resolution: Resolution;
    /** Its definition waits for the person's approval, so nothing of it can work, whatever the resolver says. */
    readonly isWaiting?: boolean;
  }[];
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly t: Translate;
}

/**
 * The groups below the capabilities: what the workspace declares, what waits for an answer, what is allowed. Empty
 * groups are left out.
 */
export function governanceRows(input: GovernanceInput): readonly TreeRow[] {
  const { t } = input;
  return [
    group('composed', t('Declared by the workspace'), 'symbol-interface', composedRows(input, t), t),
    group('pending', t('Pending approvals'), 'bell-dot', pendingRows(input, t), t),
    group('grants', t('Grants'), 'key', grantRows(input, t), t),
  ].flat();
}

function group(
  id: string,
  label: string,
  icon: string,
  children: readonly TreeRow[],
  t: Translate,
): readonly TreeRow[] {
  return groupRows(id, {
    label,
    description: String(children.length),
    icon,
    warns: id === 'pending',
    accessibleLabel: t('{0}, group of {1}', label, children.length),
    children,
  });
}

function pendingRows({ pending }: GovernanceInput, t: Translate): readonly TreeRow[] {
  return pending.map(({ request, state }): TreeRow => {
    const text = describeApproval(request, t);
    const shown = state === 'shown' ? t('being asked') : t('waiting');
    return {
      ...leaf,
      kind: 'pending',
      requestId: request.id,
      id: `pending:${request.id}`,
      label: text.title,
      description: shown,
      icon: 'question',
      warns: true,
      tooltip: () => text.lines.map((line) => proseMarkdown(line)).join('  \n'),
      accessibleLabel: t('{0}, {1}', text.title, shown),
      contextValue: 'pending',
    };
  });
}

function grantRows({ grants, now }: GovernanceInput, t: Translate): readonly TreeRow[] {
  return grants.map((grant): TreeRow => {
    const words = visible(explainGrant(grant, now, t));
    return {
      ...leaf,
      kind: 'grant',
      grantId: grant.id,
      id: `grant:${grant.id}`,
      label: visible(grantName(grant, t)),
      description: visible(briefGrant(grant, t)),
      icon: 'key',
      tooltip: () => proseMarkdown(words),
      accessibleLabel: t('Grant: {0}', words),
      contextValue: 'grant',
    };
  });
}

function composedRows({ composed }: GovernanceInput, t: Translate): readonly TreeRow[] {
  return composed.map(({ capability, resolution, isWaiting = false }): TreeRow => {
    const words = isWaiting ? t('waits for your approval') : visible(worded(resolutionSaid(resolution), t));
    const isReady = !isWaiting && resolution.verdict === 'yes';
    const plain = resolution.actions.some(({ kind }) => kind === 'probe') ? 'probe' : 'plain';
    return {
      ...leaf,
      kind: 'composed',
      capabilityId: capability.id,
      id: `composed:${capability.id}`,
      label: visible(capability.id),
      description: rowText(words),
      icon: isWaiting ? 'question' : isReady ? 'pass' : 'warning',
      warns: !isReady,
      tooltip: () =>
        [
          words,
          ...[...resolution.warnings.map(findingSaid), ...resolution.actions.map(actionSaid)].map((one) =>
            worded(one, t),
          ),
        ]
          .map((line) => proseMarkdown(line))
          .join('\n\n'),
      accessibleLabel: t('{0}: {1}', capability.id, rowText(words)),
      contextValue: `composed.${isWaiting ? 'waiting' : plain}`,
    };
  });
}

/** What keeps a registered capability from running now, as the tree marks its row; undefined where nothing does. */
export function readinessProblem(id: string, resolution: Resolution): Problem | undefined {
  if (resolution.verdict === 'yes' || resolution.verdict === 'yes-after-approval') return undefined;
  const isBlocked = resolution.verdict !== 'yes-after-probe';
  return problem({
    severity: isBlocked ? 'error' : 'warning',
    code: 'not_ready',
    subject: id,
    said: resolutionSaid(resolution),
  });
}
