import { worded } from '../base/sentence';
import { clauseText, explainRules } from '../explain/explain';
import { sketchText } from '../policy/cases/sketchSubject';
import type { CompiledRule } from '../policy/rules/compile';
import type { PolicyCase } from './caseFile';
import type { JudgedCase, Verdict } from './judgeCase';

/** What a case expects, as its file says it: `deny by no-keys`. */
export function expectedText({ effect, rule, step }: PolicyCase['expect']): string {
  return `${effect}${rule === undefined ? '' : ` by ${rule}`}${step === undefined ? '' : ` at step ${step}`}`;
}

function verdictText({ effect, rules, steps }: Verdict): string {
  const by = rules.length === 0 ? (effect === 'pass' ? '; no rule speaks for it' : '') : ` by ${rules.join(', ')}`;
  return `${effect}${by}${steps.length === 0 ? '' : ` at step ${steps.join(', ')}`}`;
}

const effectOrder = ['pass', 'ask', 'deny'];

/** How many rules that nearly spoke are named. */
const mostNearly = 3;

/** Why a case failed, line by line: the call, what was expected, what decided instead, and what nearly did. */
export function failureLines(judged: JudgedCase, rules: readonly CompiledRule[]): readonly string[] {
  const { case: one, verdict, fault, subject, answers } = judged;
  const lines = [`call      ${sketchText(one)}${one.mode === undefined ? '' : ` in mode ${one.mode}`}`];
  lines.push(`expected  ${expectedText(one.expect)}`);
  if (fault !== undefined) return [...lines, `but       it cannot be judged: ${worded(fault)}`];
  lines.push(`but got   ${verdictText(verdict)}`);
  for (const { step, reasons } of answers)
    if (verdict.steps.includes(step)) for (const { said } of reasons) lines.push(`because   ${step}: ${worded(said)}`);
  if (!subject) return lines;
  lines.push(
    `touches   ${subject.accesses.map(({ access }) => `${access.effect} ${access.resource}`).join(', ') || 'nothing'}`,
  );
  const { rule: wanted } = one.expect;
  if (wanted !== undefined && !rules.some(({ boundary }) => boundary.id === wanted))
    return [...lines, `there is no rule ${wanted} in force`];
  // Where a call was to get through, what nearly stopped it is no matter.
  const strict = effectOrder.indexOf(one.expect.effect) < effectOrder.indexOf(verdict.effect);
  const nearly = explainRules(rules, subject)
    .filter(({ id, outcome, scope }) =>
      wanted === undefined
        ? !strict && outcome !== 'fired' && scope !== 'builtin'
        : id === wanted && outcome !== 'fired',
    )
    .slice(0, mostNearly);
  for (const { id, outcome, failed } of nearly)
    lines.push(outcome === 'nearly' ? `nearly    ${id}: ${failed.map(clauseText).join(', ')}` : `${id} is ${outcome}`);
  if (wanted !== undefined && nearly.length === 0 && !verdict.rules.includes(wanted))
    lines.push(`${wanted} misses by more than one clause`);
  return lines;
}
