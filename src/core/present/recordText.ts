import { describeAccess } from '../vocabulary/access';
import { type AuditRecord, stepsOf } from '../audit/record';
import { duration } from '../base/figures';
import { codeSpan, proseMarkdown } from '../base/markdown';
import { plainWords } from '../base/translate';
import { visibleText } from '../base/visible';
import { answererWord } from './auditWords';

/**
 * Says in a page of markdown how a recorded call was decided, step by step. What models and servers wrote stands in
 * code spans, or is escaped; `when` writes an ISO time as the person does.
 */
export function explainMarkdown(record: AuditRecord, when: (time: string) => string = (time) => time): string {
  const name = record['gen_ai.tool.name'] ?? record.event;
  const lines = [`# ${code(name)}: ${record.outcome ?? record.event}`, ''];
  const who = record['gen_ai.agent.id'] ?? record['user.id'];
  lines.push(
    `${code(record.actor ?? 'somebody')}${who === undefined ? '' : ` (${code(who)})`}, profile ${code(record.profile ?? '')}, mode ${code(record.mode ?? '')}, risk ${code(record.risk ?? '')}, ${when(record.time)}.`,
  );
  if (record['error.message'] !== undefined) lines.push('', `Told: ${prose(record['error.message'])}`);
  if (record['approval.by'] !== undefined) {
    const waited = record['approval.waited_ms'];
    const verb = record.outcome === 'denied' ? 'Denied' : 'Allowed';
    lines.push(
      '',
      `${verb} by ${answerer(record['approval.by'])}${waited === undefined ? '' : ` after ${duration(waited)}`}.`,
    );
  }
  if (record.accesses?.length)
    lines.push('', '## Touched', '', ...record.accesses.map((access) => `- ${code(describeAccess(access))}`));
  const steps = stepsOf(record);
  if (steps.length > 0) lines.push('', '## Steps of the gate', '');
  steps.forEach((step, at) => {
    lines.push(
      `${at + 1}. **${step.step}**: ${step.effect}${step.error === undefined ? '' : ` (${code(step.error)})`}`,
    );
    for (const reason of step.reasons ?? []) {
      const rule = reason.rule === undefined ? '' : ` by ${code(reason.rule)}`;
      lines.push(`   - ${prose(reason.text)}${rule}${standing(reason)}`);
    }
    if (step.waived?.length) lines.push(`   - waived by ${step.waived.map(code).join(', ')}`);
  });
  return `${lines.join('\n')}\n`;
}

/** What is noted only, and why. */
function standing({ advisory, advice, rule }: { advisory?: boolean; advice?: boolean; rule?: string }): string {
  if (!advisory || rule?.startsWith('plan:')) return '';
  return advice ? ', which only advises' : ', on trial only';
}

/** A name of the log as code, and what has words in them. */
function answerer(by: string): string {
  const words = answererWord(by, plainWords);
  return words === by ? code(by) : prose(words);
}

const prose = (text: string): string => proseMarkdown(visibleText(text).text);

/** A text in one line as a code span, and a dash for none. */
export function code(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat === '' ? '—' : codeSpan(flat);
}
