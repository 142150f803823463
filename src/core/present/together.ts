import type { ApprovalRequest } from '../call/gateCall';
import type { Translate } from '../base/translate';
import { reasonKey } from '../vocabulary/decision';
import { describeApproval } from './approvalText';
import { cutMiddle, mostColumns } from './approvalRows';
import { reasonWords } from '../vocabulary/reasonWords';
import { oneLine } from './approvalWords';
import { stakeWords } from './stakeWords';
import { riskWords } from './words';

/** A line of the list of calls that ask at the same moment: a call, or all calls of one kind. */
export interface TogetherRow {
  /** The call's; the kind's own for a row that stands for several. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
  /** The calls that a row of a kind stands for; unset for a call. */
  readonly members?: readonly string[];
}

const longestReason = 120;

/** True where a call may be answered in a list: one that needs the admin token or is critical stands alone. */
export const mayStandTogether = ({ needsAdmin, call }: ApprovalRequest): boolean =>
  !needsAdmin && call.tool.definition.riskLevel !== 'critical';

/**
 * The calls by kind, which is one tool for the same reasons, each with what it does and what is at stake. A kind of
 * several calls begins with a row that stands for all of them.
 */
export function togetherRows(requests: readonly ApprovalRequest[], t: Translate): readonly TogetherRow[] {
  const kinds = new Map<string, ApprovalRequest[]>();
  for (const request of requests) {
    const key = JSON.stringify([request.call.tool.id, request.call.actor.type, request.reasons.map(reasonKey).sort()]);
    kinds.set(key, [...(kinds.get(key) ?? []), request]);
  }
  return [...kinds.values()].flatMap((some, at) => {
    const [first] = some;
    if (!first) return [];
    const name = oneLine(first.call.tool.modelName);
    const reasons = first.reasons.map(({ said }) => oneLine(reasonWords(said, t))).join('; ');
    const why = reasons === '' ? '' : cutMiddle(t('Why you are asked: {0}.', reasons), longestReason);
    const calls = some.map((request) => callRow(request, t));
    if (some.length === 1) return calls.map((row) => ({ ...row, description: joined([name, row.description, why]) }));
    const kind = {
      id: `kind ${at}`,
      label: t('All {0}: {1}', some.length, name),
      description: why,
      members: some.map(({ id }) => id),
    };
    return [kind, ...calls];
  });
}

function callRow(request: ApprovalRequest, t: Translate): TogetherRow {
  const { action, truncated } = describeApproval(request, t);
  const stakes = stakeWords(request.preview.stake, t).join('; ');
  return {
    id: request.id,
    label: action,
    description: riskWords(request.call.tool.definition.riskLevel, t),
    detail: joined([
      ...(stakes === '' ? [] : [t('At stake: {0}.', stakes)]),
      ...(truncated ? [t('Show in Editor shows all of it.')] : []),
    ]),
  };
}

const joined = (parts: readonly string[]): string => parts.filter((one) => one !== '').join(' · ');

/**
 * What is ticked after a tick: a row of a kind takes its calls along, and is ticked itself where all of them are.
 * @param before the ids that were ticked
 * @param after the ids that the person's tick left ticked
 */
export function tickedTogether(
  rows: readonly TogetherRow[],
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): ReadonlySet<string> {
  const ticked = new Set(after);
  for (const { id, members } of rows) {
    if (!members) continue;
    if (before.has(id) !== after.has(id))
      for (const member of members) {
        if (after.has(id)) ticked.add(member);
        else ticked.delete(member);
      }
    if (members.every((member) => ticked.has(member))) ticked.add(id);
    else ticked.delete(id);
  }
  return ticked;
}

/** What a list of answers comes to. */
export interface TogetherAnswers {
  readonly allowed: readonly ApprovalRequest[];
  readonly denied: readonly ApprovalRequest[];
  /** They were ticked, but nobody has seen all of them: each is asked about alone. */
  readonly alone: readonly ApprovalRequest[];
}

const linesOfEach = 9;
const mostShown = 8;

/**
 * What is answered by what was ticked. A person must have seen what is allowed: only what fits into the last question,
 * or was shown whole in an editor, can be allowed with others.
 */
export function togetherAnswers(
  requests: readonly ApprovalRequest[],
  ticked: ReadonlySet<string>,
  hasShown: (id: string) => boolean,
  t: Translate,
): TogetherAnswers {
  const allowed: ApprovalRequest[] = [];
  const alone: ApprovalRequest[] = [];
  let room = mostShown;
  for (const request of requests.filter(({ id }) => ticked.has(id))) {
    const { truncated, lines } = describeApproval(request, t);
    const fits = !truncated && lines.length <= linesOfEach && room-- > 0;
    (fits || hasShown(request.id) ? allowed : alone).push(request);
  }
  return { allowed, alone, denied: requests.filter(({ id }) => !ticked.has(id)) };
}

/** The last question's words: each call that is allowed with its content, and what becomes of the others. */
export function togetherDetail({ allowed, denied, alone }: TogetherAnswers, t: Translate): string {
  const shown = allowed.flatMap((request) => {
    const { action, lines, contentFrom, truncated } = describeApproval(request, t);
    const content = truncated
      ? [`    ${t('You have read it in the editor.')}`]
      : lines.slice(contentFrom).map(indented);
    return [`${action} (${riskWords(request.call.tool.definition.riskLevel, t)})`, ...content, ''];
  });
  return [
    ...shown,
    ...(denied.length > 0
      ? [t('Denied: {0}', cutMiddle(denied.map((one) => describeApproval(one, t).action).join('; '), mostColumns))]
      : []),
    ...(alone.length > 0
      ? [
          alone.length === 1
            ? t('1 more is asked about by itself: nobody has seen all of what it does.')
            : t('{0} more are asked about one by one: nobody has seen all of what they do.', alone.length),
        ]
      : []),
  ].join('\n');
}

/** Blanks that do not break, so that no line looks like two. */
const indented = (line: string): string => `    ${line}`.replaceAll(' ', '\u00A0');
