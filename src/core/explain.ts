import { type Access, describeAccess } from './access';
import type { Effect, GatePreview } from './gate/types';
import type { CompiledRule } from './policy/compile';
import { compareRules, fires, type PolicyDecision } from './policy/decide';
import type { PolicyEngine } from './policy/engine';
import { accessFacts, type PolicySubject } from './policy/subject';
import type { RegisteredTool } from './registry';
import type { ActorType, RiskLevel } from './tool';
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

/** One past call, as far as the audit keeps it: what it touched, never what it carried, so clauses about arguments do not match it. */
export interface PastCall {
  readonly invocationId: string;
  readonly time: number;
  readonly toolId: string;
  readonly toolName: string;
  readonly capabilityId: string;
  readonly riskLevel: RiskLevel;
  readonly actor: { readonly type: ActorType };
  readonly accesses: readonly Access[];
  /** The tool where it still exists; its side effects, cost and source count then. */
  readonly tool?: RegisteredTool;
}

/** How a changed policy would have judged a past call. */
export interface SimulatedChange {
  readonly invocationId: string;
  readonly time: number;
  readonly tool: string;
  readonly before: Effect;
  readonly after: Effect;
  /** The rules that make the difference; `without …` for those that are gone. */
  readonly because: readonly string[];
}

/** What a past call looks like to rules. */
export function pastSubject(call: PastCall): PolicySubject {
  const definition = call.tool?.definition;
  return {
    capabilityId: call.capabilityId,
    capabilityAliases: call.tool?.capability.aliases ?? [],
    tool: { id: call.toolId, names: [call.toolName, ...(definition ? [definition.name, ...(definition.aliases ?? [])] : [])] },
    sideEffects: definition?.sideEffects ?? [...new Set(call.accesses.map((one) => one.effect))],
    costClass: definition?.costClass ?? 'free',
    riskLevel: call.riskLevel,
    ...(call.tool ? { source: call.tool.source.type } : {}),
    actor: call.actor.type,
    accesses: call.accesses.map(accessFacts),
    requires: call.tool?.capability.composed?.requires ?? call.tool?.capability.requires ?? [],
  };
}

/** Judges past calls by the boundaries in force and by changed ones, and answers those whose verdict differs. Pure: nothing is recorded. */
export function simulate(calls: readonly PastCall[], before: PolicyEngine, after: PolicyEngine): readonly SimulatedChange[] {
  return calls.flatMap((call): SimulatedChange[] => {
    const subject = pastSubject(call);
    const [old, now] = [before.decide(subject), after.decide(subject)];
    if (old.effect === now.effect) return [];
    const [known, added] = [new Set(enforced(old)), new Set(enforced(now))];
    const gone = [...known].filter((rule) => !added.has(rule)).map((rule) => `without ${rule}`);
    const because = [...[...added].filter((rule) => !known.has(rule)), ...gone];
    return [{ invocationId: call.invocationId, time: call.time, tool: call.toolName, before: old.effect, after: now.effect, because }];
  });
}

/** The ids of the rules that decided, without those that only advise or are on trial. */
const enforced = (decision: PolicyDecision): readonly string[] =>
  decision.reasons.flatMap((one) => (one.rule !== undefined && !one.advisory ? [one.rule] : []));
