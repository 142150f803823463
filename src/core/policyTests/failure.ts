import { plainWords, type Translate } from '../base/translate';
import { clauseText, explainRules, outcomeWords, wordsFor } from '../explain/explain';
import { sketchText } from '../policy/cases/sketchSubject';
import type { CompiledRule } from '../policy/rules/compile';
import type { PolicyCase } from './caseFile';
import type { JudgedCase, Verdict } from './judgeCase';

/** What a case expects: `deny by no-keys`, with the words of its file for what becomes of the call. */
export function expectedText({ effect, rule, step }: PolicyCase['expect'], t: Translate): string {
  const by = rule === undefined ? effect : t('{0} by {1}', effect, rule);
  return step === undefined ? by : t('{0} at step {1}', by, step);
}

function verdictText({ effect, rules, steps }: Verdict, t: Translate): string {
  const decided = expectedText({ effect, ...(rules.length === 0 ? {} : { rule: rules.join(', ') }) }, t);
  if (steps.length > 0) return t('{0} at step {1}', decided, steps.join(', '));
  return effect === 'pass' && rules.length === 0 ? t('{0}; no rule speaks for it', decided) : decided;
}

const effectOrder = ['pass', 'ask', 'deny'];

/** How many rules that nearly spoke are named. */
const mostNearly = 3;

/**
 * Why a case failed, line by line: the call, what was expected, what decided instead, and what nearly did.
 * @param person the language of the person who reads it; reports for terminals and programs have none.
 */
export function failureLines(
  judged: JudgedCase,
  rules: readonly CompiledRule[],
  person?: Translate,
): readonly string[] {
  const { case: one, verdict, fault, subject, answers } = judged;
  const t = person ?? plainWords;
  const words = wordsFor(person);
  const call = sketchText(one);
  const lines = [
    t('call      {0}', one.mode === undefined ? call : t('{0} in mode {1}', call, one.mode)),
    t('expected  {0}', expectedText(one.expect, t)),
  ];
  if (fault !== undefined) return [...lines, t('but       it cannot be judged: {0}', words(fault))];
  lines.push(t('but got   {0}', verdictText(verdict, t)));
  for (const { step, reasons } of answers)
    if (verdict.steps.includes(step))
      for (const { said } of reasons) lines.push(t('because   {0}: {1}', step, words(said)));
  if (!subject) return lines;
  const touched = subject.accesses.map(({ access }) => `${access.effect} ${access.resource}`).join(', ');
  lines.push(t('touches   {0}', touched || t('nothing')));
  const { rule: wanted } = one.expect;
  if (wanted !== undefined && !rules.some(({ boundary }) => boundary.id === wanted))
    return [...lines, t('there is no rule {0} in force', wanted)];
  // Where a call was to get through, what nearly stopped it is no matter.
  const strict = effectOrder.indexOf(one.expect.effect) < effectOrder.indexOf(verdict.effect);
  const nearly = explainRules(rules, subject, [], undefined, person)
    .filter(({ id, outcome, scope }) =>
      wanted === undefined
        ? !strict && outcome !== 'fired' && scope !== 'builtin'
        : id === wanted && outcome !== 'fired',
    )
    .slice(0, mostNearly);
  for (const rule of nearly)
    lines.push(
      rule.outcome === 'nearly'
        ? t('nearly    {0}: {1}', rule.id, rule.failed.map(clauseText).join(', '))
        : `${rule.id} ${outcomeWords(rule, t)}`,
    );
  if (wanted !== undefined && nearly.length === 0 && !verdict.rules.includes(wanted))
    lines.push(t('{0} misses by more than one clause', wanted));
  return lines;
}
