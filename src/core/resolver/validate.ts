import { proposal } from '../base/nearest';
import { type CompiledRule } from '../policy/rules/compile';
import { fires } from '../policy/rules/decide';
import { type Problem, problem } from '../base/problem';
import { say, type Sentence } from '../base/sentence';
import { flattenRequires } from '../capability/composed';
import { foreignName } from '../vocabulary/toolSource';
import { lint, type LintWorld } from './lint';
import type { Delegation } from './requirement';
import type { Requirement } from '../vocabulary/requirement';
import { composedSubject } from '../policy/rules/subject';
import type { ComposedCapability } from '../capability/capability';

/** Everything that `validate` holds against each other. */
interface Rows {
  readonly capabilities: readonly ComposedCapability[];
  readonly requirements: readonly Requirement[];
  readonly delegations: readonly Delegation[];
  readonly rules: readonly CompiledRule[];
  readonly world: LintWorld;
}

/** A problem with the row it is about, from which the caller finds file and line. */
export interface RowProblem extends Problem {
  readonly row: {
    readonly type: 'capability' | 'requirement' | 'delegation' | 'boundary';
    readonly id: string;
    readonly index?: number;
    readonly field?: string;
  };
}

function rowProblem(row: RowProblem['row'], said: Sentence, code: string = said.code): RowProblem {
  return { ...problem({ severity: 'error', code, said, subject: row.id }), row };
}

/**
 * Checks across the rows: a critical requirement has a probe; delegations and accounts refer to known ids; what costs
 * money is covered by a boundary about money; ids exist. Then the linter over the boundaries.
 */
export function validate(rows: Rows): readonly RowProblem[] {
  return [...probeGaps(rows), ...delegationGaps(rows), ...moneyGaps(rows), ...idGaps(rows), ...lintProblems(rows)];
}

function probeGaps({ requirements }: Rows): readonly RowProblem[] {
  return requirements
    .filter((one) => one.critical && !one.probe)
    .map((one) => rowProblem({ type: 'requirement', id: one.id }, say('critical_without_probe', one.id)));
}

/** The words of all ids: `acc.brian.fb_page` knows the party `brian`. */
function partyWords(requirements: readonly Requirement[]): ReadonlySet<string> {
  return new Set(requirements.flatMap((one) => [one.id, ...one.id.split(/[._-]/)]).map((word) => word.toLowerCase()));
}

function isKnownParty(party: string, words: ReadonlySet<string>): boolean {
  const name = party.toLowerCase();
  if (words.has(name)) return true;
  const parts = name.split('.').slice(name.startsWith('party.') || name.startsWith('person.') ? 1 : 0);
  return (
    parts.length > 0 && parts.every((part) => part.split(/[_-]/).every((word) => words.has(word)) || words.has(part))
  );
}

function delegationGaps({ delegations, requirements }: Rows): readonly RowProblem[] {
  const ids = new Set(requirements.map((one) => one.id));
  const words = partyWords(requirements);
  return delegations.flatMap((one): RowProblem[] => {
    const gap = (field: 'fromParty' | 'toParty' | 'scopeAccount'): RowProblem => {
      const id = one[field];
      const code = field === 'scopeAccount' ? 'delegation_unknown_account' : 'delegation_unknown_party';
      const said = say(code, one.index + 1, field, id, proposal(id, ids));
      return rowProblem({ type: 'delegation', id, index: one.index, field }, said, 'unknown_delegation');
    };
    return [
      ...(isKnownParty(one.fromParty, words) ? [] : [gap('fromParty')]),
      ...(isKnownParty(one.toParty, words) ? [] : [gap('toParty')]),
      ...(ids.has(one.scopeAccount) ? [] : [gap('scopeAccount')]),
    ];
  });
}

const moneyEffects = new Set(['costs-money', 'payments']);

function moneyGaps({ capabilities, rules }: Rows): readonly RowProblem[] {
  const money = rules.filter(
    ({ boundary, match }) =>
      boundary.severity === 'hard' &&
      boundary.decision !== 'advise' &&
      boundary.decision !== 'allow' &&
      (match.costClass === 'metered' ||
        match.costClass === 'paid' ||
        (match.sideEffectsAny ?? []).some((effect) => moneyEffects.has(effect))),
  );
  return capabilities.flatMap((one): RowProblem[] => {
    const isFree = one.costClass === 'free';
    if (isFree && !one.sideEffects.some((effect) => moneyEffects.has(effect))) return [];
    if (money.some((rule) => fires(rule, composedSubject(one)))) return [];
    const said = isFree ? say('money_of_effect', one.id) : say('money_of_class', one.id, one.costClass);
    const field = isFree ? 'sideEffects' : 'costClass';
    return [rowProblem({ type: 'capability', id: one.id, field }, said, 'money_without_boundary')];
  });
}

function idGaps({ capabilities, requirements, rules, world }: Rows): readonly RowProblem[] {
  const ids = new Set(requirements.map((one) => one.id));
  const names = new Set([...world.capabilityIds, ...world.toolNames]);
  const loose = new Set([...world.capabilityIds, ...world.looseNames]);
  const required = capabilities.flatMap((one) => flattenRequires(one.requires));
  const words = new Set([...partyWords(requirements), ...required.flatMap((id) => id.toLowerCase().split(/[._-]/))]);
  return [
    ...capabilities.flatMap((one) => {
      const row = { type: 'capability', id: one.id, field: 'requires' } as const;
      const unknown = flattenRequires(one.requires).filter((id) => !ids.has(id));
      return unknown.map((id) => rowProblem(row, say('unknown_requirement', one.id, id, proposal(id, ids))));
    }),
    ...rules.flatMap(({ boundary: { id, scope, decision, account, exceptions }, isLoosening }): RowProblem[] => {
      if (scope === 'builtin') return [];
      const unknown = exceptions.filter((one) => !(isLoosening ? names : loose).has(one) && !foreignName.test(one));
      const gaps = unknown.map((one) =>
        rowProblem(
          { type: 'boundary', id, field: 'exceptions' },
          names.has(one)
            ? say('boundary_note', id, say('bare_tool_name', one))
            : say('unknown_exception', id, one, proposal(one, names)),
          'unknown_exception',
        ),
      );
      if (decision !== 'deny_unless_account' || account === undefined) return gaps;
      if ([...words].some((word) => word.includes(account.toLowerCase()))) return gaps;
      return [...gaps, rowProblem({ type: 'boundary', id, field: 'account' }, say('unknown_account', id, account))];
    }),
  ];
}

function lintProblems({ rules, world }: Rows): readonly RowProblem[] {
  return lint(rules, world).map(({ boundary: { id }, code, said }) => ({
    ...rowProblem({ type: 'boundary', id }, say('boundary_note', id, said), code),
    severity: 'warning',
  }));
}
