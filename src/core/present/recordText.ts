import { onOneLine } from '../base/text';
import { actionSaid } from '../vocabulary/access';
import { durationWords } from './words';
import { type AuditRecord, type RecordedReason, type RecordedStep, stepsOf } from '../audit/record';
import { codeSpan, proseMarkdown } from '../base/markdown';
import { say, type SentenceCode, worded } from '../base/sentence';
import type { Translate } from '../base/translate';
import { actorWord, answererWord, happenedWord, riskWords, stepReason, toldWords } from './auditWords';
import { readSentence } from '../base/readSentence';
import { isToldBy } from '../vocabulary/toldOnce';
import { stepMarkdown } from '../vocabulary/stepWords';
import { isPlanId } from '../policy/plans/planId';

/**
 * Says in a page of markdown how a recorded call was decided, step by step. What models and servers wrote stands in
 * code spans, or is escaped; `when` writes an ISO time as the person does.
 */
export function explainMarkdown(record: AuditRecord, when: (time: string) => string, t: Translate): string {
  const name = record['gen_ai.tool.name'] ?? record.event;
  const lines = [`# ${code(name)}: ${endWord(record, t)}`, ''];
  const who = record['gen_ai.agent.id'] ?? record['user.id'];
  const caller = record.actor === undefined ? t('somebody') : actorWord(record.actor, t);
  const actor = `${proseMarkdown(caller)}${who === undefined ? '' : ` (${code(who)})`}`;
  const [profile, mode] = [record.profile, record.mode].map((one) => code(one ?? ''));
  const risk = proseMarkdown(riskWords(record.risk, t)) || '—';
  lines.push(
    t('{0}, profile {1}, mode {2}, risk {3}, {4}.', actor, profile ?? '', mode ?? '', risk, when(record.time)),
  );
  const told = proseMarkdown(toldWords(record, t) ?? '');
  if (told !== '') lines.push('', record.actor === 'agent' ? t('The agent was told: {0}', told) : t('Told: {0}', told));
  if (record['approval.by'] !== undefined) lines.push('', answerLine(record, record['approval.by'], when, t));
  if (record.accesses?.length)
    lines.push(
      '',
      `## ${t('Touched')}`,
      '',
      ...record.accesses.map(({ effect, resource }) => `- ${code(worded(actionSaid(effect, resource), t))}`),
    );
  const steps = stepsOf(record).flatMap((step, at) => stepLines(step, `${at + 1}. `, toldOf(record), t));
  if (steps.length > 0) lines.push('', `## ${t('Steps of the gate')}`, '', ...steps);
  return `${lines.join('\n')}\n`;
}

function answerLine(record: AuditRecord, by: string, when: (time: string) => string, t: Translate): string {
  const waited = record['approval.waited_ms'];
  const who = answerer(by, t);
  const after = waited === undefined ? undefined : durationWords(waited, t);
  if (isDeclined(record)) {
    const at = when(record.time);
    return after === undefined
      ? t('A person declined it: {0}.', at)
      : t('A person declined it after {1}: {0}.', at, after);
  }
  if (record.outcome === 'denied')
    return after === undefined ? t('Denied by {0}.', who) : t('Denied by {0} after {1}.', who, after);
  return after === undefined ? t('Allowed by {0}.', who) : t('Allowed by {0} after {1}.', who, after);
}

/** Whether the page says a reason above, with what whoever called was told. */
type IsTold = (reason: RecordedReason) => boolean;

function toldOf({ said, 'error.message': message }: AuditRecord): IsTold {
  const told = readSentence(said);
  return (reason) => {
    const own = readSentence(reason);
    return reason.text === message || (told !== undefined && own !== undefined && isToldBy(told, own));
  };
}

function stepLines(step: RecordedStep, number: string, isTold: IsTold, t: Translate): readonly string[] {
  const inside = ' '.repeat(number.length);
  const lines = [`${number}${stepMarkdown(step, t)}`];
  const hasOthers = step.reasons?.some((reason) => !isTold(reason)) === true;
  for (const reason of step.reasons ?? []) {
    if (step.effect === 'deny' && isTold(reason)) {
      const { rule } = reason;
      // Its rule stands beside what is not told, which would read as if that alone denied.
      if (rule !== undefined && (hasOthers || !namesRule(step, reason)))
        lines.push(`${inside}- ${worded(say('rule_denies', code(rule)), t)}`);
      continue;
    }
    const text = proseMarkdown(stepReason(step.step, reason, t));
    const told =
      reason.rule === undefined || namesRule(step, reason) ? text : t('{0} by {1}', text, code(reason.rule ?? ''));
    lines.push(`${inside}- ${told}${standing(reason, t)}`);
  }
  if (step.waived?.length) lines.push(`${inside}- ${t('waived by {0}', step.waived.map(code).join(', '))}`);
  return lines;
}

/** The sentences in which a rule is named. */
const naming: readonly string[] = [
  'boundary_says',
  'boundary_with_fault',
  'boundary_waived',
  'denied_by_boundary',
  'denied_with_steer',
  'on_trial_deny',
  'on_trial_ask',
  'on_trial_allow',
  'on_trial_advise',
] satisfies readonly SentenceCode[];

/** Whether the words of a reason name its rule already. Records of before codes were kept tell it by their step. */
const namesRule = ({ step }: RecordedStep, { code }: { readonly code?: string }): boolean =>
  code === undefined ? step === 'boundaries' : naming.includes(code);

/** True where a person said no to this very call, and not to one that it made. */
const isDeclined = ({ event, outcome, ...record }: AuditRecord): boolean =>
  outcome === 'denied' &&
  (record['error.type'] === 'declined' || (event === 'approval.answered' && record['approval.by'] === 'user'));

/** How a call ended. A person's no is another thing than a rule that denies, and whoever reads this may be another. */
function endWord(record: AuditRecord, t: Translate): string {
  if (isDeclined(record)) return t('declined by a person');
  const isLate = record.outcome === 'denied' && record['error.type'] === 'approval_timeout';
  if (isLate) return t('denied, because nobody answered');
  const { event, outcome } = record;
  return happenedWord({ event, ...(outcome === undefined ? {} : { outcome }) }, t);
}

/** What is noted only, and why. */
function standing(
  { advisory, advice, rule }: { advisory?: boolean; advice?: boolean; rule?: string },
  t: Translate,
): string {
  if (!advisory || (rule !== undefined && isPlanId(rule))) return '';
  return `, ${advice ? t('which only advises') : t('on trial only')}`;
}

/** A name of the log as code, and what has words in them. */
function answerer(by: string, t: Translate): string {
  const words = answererWord(by, t);
  return words === by ? code(by) : proseMarkdown(words);
}

/** A text in one line as a code span, and a dash for none. */
export function code(text: string): string {
  const flat = onOneLine(text);
  return flat === '' ? '—' : codeSpan(flat);
}
