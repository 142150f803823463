import { withoutNeededReads } from '../../vocabulary/access';
import { say, type Sentence } from '../../base/sentence';
import { foreignWord } from '../../base/foreignWords';
import type { Json } from '../../base/json';
import { type Boundary, boundaryScopes } from '../../vocabulary/boundary';
import type { CompiledRule } from './compile';
import { ruleWords } from '../../vocabulary/ruleWords';
import type { AccessFacts, PolicySubject } from './subject';
import type { Effect, Reason } from '../../vocabulary/decision';

/** What all boundaries together say; the same whatever their order. */
export interface PolicyDecision {
  readonly effect: Effect;
  readonly reasons: readonly Reason[];
  /** The rule that a denial names: the one of the strongest scope, then the first by id. */
  readonly deniedBy?: { readonly boundary: Boundary; readonly reason: Boundary['reason'] };
  /** The `allow` rules that together cover the call. */
  readonly waivedBy: readonly string[];
}

/** What one rule that fired asks for, after `deny_unless_account` has looked for its account. */
type Firing =
  { readonly kind: 'deny'; readonly reason: Boundary['reason'] } | { readonly kind: 'ask' | 'advise' | 'allow' };

/** Tells whether a rule fires for a subject. A rule that restricts fires for one access that matches. */
export function fires(rule: CompiledRule, subject: PolicySubject): boolean {
  if (!rule.concerns(subject)) return false;
  if (!rule.hasAccessClauses) return true;
  if (!rule.isLoosening) return subject.accesses.some((one) => rule.matchesAccess(one));
  const asked = withoutNeededReads(subject.accesses, ({ access }) => access);
  return asked.length > 0 && asked.every((one) => rule.matchesAccess(one));
}

/** The account is searched in the JSON text of what the capability requires, whatever its case. */
function requiresAccount(requires: Json, account: string): boolean {
  return JSON.stringify(requires).toLowerCase().includes(account.toLowerCase());
}

/** What a rule that fired means for a subject. */
export function firingOf(rule: CompiledRule, subject: PolicySubject): Firing {
  const { decision, account = '' } = rule.boundary;
  if (decision === 'deny') return { kind: 'deny', reason: rule.reasonFor(subject) };
  if (decision !== 'deny_unless_account') return { kind: decision === 'require_approval' ? 'ask' : decision };
  return account !== '' && requiresAccount(subject.requires, account)
    ? { kind: 'advise' }
    : { kind: 'deny', reason: say('no_account', foreignWord(account)) };
}

const strength = (boundary: Boundary): number => boundaryScopes.indexOf(boundary.scope);

/**
 * Orders rules by scope, strongest first, then by id and text, so that an answer never depends on the order in which
 * rules were given.
 */
export function compareRules(a: CompiledRule, b: CompiledRule): number {
  const byScope = strength(a.boundary) - strength(b.boundary);
  if (byScope !== 0) return byScope;
  if (a.boundary.id !== b.boundary.id) return a.boundary.id < b.boundary.id ? -1 : 1;
  const [left, right] = [JSON.stringify(a.boundary), JSON.stringify(b.boundary)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Judges a subject by rules: the most restrictive outcome wins, whatever the order. A soft rule is recorded and changes
 * nothing. `alreadyJudged` names rules about the call as a whole that were judged with it and need not be asked about
 * again.
 */
export function decide(
  rules: Iterable<CompiledRule>,
  subject: PolicySubject,
  alreadyJudged?: (rule: CompiledRule) => boolean,
): PolicyDecision {
  const { fired, loosening } = concerning(rules, subject);
  if (fired.length === 0 && loosening.length === 0) return nothing;
  fired.sort(compareRules);
  const waivedBy = covering(
    loosening,
    withoutNeededReads(subject.accesses, ({ access }) => access),
  );
  const reasons: Reason[] = [];
  let effect: Effect = 'pass';
  let deniedBy: PolicyDecision['deniedBy'];
  for (const rule of fired) {
    const { boundary } = rule;
    const firing = firingOf(rule, subject);
    const said = saidBy(rule, firing, subject);
    const noted = { rule: boundary.id, advisory: true };
    if (boundary.severity === 'soft') {
      reasons.push({ said: say(`on_trial_${firing.kind}`, said), ...noted });
      continue;
    }
    switch (firing.kind) {
      case 'deny':
        effect = 'deny';
        deniedBy ??= { boundary, reason: firing.reason };
        reasons.push({ said, rule: boundary.id });
        break;
      case 'ask':
        if (boundary.waivable && waivedBy.length > 0) {
          const names = waivedBy.map((id) => `"${id}"`).join(', ');
          reasons.push({ said: say('boundary_waived', said, names), ...noted });
          break;
        }
        if (!rule.hasAccessClauses && alreadyJudged?.(rule)) break;
        if (effect === 'pass') effect = 'ask';
        reasons.push(askReason(boundary, said));
        break;
      case 'advise':
        // That a call has its account is for the record alone.
        reasons.push({ said, ...noted, ...(boundary.decision === 'advise' ? { advice: true } : {}) });
        break;
      case 'allow':
        break;
    }
  }
  return { effect, reasons, ...(deniedBy ? { deniedBy } : {}), waivedBy };
}

const nothing: PolicyDecision = { effect: 'pass', reasons: [], waivedBy: [] };

/** The rules that fire, and those that may loosen: each access of a call may have another one of these. */
function concerning(
  rules: Iterable<CompiledRule>,
  subject: PolicySubject,
): { readonly fired: CompiledRule[]; readonly loosening: readonly CompiledRule[] } {
  const fired: CompiledRule[] = [];
  const loosening: CompiledRule[] = [];
  for (const rule of rules) {
    if (rule.isLoosening) {
      if (rule.concerns(subject)) loosening.push(rule);
    } else if (fires(rule, subject)) fired.push(rule);
  }
  return { fired, loosening };
}

/** A rule that fires in words: its id, why it fires, and what of it could not be read. */
function saidBy(rule: CompiledRule, firing: Firing, subject: PolicySubject): Sentence {
  const words = ruleWords(rule.boundary, firing.kind === 'deny' ? firing.reason : rule.reasonFor(subject));
  return words.fault
    ? say('boundary_with_fault', words.id, words.reason, words.fault)
    : say('boundary_says', words.id, words.reason);
}

function askReason(boundary: Boundary, said: Sentence): Reason {
  return {
    said,
    rule: boundary.id,
    ...(boundary.waivable ? { waivable: true } : {}),
    ...(boundary.admin ? { admin: true } : {}),
    ...(boundary.match.flow ? { story: true } : {}),
    ...(boundary.oncePer ? { oncePer: boundary.oncePer } : {}),
  };
}

/**
 * The `allow` rules that cover a call: one about the call as a whole, or several of which each access has one. Soft
 * ones cover nothing.
 */
function covering(rules: readonly CompiledRule[], accesses: readonly AccessFacts[]): readonly string[] {
  const hard = rules.filter((rule) => rule.boundary.severity === 'hard').sort(compareRules);
  const whole = hard.filter((rule) => !rule.hasAccessClauses);
  if (whole.length > 0) return whole.map((rule) => rule.boundary.id);
  const ids = new Set<string>();
  for (const access of accesses) {
    const rule = hard.find((one) => one.matchesAccess(access));
    if (!rule) return [];
    ids.add(rule.boundary.id);
  }
  return [...ids];
}
