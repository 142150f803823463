import { describeAccess } from './access';
import type { GateCall, GatePreview } from './gate/types';
import type { Boundary } from './policy/boundary';
import type { CompiledRule } from './policy/compile';
import { compareRules, fires } from './policy/decide';
import type { PolicySubject } from './policy/subject';
import { subjectOf } from './policy/subject';
import type { CallExplanation, RuleExplanation } from './ports/governance';

/** The rules that fired for a subject, and those that missed by one clause. Rules that missed by more say nothing about the call. */
export function explainRules(
  rules: Iterable<CompiledRule>,
  subject: PolicySubject,
  waivedBy: readonly string[] = [],
): readonly RuleExplanation[] {
  const out: { rule: CompiledRule; row: RuleExplanation }[] = [];
  for (const rule of rules) {
    const { boundary } = rule;
    const add = (outcome: RuleExplanation['outcome'], failed: readonly string[] = []): void => {
      out.push({
        rule,
        row: { id: boundary.id, scope: boundary.scope, decision: boundary.decision, reason: boundary.reason, outcome, failed },
      });
    };
    if (fires(rule, subject)) {
      if (boundary.severity === 'soft') add('on-trial');
      else if (boundary.waivable && boundary.decision === 'require_approval' && waivedBy.length > 0) add('waived');
      else add('fired');
      continue;
    }
    const clauses = rule.clauses(subject);
    const failed = clauses.filter((one) => !one.matched).map((one) => one.clause);
    if (failed.length === 0 && rule.isException(subject)) add('excepted');
    else if (failed.length === 0 && clauses.length > 0) add('nearly', ['no single access matches all of its clauses']);
    else if (failed.length === 1 && clauses.length > 1 && !rule.isException(subject))
      add('nearly', [`${failed[0]}: ${JSON.stringify(rule.match[failed[0] ?? 'tool'])}`]);
  }
  return out.sort((a, b) => compareRules(a.rule, b.rule)).map((one) => one.row);
}

/** Explains a call from the gate's preview: each step, the rules that fired and those that nearly did. */
export function explainCall(
  tool: string,
  preview: GatePreview,
  rules: Iterable<CompiledRule>,
  subject: PolicySubject | undefined,
): CallExplanation {
  const waivedBy = preview.steps.flatMap((step) => step.waivedBy ?? []);
  return {
    tool,
    ...(preview.toolId === undefined ? {} : { toolId: preview.toolId }),
    effect: preview.effect,
    accesses: preview.accesses.map(({ effect, resource }) => ({ effect, resource })),
    steps: preview.steps.map(({ step, effect, reasons }) => ({
      step,
      effect,
      reasons: reasons.map(({ text, rule }) => ({ text, ...(rule === undefined ? {} : { rule }) })),
    })),
    rules: subject ? explainRules(rules, subject, waivedBy) : [],
    ...(preview.error ? { message: preview.error.message } : {}),
  };
}

const verdictWords = { pass: 'may run', ask: 'asks a person first', deny: 'is denied' } as const;

/** An explanation as markdown for people. */
export function explanationText(explanation: CallExplanation): string {
  const lines = [`# \`${explanation.tool}\` ${verdictWords[explanation.effect]}`, ''];
  if (explanation.message !== undefined) lines.push(`> ${explanation.message}`, '');
  lines.push(
    '## Accesses',
    '',
    ...(explanation.accesses.length === 0 ? ['none'] : explanation.accesses.map((one) => `- ${describeAccess(one)}`)),
    '',
    '## Steps',
    '',
  );
  for (const { step, effect, reasons } of explanation.steps)
    lines.push(`1. **${step}**: ${effect}${reasons.length === 0 ? '' : ` (${reasons.map((one) => one.text).join('; ')})`}`);
  lines.push('', '## Rules', '');
  if (explanation.rules.length === 0) lines.push('no rule matched or nearly matched');
  for (const rule of explanation.rules)
    lines.push(`- \`${rule.id}\` (${rule.scope}, ${rule.decision}) ${outcomeWords(rule)}: ${rule.reason}`);
  return `${lines.join('\n')}\n`;
}

function outcomeWords(rule: RuleExplanation): string {
  switch (rule.outcome) {
    case 'fired':
      return 'fired';
    case 'on-trial':
      return 'fired, on trial only';
    case 'excepted':
      return 'was skipped: the call is one of its exceptions';
    case 'waived':
      return 'was waived by an allow';
    case 'nearly':
      return `nearly fired; what failed: ${rule.failed.join(', ')}`;
  }
}

/** One past call as the audit holds it. */
export interface PastCall {
  readonly invocationId: string;
  readonly tool: string;
  readonly call: GateCall;
}

/** How a changed policy would have judged a past call. */
export interface SimulatedChange {
  readonly invocationId: string;
  readonly tool: string;
  readonly before: 'pass' | 'ask' | 'deny';
  readonly after: 'pass' | 'ask' | 'deny';
  /** The rules that make the difference. */
  readonly because: readonly string[];
}

/** Judges past calls by the old and the new boundaries and answers those whose verdict differs. */
export function simulate(
  calls: readonly PastCall[],
  before: (subject: PolicySubject) => { readonly effect: 'pass' | 'ask' | 'deny'; readonly rules: readonly string[] },
  after: (subject: PolicySubject) => { readonly effect: 'pass' | 'ask' | 'deny'; readonly rules: readonly string[] },
): readonly SimulatedChange[] {
  return calls.flatMap(({ invocationId, tool, call }): SimulatedChange[] => {
    const subject = subjectOf(call, call.accesses);
    const [old, now] = [before(subject), after(subject)];
    if (old.effect === now.effect) return [];
    const known = new Set(old.rules);
    const added = now.rules.filter((rule) => !known.has(rule));
    const gone = old.rules.filter((rule) => !now.rules.includes(rule)).map((rule) => `without ${rule}`);
    return [{ invocationId, tool, before: old.effect, after: now.effect, because: [...added, ...gone] }];
  });
}

/** The boundaries in the order in which people read them: strongest scope first. */
export function orderedBoundaries(rules: readonly CompiledRule[]): readonly Boundary[] {
  return [...rules].sort(compareRules).map((rule) => rule.boundary);
}
