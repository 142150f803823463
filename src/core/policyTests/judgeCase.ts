import { defined } from '../base/json';
import { SaidError, saidBy, say, type Sentence } from '../base/sentence';
import type { GateCall, GatePreview, Invocation } from '../call/gateCall';
import { openAsks } from '../gate/steps';
import { sketchedActor, sketchSubject, type SketchWorld } from '../policy/cases/sketchSubject';
import type { PolicyEngine } from '../policy/rules/engine';
import { type PolicySubject, subjectOf } from '../policy/rules/subject';
import { decidingRules, type Effect, type GateStep, type StepAnswer } from '../vocabulary/decision';
import type { PolicyCase } from './caseFile';

/** What becomes of a call, and who decided it. */
export interface Verdict {
  readonly effect: Effect;
  /** The steps that denied or asked; empty where the call may run. */
  readonly steps: readonly GateStep[];
  /** The rules that decided; where the call may run, those that let it or only advise. */
  readonly rules: readonly string[];
}

/** A case that was judged once; other rules can be held against it without asking its tool again. */
export interface JudgedCase {
  readonly case: PolicyCase;
  readonly answers: readonly StepAnswer[];
  readonly verdict: Verdict;
  /** The call as rules see it; undefined where it was denied before anybody knew what it touches. */
  readonly subject?: PolicySubject;
  readonly call?: GateCall;
  /** Why it could not be judged at all: an unknown profile or tool. Such a case has failed. */
  readonly fault?: Sentence;
}

/** What cases are judged by. */
export interface CaseWorld extends SketchWorld {
  readonly policy: PolicyEngine;
  /** The gate's preview under a profile, the active one where none is named. Throws a SaidError for an unknown one. */
  preview(profile: string | undefined, invocation: Invocation): Promise<GatePreview>;
}

const unjudged: Verdict = { effect: 'deny', steps: [], rules: [] };

/** Judges a case by the whole gate; one that says itself what it touches, by the rules alone. */
export async function judgeCase(one: PolicyCase, world: CaseWorld): Promise<JudgedCase> {
  try {
    if (one.tool === undefined || one.input === undefined || one.accesses !== undefined) {
      const subject = await sketchSubject(one, world);
      const answers = [boundaryAnswer(world.policy, subject)];
      return { case: one, answers, verdict: verdictOf(answers), subject };
    }
    const preview = await world.preview(one.profile, {
      tool: one.tool,
      input: one.input,
      actor: sketchedActor(one.actor),
      surface: 'cli',
      ...defined({ mode: one.mode, labels: one.labels }),
    });
    const { steps: answers, call } = preview;
    // A misspelled name would be denied too, and its case would pass for ever.
    const [first] = answers;
    if (first?.step === 'find' && first.effect === 'deny' && one.expect.step !== 'find')
      throw new SaidError(first.reasons[0]?.said ?? say('sketch_tool_unknown', one.tool));
    const known = call === undefined ? {} : { call, subject: subjectOf(call, call.accesses) };
    return { case: one, answers, verdict: verdictOf(answers), ...known };
  } catch (error) {
    return { case: one, answers: [], verdict: unjudged, fault: saidBy(error) };
  }
}

function boundaryAnswer(policy: PolicyEngine, subject: PolicySubject): StepAnswer {
  const { effect, reasons, waivedBy } = policy.decide(subject);
  return { step: 'boundaries', effect, reasons, ...(waivedBy.length > 0 ? { waivedBy } : {}) };
}

/** What becomes of a judged case under other rules; all other steps stay as they were. */
export function verdictUnder(policy: PolicyEngine, { answers, call, subject, verdict }: JudgedCase): Verdict {
  if (!subject) return verdict;
  return verdictOf(
    answers.map((answer) => {
      if (answer.step !== 'boundaries') return answer;
      return call ? policy.judge(call, call.accesses) : boundaryAnswer(policy, subject);
    }),
  );
}

function verdictOf(answers: readonly StepAnswer[]): Verdict {
  const denied = answers.filter(({ effect }) => effect === 'deny');
  if (denied.length > 0) {
    const rules = new Set(denied.flatMap(({ reasons }) => decidingRules(reasons)));
    return { effect: 'deny', steps: denied.map(({ step }) => step), rules: [...rules] };
  }
  const open = openAsks(answers);
  if (open.length > 0) {
    const asks = ({ effect, reasons }: StepAnswer): boolean =>
      effect === 'ask' && reasons.some((one) => open.includes(one));
    const rules = new Set(open.flatMap(({ rule }) => rule ?? []));
    return { effect: 'ask', steps: answers.filter(asks).map(({ step }) => step), rules: [...rules] };
  }
  const waived = answers.flatMap(({ waivedBy }) => waivedBy ?? []);
  const speaking = answers.flatMap(({ reasons }) => reasons.flatMap(({ rule }) => rule ?? []));
  return { effect: 'pass', steps: [], rules: [...new Set([...waived, ...speaking])] };
}

/** True where a verdict is all that the case's author expects. */
export function isExpected({ effect, rule, step }: PolicyCase['expect'], verdict: Verdict): boolean {
  if (verdict.effect !== effect) return false;
  if (step !== undefined && !verdict.steps.includes(step)) return false;
  return rule === undefined || verdict.rules.includes(rule);
}

/** True where a case was judged and answered as expected. */
export const hasPassed = (judged: JudgedCase): boolean =>
  judged.fault === undefined && isExpected(judged.case.expect, judged.verdict);
