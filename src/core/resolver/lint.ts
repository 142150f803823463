import type { Boundary, BoundaryMatch } from '../vocabulary/boundary';
import { type CompiledRule } from '../policy/rules/compile';
import { flatGlob, hasMagic } from '../base/pathGlob';
import { riskLevels } from '../vocabulary/toolDefinition';
import { isAtLeast } from '../base/order';

/** What the linter finds about one rule. */
export interface LintFinding {
  readonly boundary: Boundary;
  readonly code: 'never_matches' | 'shadowed' | 'contradictory' | 'dead';
  readonly message: string;
}

/**
 * What exists, for rules that name it. Tools of other sources come and go, so patterns for them are never called wrong.
 */
export interface LintWorld {
  readonly capabilityIds: readonly string[];
  /** Ids and names of tools. */
  readonly toolNames: readonly string[];
}

/**
 * Finds rules that can have no effect: clauses that exclude each other, names that nothing has, rules that stronger
 * ones cover.
 */
export function lint(rules: readonly CompiledRule[], world: LintWorld): readonly LintFinding[] {
  const findings: LintFinding[] = [];
  rules.forEach((rule, index) => {
    const { boundary } = rule;
    // A rule with a fault is reported for that, and matches more than it says.
    if (boundary.scope === 'builtin' || boundary.faults !== undefined) return;
    const contradiction = contradictionIn(rule.match);
    if (contradiction) findings.push({ boundary, code: 'contradictory', message: `can never match: ${contradiction}` });
    else {
      const missing = matchesNothing(rule, world);
      if (missing) findings.push({ boundary, code: 'never_matches', message: `never matches: ${missing}` });
      const dead = isDead(rule);
      if (dead) findings.push({ boundary, code: 'dead', message: dead });
      const over = rules.find((other, at) => other !== rule && shadows(other, rule, at < index));
      if (over)
        findings.push({
          boundary,
          code: boundary.decision === 'allow' ? 'contradictory' : 'shadowed',
          message:
            boundary.decision === 'allow'
              ? `has no effect: "${over.boundary.id}" (${over.boundary.decision}) covers all that it allows`
              : `has no effect beside "${over.boundary.id}" (${over.boundary.decision}), which covers all that it matches`,
        });
    }
  });
  return findings;
}

const list = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

/** The kinds of access that a clause can match; all that are given must share one. */
const kinds: readonly [keyof BoundaryMatch, string][] = [
  ['path', 'fs'],
  ['pathNot', 'fs'],
  ['host', 'network'],
  ['hostNot', 'network'],
  ['privateHost', 'network'],
  ['command', 'system'],
];

function contradictionIn(match: BoundaryMatch): string | undefined {
  const about = kinds.filter(([clause]) => match[clause] !== undefined);
  const families = new Set(about.map(([, family]) => family));
  if (families.size > 1)
    return `${about.map(([clause]) => clause).join(' and ')} must hold for one and the same access`;
  const [family] = families;
  if (
    family !== undefined &&
    match.accessAny &&
    !match.accessAny.some((effect) => effect === '*' || effect.split('.')[0] === family)
  )
    return `${about[0]?.[0]} is about ${family}.* accesses, accessAny about ${match.accessAny.join(', ')}`;
  if (match.riskLevel && match.riskAtLeast && !isAtLeast(riskLevels, match.riskLevel, match.riskAtLeast))
    return `riskLevel ${match.riskLevel} is below riskAtLeast ${match.riskAtLeast}`;
  const not = new Set(list(match.pathNot));
  if (match.path !== undefined && (not.has('**') || list(match.path).every((one) => not.has(one))))
    return 'pathNot takes away all that path names';
  const notHost = new Set(list(match.hostNot));
  if (match.host !== undefined && (notHost.has('*') || list(match.host).every((one) => notHost.has(one))))
    return 'hostNot takes away all that host names';
  for (const [pointer, matcher] of Object.entries(match.argument ?? {})) {
    if (matcher.minimum !== undefined && matcher.maximum !== undefined && matcher.minimum > matcher.maximum)
      return `argument ${pointer} has a minimum over its maximum`;
    if (matcher.exists === false && Object.keys(matcher).length > 1)
      return `argument ${pointer} must be absent and compared`;
  }
  return undefined;
}

function matchesNothing(rule: CompiledRule, world: LintWorld): string | undefined {
  const { match } = rule;
  if (match.capability !== undefined) {
    const glob = flatGlob(match.capability);
    if (!world.capabilityIds.some((id) => glob.matches(id))) return `no capability is called \`${match.capability}\``;
  }
  if (match.tool !== undefined && !/^(?:mcp|ext|chan)[:_*]|^\*/.test(match.tool)) {
    const glob = flatGlob(match.tool);
    if (!world.toolNames.some((name) => glob.matches(name))) return `no tool is called \`${match.tool}\``;
  }
  // Held against each capability alone: the clause that is asked about is the expression.
  if (match.idRegex !== undefined && !world.capabilityIds.some((id) => idClauseMatches(rule, id)))
    return `no capability's id as a whole matches \`${match.idRegex}\``;
  return undefined;
}

function idClauseMatches(rule: CompiledRule, id: string): boolean {
  const subject = {
    capabilityId: id,
    capabilityAliases: [],
    sideEffects: [],
    costClass: 'free',
    riskLevel: 'low',
    accesses: [],
    requires: [],
  } as const;
  return rule.clauses(subject).some(({ clause, matched }) => clause === 'idRegex' && matched);
}

function isDead({ boundary, match, isLoosening, isEffective }: CompiledRule): string | undefined {
  const excepted = [match.tool, match.capability].find(
    (name) => name !== undefined && !hasMagic(name) && boundary.exceptions.includes(name),
  );
  if (excepted !== undefined) return `has no effect: its exceptions name \`${excepted}\`, all that it matches`;
  if (isLoosening && isEffective && match.riskLevel === 'critical')
    return 'has no effect: no rule may waive the confirmation for critical risk';
  return undefined;
}

const weight: Readonly<Record<Boundary['decision'], number>> = {
  allow: 0,
  advise: 1,
  require_approval: 2,
  deny_unless_account: 3,
  deny: 4,
};

/** Tells whether one rule makes another needless. Of two that are equal the later one is needless. */
function shadows(over: CompiledRule, under: CompiledRule, isEarlier: boolean): boolean {
  const [strong, weak] = [over.boundary, under.boundary];
  if (
    strong.severity === 'soft' ||
    weak.severity === 'soft' ||
    strong.scope === 'builtin' ||
    strong.faults !== undefined
  )
    return false;
  // An advice is said in any case, a condition on an account gives an answer of its own, and two allows only add up.
  if (weak.decision === 'advise' || strong.decision === 'advise' || strong.decision === 'allow') return false;
  if (
    strong.decision === 'deny_unless_account' &&
    (weak.decision !== 'deny_unless_account' || strong.account !== weak.account)
  )
    return false;
  if (weak.decision === 'deny_unless_account' && strong.decision === 'require_approval') return false;
  // An allow may still waive what a preset asks where the rule over it only asks; a denial leaves nothing to waive.
  if (weak.decision === 'allow' && strong.decision !== 'deny' && strong.decision !== 'require_approval') return false;
  if (weight[strong.decision] < weight[weak.decision]) return false;
  if (!strong.exceptions.every((one) => weak.exceptions.includes(one))) return false;
  if (!covers(over.match, under.match)) return false;
  const isEqual =
    weight[strong.decision] === weight[weak.decision] &&
    covers(under.match, over.match) &&
    weak.exceptions.every((one) => strong.exceptions.includes(one));
  return !isEqual || isEarlier;
}

/** Tells whether everything that `narrow` matches is matched by `wide` too. Says no where it cannot be sure. */
function covers(wide: BoundaryMatch, narrow: BoundaryMatch): boolean {
  return (Object.keys(wide) as (keyof BoundaryMatch)[]).every((clause) => {
    if (JSON.stringify(wide[clause]) === JSON.stringify(narrow[clause])) return true;
    switch (clause) {
      case 'tool':
      case 'capability': {
        const name = narrow[clause];
        return (
          name !== undefined && !hasMagic(name) && wide[clause] !== undefined && flatGlob(wide[clause]).matches(name)
        );
      }
      case 'sideEffectsAny':
      case 'accessAny': {
        const all = new Set(wide[clause]);
        return (
          narrow[clause] !== undefined &&
          narrow[clause].every((one) => all.has(one) || all.has('*') || all.has(`${one.split('.')[0]}.*`))
        );
      }
      case 'path':
      case 'host':
      case 'command': {
        const all = list(wide[clause]);
        const some = list(narrow[clause]);
        return some.length > 0 && some.every((one) => all.some((pattern) => patternCovers(pattern, one)));
      }
      case 'riskAtLeast': {
        const level = narrow.riskLevel ?? narrow.riskAtLeast;
        return level !== undefined && isAtLeast(riskLevels, level, wide.riskAtLeast ?? 'low');
      }
      default:
        return false;
    }
  });
}

function patternCovers(wide: string, narrow: string): boolean {
  if (wide === narrow || wide === '**' || wide === '*') return true;
  const start = /^([^*?[{(!+@\\]*)\/\*\*$/.exec(wide)?.[1];
  return start !== undefined && start !== '' && narrow.startsWith(`${start}/`);
}
