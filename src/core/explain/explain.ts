import { defined } from '../base/json';
import { isToldBy } from '../vocabulary/toldOnce';
import { codeWord } from '../vocabulary/codeWord';
import { codeSpan, plainMarkdown, proseMarkdown } from '../base/markdown';
import { type Sentence, worded } from '../base/sentence';
import { plainWords, type Translate } from '../base/translate';
import { actionSaid } from '../vocabulary/access';
import type { GatePreview } from '../call/gateCall';
import type { CompiledRule } from '../policy/rules/compile';
import { compareRules, fires } from '../policy/rules/decide';
import { sourceSaid } from '../flow/story';
import { flowLabels } from '../vocabulary/flow';
import { ruleWords } from '../vocabulary/ruleWords';
import { reasonWords } from '../vocabulary/reasonWords';
import { stepMarkdown } from '../vocabulary/stepWords';
import type { PolicySubject } from '../policy/rules/subject';
import type { CallExplanation, FailedClause, RuleExplanation } from '../ports/governance';

/** A person reads what is said in their language, models and programs in English with the marks for them. */
export const wordsFor = (person: Translate | undefined): ((said: Sentence) => string) =>
  person ? (said) => reasonWords(said, person) : (said) => worded(said);

/**
 * The rules that fired for a subject, and those that missed by one clause. Rules that missed by more say nothing about
 * the call.
 * @param person the language of the person who reads it; models and programs have none.
 */
export function explainRules(
  rules: Iterable<CompiledRule>,
  subject: PolicySubject,
  waivedBy: readonly string[] = [],
  notesOf: (rule: CompiledRule) => readonly Sentence[] = () => [],
  person?: Translate,
): readonly RuleExplanation[] {
  const out: { rule: CompiledRule; row: RuleExplanation }[] = [];
  const t = person ?? plainWords;
  const words = wordsFor(person);
  for (const rule of rules) {
    const { boundary } = rule;
    const add = (outcome: RuleExplanation['outcome'], failed: RuleExplanation['failed'] = []): void => {
      const notes = notesOf(rule).map(words);
      const { scope, decision } = boundary;
      const { id, reason } = ruleWords(boundary, rule.reasonFor(subject));
      const row = { id, scope, decision, reason: words(reason), outcome, failed };
      out.push({ rule, row: notes.length > 0 ? { ...row, notes } : row });
    };
    if (fires(rule, subject)) {
      if (boundary.severity === 'soft') add('on-trial');
      else if (boundary.waivable && boundary.decision === 'require_approval' && waivedBy.length > 0) add('waived');
      else add('fired');
      continue;
    }
    const clauses = rule.clauses(subject);
    const failed = clauses.filter((one) => !one.matched).map((one) => one.clause);
    const [clause] = failed;
    if (clause === undefined && rule.isException(subject)) add('excepted');
    else if (clause === undefined && clauses.length > 0)
      add('nearly', [{ words: t('no single access matches all of its clauses') }]);
    else if (clause !== undefined && failed.length === 1 && clauses.length > 1 && !rule.isException(subject))
      add('nearly', [{ clause, wants: brief(boundary.match[clause], t) }]);
  }
  return out.sort((a, b) => compareRules(a.rule, b.rule)).map((one) => one.row);
}

const mostShown = 3;

/** What a clause wants, in one line: of a long list the first few. */
function brief(value: unknown, t: Translate): string {
  if (!Array.isArray(value) || value.length <= mostShown) return JSON.stringify(value) ?? 'nothing';
  const first = value.slice(0, mostShown).map((one: unknown) => JSON.stringify(one));
  return t('{0} and {1} more', first.join(', '), value.length - mostShown);
}

/**
 * Explains a call from the gate's preview: each step, the rules that fired and those that nearly did.
 * @param person the language of the person who reads it; models and programs have none.
 */
export function explainCall(
  tool: string,
  preview: GatePreview,
  rules: Iterable<CompiledRule>,
  subject: PolicySubject | undefined,
  notesOf?: (rule: CompiledRule, subject: PolicySubject) => readonly Sentence[],
  person?: Translate,
): CallExplanation {
  const waivedBy = preview.steps.flatMap((step) => step.waivedBy ?? []);
  const { flow } = preview.call ?? {};
  const words = wordsFor(person);
  const isTold = (reason: Sentence): boolean => preview.said !== undefined && isToldBy(preview.said, reason);
  const labels = flowLabels.flatMap((label) => {
    const sources = flow?.[label] ?? [];
    return sources.length === 0 ? [] : [{ label, readBy: sources.map((one) => words(sourceSaid(one))) }];
  });
  return {
    tool,
    ...(preview.toolId === undefined ? {} : { toolId: preview.toolId }),
    effect: preview.effect,
    accesses: preview.accesses.map(({ effect, resource }) => ({ effect, resource })),
    steps: preview.steps.map(({ step, effect, reasons }) => ({
      step,
      effect,
      reasons: reasons.map(({ said, rule }) =>
        defined({ text: words(said), rule, isTold: (effect === 'deny' && isTold(said)) || undefined }),
      ),
    })),
    rules: subject ? explainRules(rules, subject, waivedBy, (rule) => notesOf?.(rule, subject) ?? [], person) : [],
    ...(labels.length > 0 ? { labels } : {}),
    ...(preview.error ? { message: preview.said ? words(preview.said) : preview.error.message } : {}),
  };
}

/**
 * An explanation as markdown for people. What others wrote can mark nothing up: patterns and what stands in backticks
 * become code, everything else is shown as it is.
 * @param shown how sentences are written; a terminal takes them without the marks of markdown.
 */
export function explanationText(
  explanation: CallExplanation,
  t: Translate,
  shown: (text: string) => string = proseMarkdown,
): string {
  const tool = codeSpan(explanation.tool);
  const verdict = {
    pass: t('{0} may run', tool),
    ask: t('{0} asks a person first', tool),
    deny: t('{0} is denied', tool),
  };
  const lines = [`# ${verdict[explanation.effect]}`, ''];
  if (explanation.expected !== undefined) lines.push(t('Expected: {0}', codeSpan(explanation.expected)), '');
  if (explanation.message !== undefined) lines.push(`> ${shown(explanation.message)}`, '');
  lines.push(
    `## ${t('Accesses')}`,
    '',
    ...(explanation.accesses.length === 0 ? [t('none')] : explanation.accesses.map((one) => `- ${accessLine(one, t)}`)),
    '',
    `## ${t('Steps')}`,
    '',
  );
  for (const step of explanation.steps) {
    // Where one is left that was not told, all stand: it would read as if that alone denied.
    const isAllTold = step.reasons.every(({ isTold }) => isTold);
    const reasons = isAllTold ? '' : step.reasons.map(({ text }) => shown(text)).join('; ');
    lines.push(`1. ${stepMarkdown(step, t)}${reasons === '' ? '' : ` (${reasons})`}`);
  }
  if (explanation.effect === 'deny') lines.push('', t('The steps after a denial are not judged.'));
  lines.push('', `## ${t('Rules')}`, '');
  if (explanation.rules.length === 0) lines.push(t('no rule matched or nearly matched'));
  // What decided comes first; what nearly did is for whoever wonders why another rule did not.
  const ordered = [...explanation.rules].sort(
    (a, b) => Number(a.outcome === 'nearly') - Number(b.outcome === 'nearly'),
  );
  for (const rule of ordered) {
    const scope = codeWord('ruleScope', rule.scope, t) ?? rule.scope;
    const kind = `${scope}, ${codeWord('decision', rule.decision, t) ?? rule.decision}`;
    const head = `- ${codeSpan(rule.id)} (${plainMarkdown(kind)})`;
    lines.push(`${head} ${outcomeWords(rule, t)}: ${shown(rule.reason)}`);
    for (const note of rule.notes ?? []) lines.push(`  - ${shown(note)}`);
  }
  if (explanation.labels) lines.push('', `## ${t('Labels of the session that called last')}`, '');
  for (const { label, readBy } of explanation.labels ?? []) {
    lines.push(`- **${label === 'private' ? t('private') : t('untrusted')}**`);
    for (const source of readBy) lines.push(`  - ${shown(source)}`);
  }
  return `${lines.join('\n')}\n`;
}

const accessLine = ({ effect, resource }: CallExplanation['accesses'][number], t: Translate): string =>
  worded(actionSaid(effect, resource === '' ? '' : codeSpan(resource), plainMarkdown(effect)), t);

/** What a rule did about the call: it fired, was skipped, was waived, or nearly fired. */
export function outcomeWords(rule: RuleExplanation, t: Translate): string {
  return {
    fired: t('fired'),
    'on-trial': t('fired, on trial only'),
    excepted: t('was skipped: the call is one of its exceptions'),
    waived: t('was waived by an allow'),
    nearly: t('nearly fired; what failed: {0}', rule.failed.map(clauseMarkdown).join(', ')),
  }[rule.outcome];
}

/** `path: "a/**", "b"`, with its values as code. */
const clauseMarkdown = (failed: FailedClause): string =>
  'words' in failed ? proseMarkdown(failed.words) : `${failed.clause}: ${codeSpan(failed.wants)}`;

/** The same as it stands in a line of a terminal. */
export const clauseText = (failed: FailedClause): string =>
  'words' in failed ? failed.words : `${failed.clause}: ${failed.wants}`;
