import { worded } from '../base/sentence';
import { type Access, describeAccess } from '../vocabulary/access';
import type { GatePreview } from '../call/gateCall';
import type { Boundary } from '../vocabulary/boundary';
import type { CompiledRule } from '../policy/rules/compile';
import { compareRules, fires, type PolicyDecision } from '../policy/rules/decide';
import type { PolicyEngine } from '../policy/rules/engine';
import { ruleWords } from '../vocabulary/ruleWords';
import { accessFacts, type PolicySubject } from '../policy/rules/subject';
import type { RegisteredTool } from '../registry/registry';
import type { ActorType, RiskLevel } from '../vocabulary/toolDefinition';
import type { CallExplanation, RuleExplanation } from '../ports/governance';
import type { Effect } from '../vocabulary/decision';

/**
 * The rules that fired for a subject, and those that missed by one clause. Rules that missed by more say nothing about
 * the call.
 */
export function explainRules(
  rules: Iterable<CompiledRule>,
  subject: PolicySubject,
  waivedBy: readonly string[] = [],
  notesOf: (rule: CompiledRule) => readonly string[] = () => [],
): readonly RuleExplanation[] {
  const out: { rule: CompiledRule; row: RuleExplanation }[] = [];
  for (const rule of rules) {
    const { boundary } = rule;
    const add = (outcome: RuleExplanation['outcome'], failed: readonly string[] = []): void => {
      const notes = notesOf(rule);
      const { scope, decision } = boundary;
      const { id, reason } = ruleWords(boundary, rule.reasonFor(subject));
      out.push({
        rule,
        row: { id, scope, decision, reason: worded(reason), outcome, failed, ...(notes.length > 0 ? { notes } : {}) },
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
      add('nearly', [`${failed[0]}: ${brief(rule.match[failed[0] ?? 'tool'])}`]);
  }
  return out.sort((a, b) => compareRules(a.rule, b.rule)).map((one) => one.row);
}

const mostShown = 3;

/** What a clause wants, in one line: of a long list the first few. */
function brief(value: unknown): string {
  if (!Array.isArray(value) || value.length <= mostShown) return JSON.stringify(value) ?? 'nothing';
  const first = value.slice(0, mostShown).map((one: unknown) => JSON.stringify(one));
  return `${first.join(', ')} and ${value.length - mostShown} more`;
}

/** Explains a call from the gate's preview: each step, the rules that fired and those that nearly did. */
export function explainCall(
  tool: string,
  preview: GatePreview,
  rules: Iterable<CompiledRule>,
  subject: PolicySubject | undefined,
  notesOf?: (rule: CompiledRule, subject: PolicySubject) => readonly string[],
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
      reasons: reasons.map(({ said, rule }) => ({ text: worded(said), ...(rule === undefined ? {} : { rule }) })),
    })),
    rules: subject ? explainRules(rules, subject, waivedBy, (rule) => notesOf?.(rule, subject) ?? []) : [],
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
    lines.push(
      `1. **${step}**: ${effect}${reasons.length === 0 ? '' : ` (${reasons.map((one) => one.text).join('; ')})`}`,
    );
  if (explanation.effect === 'deny') lines.push('', 'The steps after a denial are not judged.');
  lines.push('', '## Rules', '');
  if (explanation.rules.length === 0) lines.push('no rule matched or nearly matched');
  // What decided comes first; what nearly did is for whoever wonders why another rule did not.
  const ordered = [...explanation.rules].sort(
    (a, b) => Number(a.outcome === 'nearly') - Number(b.outcome === 'nearly'),
  );
  for (const rule of ordered) {
    lines.push(`- \`${rule.id}\` (${rule.scope}, ${rule.decision}) ${outcomeWords(rule)}: ${rule.reason}`);
    for (const note of rule.notes ?? []) lines.push(`  - ${note}`);
  }
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

/** One past call: what it touched, as the audit keeps it, and what it carried, where this window still remembers it. */
export interface PastCall {
  readonly invocationId: string;
  readonly time: number;
  readonly toolId: string;
  readonly toolName: string;
  readonly capabilityId: string;
  readonly riskLevel: RiskLevel;
  readonly actor: { readonly type: ActorType };
  readonly accesses: readonly Access[];
  /** Left out where the arguments are not known any more. */
  readonly arguments?: { readonly input: unknown };
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

/** A past call that a changed policy might judge otherwise, depending on arguments that nobody knows any more. */
interface UndecidedCall {
  readonly invocationId: string;
  readonly time: number;
  readonly tool: string;
  /** The rules that ask about arguments. */
  readonly because: readonly string[];
}

export interface Simulation {
  readonly changes: readonly SimulatedChange[];
  readonly undecided: readonly UndecidedCall[];
}

/**
 * What a past call looks like to rules; `unknown` says how clauses about arguments are taken where these are not known.
 */
function pastSubject(call: PastCall, unknown: 'strict' | 'loose'): PolicySubject {
  const definition = call.tool?.definition;
  return {
    capabilityId: call.capabilityId,
    capabilityAliases: call.tool?.capability.aliases ?? [],
    tool: {
      id: call.toolId,
      names: [call.toolName, ...(definition ? [definition.name, ...(definition.aliases ?? [])] : [])],
    },
    sideEffects: definition?.sideEffects ?? [...new Set(call.accesses.map((one) => one.effect))],
    costClass: definition?.costClass ?? 'free',
    riskLevel: call.riskLevel,
    ...(call.tool ? { source: call.tool.source.type } : {}),
    actor: call.actor.type,
    ...(call.arguments ? { input: call.arguments.input } : { unknownArguments: unknown }),
    accesses: call.accesses.map((access) => accessFacts(access)),
    requires: call.tool?.capability.composed?.requires ?? call.tool?.capability.requires ?? [],
  };
}

/**
 * Judges past calls by the boundaries in force and by changed ones, and answers those whose verdict differs. Pure:
 * nothing is recorded. A call whose arguments are not known is judged twice, as if every clause about arguments matched
 * and as if none did; where that leaves the answer open, the call is `undecided` and never counted as unchanged.
 */
export function simulate(calls: readonly PastCall[], before: PolicyEngine, after: PolicyEngine): Simulation {
  const changes: SimulatedChange[] = [];
  const undecided: UndecidedCall[] = [];
  for (const call of calls) {
    const row = { invocationId: call.invocationId, time: call.time, tool: call.toolName };
    const strict = judgedTwice(pastSubject(call, 'strict'), before, after);
    const loose = call.arguments ? strict : judgedTwice(pastSubject(call, 'loose'), before, after);
    const isCertain = strict.old.effect === loose.old.effect && strict.now.effect === loose.now.effect;
    if (isCertain) {
      if (strict.old.effect === strict.now.effect) continue;
      changes.push({
        ...row,
        before: strict.old.effect,
        after: strict.now.effect,
        because: difference(strict.old, strict.now),
      });
      continue;
    }
    const [asks, wouldAsk] = [argumentRules(before, call), argumentRules(after, call)];
    // Where both policies ask the same about arguments, whatever these were counts for both alike.
    const isSame = JSON.stringify(asks) === JSON.stringify(wouldAsk);
    if (isSame && strict.old.effect === strict.now.effect && loose.old.effect === loose.now.effect) continue;
    undecided.push({ ...row, because: [...new Set([...asks, ...wouldAsk].map((rule) => rule.id))].sort() });
  }
  return { changes, undecided };
}

function judgedTwice(
  subject: PolicySubject,
  before: PolicyEngine,
  after: PolicyEngine,
): { old: PolicyDecision; now: PolicyDecision } {
  return { old: before.decide(subject), now: after.decide(subject) };
}

function difference(old: PolicyDecision, now: PolicyDecision): readonly string[] {
  const [known, added] = [new Set(enforced(old)), new Set(enforced(now))];
  const gone = [...known].filter((rule) => !added.has(rule)).map((rule) => `without ${rule}`);
  return [...[...added].filter((rule) => !known.has(rule)), ...gone];
}

/** The rules that would decide by arguments about a call, and only by them: all their other clauses match. */
function argumentRules(policy: PolicyEngine, call: PastCall): readonly Boundary[] {
  return policy
    .rules()
    .filter(
      (rule) =>
        rule.match.argument !== undefined && fires(rule, pastSubject(call, rule.isLoosening ? 'loose' : 'strict')),
    )
    .sort(compareRules)
    .map((rule) => rule.boundary);
}

/** The ids of the rules that decided, without those that only advise or are on trial. */
const enforced = (decision: PolicyDecision): readonly string[] =>
  decision.reasons.flatMap((one) => (one.rule !== undefined && !one.advisory ? [one.rule] : []));
