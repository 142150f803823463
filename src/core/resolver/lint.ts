import { noCall } from '../policy/rules/subject';
import { linked, say, type Sentence } from '../base/sentence';
import type { Boundary, BoundaryMatch } from '../vocabulary/boundary';
import { wordTest } from '../policy/rules/clauseTests';
import { type CompiledRule } from '../policy/rules/compile';
import { flatGlob, hasMagic } from '../base/pathGlob';
import { foreignName } from '../vocabulary/toolSource';
import { riskLevels } from '../vocabulary/toolDefinition';
import { isAtLeast } from '../base/order';
import { proposal } from '../base/nearest';

/** What the linter finds about one rule. */
interface LintFinding {
  readonly boundary: Boundary;
  readonly code: 'never_matches' | 'shadowed' | 'contradictory' | 'dead';
  readonly said: Sentence;
}

/**
 * What exists, for rules that name it. Tools of other sources come and go, so patterns for them are never called wrong.
 */
export interface LintWorld {
  readonly capabilityIds: readonly string[];
  /** Ids and names of tools: all of them, and those by which a rule that loosens finds them. */
  readonly toolNames: readonly string[];
  readonly looseNames: readonly string[];
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
    if (contradiction) findings.push({ boundary, code: 'contradictory', said: say('rule_never', contradiction) });
    else {
      const missing = matchesNothing(rule, world);
      if (missing) findings.push({ boundary, code: 'never_matches', said: say('rule_matches_none', missing) });
      const dead = isDead(rule);
      if (dead) findings.push({ boundary, code: 'dead', said: dead });
      const over = rules.find((other, at) => other !== rule && shadows(other, rule, at < index));
      if (over)
        findings.push({
          boundary,
          code: boundary.decision === 'allow' ? 'contradictory' : 'shadowed',
          said: say(
            boundary.decision === 'allow' ? 'rule_allow_covered' : 'rule_covered',
            over.boundary.id,
            over.boundary.decision,
          ),
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

function contradictionIn(match: BoundaryMatch): Sentence | undefined {
  const about = kinds.filter(([clause]) => match[clause] !== undefined);
  const families = new Set(about.map(([, family]) => family));
  if (families.size > 1)
    return say(
      'clauses_of_kinds',
      linked(
        'both',
        about.map(([clause]) => clause),
      ),
    );
  const [family] = families;
  if (
    family !== undefined &&
    match.accessAny &&
    !match.accessAny.some((effect) => effect === '*' || effect.split('.')[0] === family)
  )
    return say('clause_of_kind', about[0]?.[0] ?? '', family, match.accessAny.join(', '));
  if (match.riskLevel && match.riskAtLeast && !isAtLeast(riskLevels, match.riskLevel, match.riskAtLeast))
    return say('risks_exclude', match.riskLevel, match.riskAtLeast);
  const not = new Set(list(match.pathNot));
  if (match.path !== undefined && (not.has('**') || list(match.path).every((one) => not.has(one))))
    return say('paths_exclude');
  const notHost = new Set(list(match.hostNot));
  if (match.host !== undefined && (notHost.has('*') || list(match.host).every((one) => notHost.has(one))))
    return say('hosts_exclude');
  for (const [pointer, matcher] of Object.entries(match.argument ?? {})) {
    if (matcher.minimum !== undefined && matcher.maximum !== undefined && matcher.minimum > matcher.maximum)
      return say('bounds_exclude', pointer);
    if (matcher.exists === false && Object.keys(matcher).length > 1) return say('absent_compared', pointer);
  }
  return undefined;
}

function matchesNothing(rule: CompiledRule, world: LintWorld): Sentence | undefined {
  const { match } = rule;
  if (match.capability !== undefined) {
    if (!world.capabilityIds.some(wordTest(match.capability, rule.isLoosening)))
      return say('no_capability_named', match.capability, proposal(match.capability, world.capabilityIds));
  }
  if (match.tool !== undefined && !foreignName.test(match.tool)) {
    const matches = wordTest(match.tool, rule.isLoosening);
    const names = rule.isLoosening ? world.looseNames : world.toolNames;
    if (!names.some(matches))
      return say(world.toolNames.some(matches) ? 'bare_tool_name' : 'no_tool_named', match.tool);
  }
  // Held against each capability alone: the clause that is asked about is the expression.
  if (match.idRegex !== undefined && !world.capabilityIds.some((id) => idClauseMatches(rule, id)))
    return say('no_id_matches', match.idRegex);
  return undefined;
}

function idClauseMatches(rule: CompiledRule, id: string): boolean {
  return rule.clauses({ ...noCall, capabilityId: id }).some(({ clause, matched }) => clause === 'idRegex' && matched);
}

function isDead({ boundary, match, isLoosening, isEffective }: CompiledRule): Sentence | undefined {
  const excepted = [match.tool, match.capability].find(
    (name) => name !== undefined && !hasMagic(name) && boundary.exceptions.includes(name),
  );
  if (excepted !== undefined) return say('rule_excepted', excepted);
  if (isLoosening && isEffective && match.riskLevel === 'critical') return say('rule_waives_critical');
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
  if (!outweighs(strong, weak)) return false;
  if (!strong.exceptions.every((one) => weak.exceptions.includes(one))) return false;
  if (!covers(over.match, under.match)) return false;
  const isEqual =
    weight[strong.decision] === weight[weak.decision] &&
    covers(under.match, over.match) &&
    weak.exceptions.every((one) => strong.exceptions.includes(one));
  return !isEqual || isEarlier;
}

/** Tells whether a call that meets both rules gets the same answer without the weak one. */
function outweighs(strong: Boundary, weak: Boundary): boolean {
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
  return weight[strong.decision] >= weight[weak.decision];
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
