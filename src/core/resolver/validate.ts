import { didYouMean } from '../base/nearest';
import { type CompiledRule } from '../policy/rules/compile';
import { fires } from '../policy/rules/decide';
import type { Problem } from '../base/problem';
import { flattenRequires } from '../capability/composed';
import { lint, type LintWorld } from './lint';
import type { Delegation } from './requirement';
import type { Requirement } from '../vocabulary/requirement';
import { composedSubject } from '../policy/rules/subject';
import type { ComposedCapability } from '../capability/capability';

/** Everything that `validate` holds against each other. */
export interface Rows {
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
    .map((one) => ({
      severity: 'error',
      code: 'critical_without_probe',
      message: `the requirement \`${one.id}\` is critical and has no probe, so its state can never be known`,
      subject: one.id,
      row: { type: 'requirement', id: one.id },
    }));
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
    const gap = (field: string, value: string, what: string): RowProblem => ({
      severity: 'error',
      code: 'unknown_delegation',
      message: `the delegation ${one.index + 1}: /${field} \`${value}\` is not ${what}${didYouMean(value, ids)}`,
      subject: value,
      row: { type: 'delegation', id: value, index: one.index, field },
    });
    return [
      ...(isKnownParty(one.fromParty, words)
        ? []
        : [gap('fromParty', one.fromParty, 'a known party: no requirement names it')]),
      ...(isKnownParty(one.toParty, words)
        ? []
        : [gap('toParty', one.toParty, 'a known party: no requirement names it')]),
      ...(ids.has(one.scopeAccount) ? [] : [gap('scopeAccount', one.scopeAccount, 'the id of a requirement')]),
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
    const why =
      one.costClass !== 'free'
        ? `is ${one.costClass}`
        : one.sideEffects.some((effect) => moneyEffects.has(effect))
          ? 'costs money'
          : undefined;
    if (why === undefined || money.some((rule) => fires(rule, composedSubject(one)))) return [];
    return [
      {
        severity: 'error',
        code: 'money_without_boundary',
        message: `the capability \`${one.id}\` ${why}, and no boundary about money covers it`,
        subject: one.id,
        row: { type: 'capability', id: one.id, field: one.costClass !== 'free' ? 'costClass' : 'sideEffects' },
      },
    ];
  });
}

function idGaps({ capabilities, requirements, rules, world }: Rows): readonly RowProblem[] {
  const ids = new Set(requirements.map((one) => one.id));
  const names = new Set([...world.capabilityIds, ...world.toolNames]);
  const words = partyWords([...requirements]);
  const requiredWords = new Set(
    capabilities.flatMap((one) => flattenRequires(one.requires)).flatMap((id) => id.toLowerCase().split(/[._-]/)),
  );
  return [
    ...capabilities.flatMap((one) =>
      flattenRequires(one.requires)
        .filter((id) => !ids.has(id))
        .map((id): RowProblem => ({
          severity: 'error',
          code: 'unknown_requirement',
          message: `the capability \`${one.id}\` requires \`${id}\`, which no row of requirements.json declares${didYouMean(id, ids)}`,
          subject: one.id,
          row: { type: 'capability', id: one.id, field: 'requires' },
        })),
    ),
    ...rules
      .filter((rule) => rule.boundary.scope !== 'builtin')
      .flatMap(({ boundary }): RowProblem[] => [
        ...boundary.exceptions
          .filter((id) => !names.has(id) && !/^(?:mcp|ext|chan):/.test(id))
          .map((id): RowProblem => ({
            severity: 'error',
            code: 'unknown_exception',
            message: `the boundary \`${boundary.id}\` excepts \`${id}\`, which is neither a capability nor a tool${didYouMean(id, names)}`,
            subject: boundary.id,
            row: { type: 'boundary', id: boundary.id, field: 'exceptions' },
          })),
        ...(boundary.decision === 'deny_unless_account' &&
        boundary.account !== undefined &&
        !isKnownAccount(boundary.account, words, requiredWords)
          ? [
              {
                severity: 'error',
                code: 'unknown_account',
                message: `the boundary \`${boundary.id}\` looks for the account \`${boundary.account}\`, which no requirement names`,
                subject: boundary.id,
                row: { type: 'boundary', id: boundary.id, field: 'account' },
              } satisfies RowProblem,
            ]
          : []),
      ]),
  ];
}

function isKnownAccount(account: string, words: ReadonlySet<string>, requiredWords: ReadonlySet<string>): boolean {
  const name = account.toLowerCase();
  return [...words, ...requiredWords].some((word) => word.includes(name));
}

function lintProblems({ rules, world }: Rows): readonly RowProblem[] {
  return lint(rules, world).map(({ boundary, code, message }) => ({
    severity: 'warning',
    code,
    message: `the boundary \`${boundary.id}\` ${message}`,
    subject: boundary.id,
    row: { type: 'boundary', id: boundary.id },
  }));
}
