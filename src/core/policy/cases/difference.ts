import type { Boundary } from '../../vocabulary/boundary';
import { decidingRules, type Effect, rulesBetween } from '../../vocabulary/decision';
import {
  type ActorType,
  type CostClass,
  costClasses,
  type RiskLevel,
  riskLevels,
} from '../../vocabulary/toolDefinition';
import type { ToolSource } from '../../vocabulary/toolSource';
import type { CompiledRule } from '../rules/compile';
import type { PolicyDecision } from '../rules/decide';
import type { PolicyEngine } from '../rules/engine';
import { accessFacts, type AccessFacts, noCall, type PolicySubject, type SubjectFlow } from '../rules/subject';
import { atomsOf } from './atoms';

/** A call that two policies judge differently. */
export interface Witness {
  readonly subject: PolicySubject;
  readonly before: Effect;
  readonly after: Effect;
  /** The rules that make the difference; `without …` for those of the first policy alone. */
  readonly because: readonly string[];
  /** `record` for a call that was really made. */
  readonly from: 'rules' | 'record';
}

/** What was searched, so that *none found* says what it is worth. */
export interface Searched {
  /** Calls that were made of what the rules name. */
  readonly calls: number;
  readonly recorded: number;
  /** False where there were more combinations than are tried, and only some were. */
  readonly isWhole: boolean;
  /** Rules of which no call could be made; what they say was not searched. */
  readonly unreached: readonly string[];
}

export interface PolicyDifference {
  /** One for each way in which a rule changes a verdict, at most a hundred. */
  readonly witnesses: readonly Witness[];
  readonly searched: Searched;
}

/** Combinations that are tried for one rule, and witnesses that are told. */
const mostTried = 20_000;
/** Once a rule is shown to matter, so many calls are tried for further ways in which it does. */
const enough = 2000;
const mostWitnesses = 100;

/**
 * Finds calls that two policies judge differently: the calls of the record, and calls that are put together from what
 * the rules name. A verdict differs only where a rule of one policy alone speaks, so calls are made for those rules:
 * each such call fits the rule, and is in turn in and out of what every other rule says. Both engines must be ready.
 */
export function policyDifference(
  before: PolicyEngine,
  after: PolicyEngine,
  record: readonly PolicySubject[] = [],
): PolicyDifference {
  const found = new Map<string, Witness>();
  const judge = (subject: PolicySubject, from: Witness['from']): void => {
    const [old, now] = [before.decide(subject), after.decide(subject)];
    if (old.effect === now.effect || found.size >= mostWitnesses) return;
    const because = changedRules(old, now);
    const key = `${old.effect} ${now.effect} ${because.join(' ')}`;
    if (!found.has(key)) found.set(key, { subject, before: old.effect, after: now.effect, because, from });
  };
  for (const subject of record) judge(subject, 'record');
  const rules = [...before.rules(), ...after.rules()];
  const space = new CallSpace(rules);
  let calls = 0;
  let isWhole = true;
  const unreached: string[] = [];
  for (const rule of differing(before.rules(), after.rules())) {
    const { subjects, total } = space.callsOf(rule);
    let own = 0;
    const known = found.size;
    for (const subject of subjects) {
      judge(subject, 'rules');
      own++;
      if (found.size > known && own >= enough) break;
    }
    calls += own;
    if (total > own && found.size === known) isWhole = false;
    if (own === 0) unreached.push(rule.boundary.id);
  }
  return { witnesses: [...found.values()], searched: { calls, recorded: record.length, isWhole, unreached } };
}

/** Rules that only one of two policies has, but for their words. */
function differing(before: readonly CompiledRule[], after: readonly CompiledRule[]): readonly CompiledRule[] {
  const textOf = ({ boundary }: CompiledRule): string => {
    const { id, severity, match, exceptions, decision, account, scope, waivable, faults } = boundary;
    return JSON.stringify([id, severity, match, exceptions, decision, account, scope, waivable, faults?.length]);
  };
  const [old, now] = [new Set(before.map(textOf)), new Set(after.map(textOf))];
  return [...before.filter((rule) => !now.has(textOf(rule))), ...after.filter((rule) => !old.has(textOf(rule)))];
}

function changedRules(old: PolicyDecision, now: PolicyDecision): readonly string[] {
  const deciding = ({ reasons, waivedBy }: PolicyDecision): readonly string[] => [
    ...decidingRules(reasons),
    ...waivedBy,
  ];
  const changed = rulesBetween(deciding(old), deciding(now));
  // A rule of the same id that decides otherwise is in both.
  return changed.length > 0 ? changed : [...new Set(deciding(now))];
}

type Who = Omit<PolicySubject, 'accesses'>;

const nobody: PolicySubject = { ...noCall, capabilityId: 'other', actor: 'agent', input: {} };

/** Sessions that rules tell apart, with each way out. */
const sessions: readonly { readonly flow: SubjectFlow }[] = [false, true].flatMap((isPrivate) =>
  [false, true].flatMap((untrusted) =>
    ([undefined, 'plain', 'data'] as const).map((way) => ({
      flow: { private: isPrivate, untrusted, wayOut: () => way },
    })),
  ),
);

/**
 * The calls that rules tell apart. Of what all rules answer alike to, one stands for all, so that the combinations stay
 * few.
 */
class CallSpace {
  readonly #rules: readonly CompiledRule[];
  readonly #parts: readonly (readonly Partial<Who>[])[];
  readonly #accesses: readonly AccessFacts[];
  readonly #hasLoosening: boolean;

  constructor(rules: readonly CompiledRule[]) {
    this.#rules = rules;
    const boundaries: readonly Boundary[] = rules.map(({ boundary }) => boundary);
    const atoms = atomsOf(boundaries);
    const asks = (key: keyof Boundary['match']): boolean => rules.some(({ match }) => match[key] !== undefined);
    const sources: readonly ToolSource['type'][] = ['builtin', 'definition', 'extension', 'mcp', 'channel'];
    const actors: readonly ActorType[] = ['agent', 'user'];
    const risks: readonly RiskLevel[] = asks('riskLevel') || asks('riskAtLeast') ? riskLevels : ['low'];
    const costs: readonly CostClass[] = asks('costClass') ? costClasses : ['free'];
    this.#parts = [
      this.#distinct(
        atoms.tools.flatMap((tool): Partial<Who>[] =>
          toolsNamed(tool).flatMap((one) => atoms.inputs.map((input) => ({ ...one, input }))),
        ),
      ),
      this.#distinct(atoms.capabilities.map((capabilityId) => ({ capabilityId }))),
      this.#distinct(risks.map((riskLevel) => ({ riskLevel }))),
      this.#distinct(costs.map((costClass) => ({ costClass }))),
      this.#distinct([{}, ...(asks('source') ? sources : []).map((source) => ({ source }))]),
      this.#distinct(actors.map((actor) => ({ actor }))),
      this.#distinct(atoms.sideEffects.map((sideEffects) => ({ sideEffects }))),
      atoms.requires.map((requires) => ({ requires })),
      this.#distinct(asks('flow') ? sessions : []),
    ].filter((part) => part.length > 0);
    this.#accesses = this.#distinctAccesses(atoms.accesses.map((access) => accessFacts(access)));
    this.#hasLoosening = rules.some(({ isLoosening }) => isLoosening);
  }

  /** Calls that a rule speaks for, in and out of every other rule, and how many combinations there are. */
  callsOf(rule: CompiledRule): { readonly subjects: Iterable<PolicySubject>; readonly total: number } {
    const lists: (readonly Partial<PolicySubject>[])[] = this.#parts.map((part) =>
      part.filter((one) => this.#fits(rule, one)),
    );
    lists.push(this.#accessSets(rule).map((accesses) => ({ accesses })));
    const total = lists.reduce((product, list) => product * list.length, 1);
    return { subjects: combinations(lists, total), total };
  }

  /** True where no clause about a part of a call keeps the rule from it. */
  #fits(rule: CompiledRule, part: Partial<PolicySubject>): boolean {
    const keys = clausesAbout(part);
    if (rule.isException({ ...nobody, ...part })) return false;
    return rule.clauses({ ...nobody, ...part }).every(({ clause, matched }) => matched || !keys.has(clause));
  }

  #accessSets(rule: CompiledRule): readonly (readonly AccessFacts[])[] {
    const own = rule.hasAccessClauses ? this.#accesses.filter((one) => rule.matchesAccess(one)) : this.#accesses;
    // What is waived depends on all accesses together.
    const others = this.#hasLoosening ? this.#accesses : [];
    const pairs = own.flatMap((one) => others.flatMap((other) => (other === one ? [] : [[one, other]])));
    return [...(rule.hasAccessClauses ? [] : [[]]), ...own.map((one) => [one]), ...pairs];
  }

  #distinct(parts: readonly Partial<Who>[]): readonly Partial<Who>[] {
    const seen = new Map<string, Partial<Who>>();
    for (const part of parts) {
      const keys = clausesAbout(part);
      const subject = { ...nobody, ...part };
      const answers = this.#rules.map((rule) => {
        const clauses = rule
          .clauses(subject)
          .map(({ clause, matched }) => (keys.has(clause) ? (matched ? '1' : '0') : ''));
        return `${rule.isException(subject) ? 'x' : ''}${clauses.join('')}`;
      });
      const key = `${part.tool === undefined ? '' : 'tool'}${answers.join(',')}`;
      if (!seen.has(key)) seen.set(key, part);
    }
    return [...seen.values()];
  }

  #distinctAccesses(accesses: readonly AccessFacts[]): readonly AccessFacts[] {
    const seen = new Map<string, AccessFacts>();
    const byEffect = this.#rules.filter(({ match }) => match.sideEffectsAny !== undefined);
    for (const one of accesses) {
      const subject = { ...nobody, accesses: [one] };
      const effects = byEffect.map((rule) =>
        rule.clauses(subject).some(({ clause, matched }) => clause === 'sideEffectsAny' && matched) ? '1' : '0',
      );
      const key = this.#rules.map((rule) => (rule.matchesAccess(one) ? '1' : '0')).join('') + effects.join('');
      if (!seen.has(key)) seen.set(key, one);
    }
    return [...seen.values()];
  }
}

/** A tool of ours by its name, and one of others that has the same: what loosens tells them apart. */
function toolsNamed(tool: string | undefined): readonly Partial<Who>[] {
  if (tool === undefined) return [{}];
  const own = { tool: { id: tool, names: [tool] } };
  const id = `mcp:other:${tool}`;
  return tool.includes(':') ? [own] : [own, { tool: { id, names: [id, tool] } }];
}

/** The clauses that a part of a call answers. */
function clausesAbout(part: Partial<PolicySubject>): ReadonlySet<string> {
  const keys = new Set<string>();
  if ('tool' in part) keys.add('tool').add('argument');
  if ('capabilityId' in part) keys.add('capability').add('idRegex');
  if ('riskLevel' in part) keys.add('riskLevel').add('riskAtLeast');
  if ('costClass' in part) keys.add('costClass');
  if ('source' in part) keys.add('source');
  if ('actor' in part) keys.add('actor');
  if ('flow' in part) keys.add('flow');
  // A call without declared effects has those of its accesses.
  if ((part.sideEffects?.length ?? 0) > 0) keys.add('sideEffectsAny');
  return keys;
}

/** All combinations, or so many of them, spread evenly, where there are too many. */
function* combinations(lists: readonly (readonly Partial<PolicySubject>[])[], total: number): Iterable<PolicySubject> {
  const step = Math.max(1, total / mostTried);
  for (let next = 0; next < total; next += step) {
    let at = Math.floor(next);
    let subject = nobody;
    for (const list of lists) {
      subject = { ...subject, ...list[at % list.length] };
      at = Math.floor(at / list.length);
    }
    yield subject;
  }
}
