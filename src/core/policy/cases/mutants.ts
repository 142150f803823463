import { hasMagic } from '../../base/pathGlob';
import { type ArgumentMatcher, type Boundary, type BoundaryMatch, listed } from '../../vocabulary/boundary';
import { type RiskLevel, riskLevels } from '../../vocabulary/toolDefinition';
import { clauseKeys } from '../rules/clauseTests';

/** A policy with one mistake in it, of the kinds that people make. */
export interface Mutant {
  /** What was done: `drop clause path`. */
  readonly change: string;
  /** The rule that was changed. */
  readonly rule: string;
  readonly kind: 'drop-rule' | 'drop-clause' | 'drop-entry' | 'widen' | 'flip' | 'shift' | 'swap';
  /** What stands in place of the rules of some positions. */
  readonly changed: ReadonlyMap<number, Replacement>;
}

/** The rules in place of one; empty where it is gone. */
interface Replacement {
  readonly rules: readonly Boundary[];
  /** Those among them that can speak for a call of which the rule said nothing. */
  readonly wider: readonly Boundary[];
}

type Change = Pick<Mutant, 'change' | 'kind'> & { readonly to: Replacement };

const gone: Replacement = { rules: [], wider: [] };
const by = (rule: Boundary): Replacement => ({ rules: [rule], wider: [rule] });

const lists = ['accessAny', 'sideEffectsAny', 'path', 'pathNot', 'host', 'hostNot', 'command'] as const;
const globs = ['tool', 'capability', 'path', 'host', 'command'] as const;

/**
 * Every mistake of the list in every rule that `counts`: a rule, a clause or an entry dropped, a glob widened, a
 * decision flipped, a flag or a bound shifted, and the decisions of two neighbours swapped. What a mistake could not
 * change, such as a rule that only advises, gives none.
 */
export function mutants(rules: readonly Boundary[], counts: (rule: Boundary) => boolean): readonly Mutant[] {
  const found: Mutant[] = [];
  rules.forEach((rule, index) => {
    // A rule that only advises or is on trial decides nothing, so no test of a decision can miss it.
    if (!counts(rule) || rule.decision === 'advise' || rule.severity === 'soft') return;
    for (const { change, kind, to } of changesOf(rule))
      found.push({ change, kind, rule: rule.id, changed: new Map([[index, to]]) });
    const next = rules.findIndex((one, at) => at > index && counts(one) && one.severity === 'hard');
    const other = rules[next];
    if (other && other.decision !== rule.decision && other.decision !== 'advise')
      found.push({
        change: `swap its decision with that of ${other.id}`,
        kind: 'swap',
        rule: rule.id,
        changed: new Map([
          [index, by({ ...rule, decision: other.decision })],
          [next, by({ ...other, decision: rule.decision })],
        ]),
      });
  });
  return found;
}

function changesOf(rule: Boundary): readonly Change[] {
  return [
    { change: 'drop the rule', kind: 'drop-rule', to: gone },
    ...droppedClauses(rule),
    ...droppedEntries(rule),
    ...widenedGlobs(rule),
    ...droppedExceptions(rule),
    ...shifted(rule),
    ...flipped(rule),
  ];
}

const droppedClauses = (rule: Boundary): readonly Change[] =>
  clauseKeys(rule.match).map((key) => {
    const { [key]: _gone, ...rest } = rule.match;
    return { change: `drop clause ${key}`, kind: 'drop-clause', to: by({ ...rule, match: rest }) };
  });

function* droppedEntries(rule: Boundary): Iterable<Change> {
  for (const key of lists) {
    const entries = rule.match[key];
    if (entries === undefined || typeof entries === 'string' || entries.length < 2) continue;
    const without = replacer(rule, key, entries);
    for (const [at, entry] of entries.entries())
      yield { change: `drop ${JSON.stringify(entry)} from ${key}`, kind: 'drop-entry', to: without(at) };
  }
}

function* widenedGlobs(rule: Boundary): Iterable<Change> {
  for (const key of globs) {
    const given = rule.match[key];
    const entries = listed(given);
    const instead = replacer(rule, key, entries);
    for (const [at, entry] of entries.entries()) {
      const wide = widened(entry, key === 'host' ? '.' : /[/:]/.exec(entry)?.[0]);
      if (wide === undefined) continue;
      const change = `widen ${key} ${JSON.stringify(entry)} to ${JSON.stringify(wide)}`;
      yield { change, kind: 'widen', to: instead(at, wide) };
    }
  }
}

const droppedExceptions = (rule: Boundary): readonly Change[] =>
  rule.exceptions.map((id, at) => {
    const exceptions = rule.exceptions.toSpliced(at, 1);
    return { change: `drop exception ${id}`, kind: 'drop-entry', to: by({ ...rule, exceptions }) };
  });

/** Flags turned round, and bounds moved by one step. */
function* shifted(rule: Boundary): Iterable<Change> {
  const { match } = rule;
  const { flow } = match;
  const shift = (change: string, more: Partial<BoundaryMatch>): Change => ({
    change,
    kind: 'shift',
    to: by({ ...rule, match: { ...match, ...more } }),
  });
  for (const key of ['privateHost', 'recursive', 'permanent'] as const)
    if (match[key] !== undefined) yield shift(`turn ${key} round`, { [key]: !match[key] });
  for (const key of ['private', 'untrusted'] as const)
    if (flow?.[key] !== undefined) yield shift(`turn flow ${key} round`, { flow: { ...flow, [key]: !flow[key] } });
  if (flow?.out !== undefined)
    yield shift('the other way of flow', { flow: { ...flow, out: flow.out === 'any' ? 'data' : 'any' } });
  if (match.actor !== undefined) yield shift('turn actor round', { actor: match.actor === 'agent' ? 'user' : 'agent' });
  for (const key of ['riskAtLeast', 'riskLevel'] as const)
    for (const level of match[key] === undefined ? [] : neighbours(match[key]))
      yield shift(`${key} ${level}`, { [key]: level });
  for (const [pointer, matcher] of Object.entries(match.argument ?? {}))
    for (const { change, to } of argumentChanges(matcher))
      yield shift(`${change} of argument ${pointer}`, { argument: { ...match.argument, [pointer]: to } });
}

const neighbours = (level: RiskLevel): readonly RiskLevel[] =>
  [-1, 1].flatMap((step) => riskLevels[riskLevels.indexOf(level) + step] ?? []);

function flipped(rule: Boundary): readonly Change[] {
  if (rule.decision === 'allow') return [];
  const decision = rule.decision === 'require_approval' ? 'deny' : 'require_approval';
  return [{ change: `decide ${decision}`, kind: 'flip', to: by({ ...rule, decision }) }];
}

function* argumentChanges(
  matcher: ArgumentMatcher,
): Iterable<{ readonly change: string; readonly to: ArgumentMatcher }> {
  const { minimum, maximum, exists, oneOf = [], glob } = matcher;
  if (minimum !== undefined) yield { change: 'minimum + 1', to: { ...matcher, minimum: minimum + 1 } };
  if (maximum !== undefined) yield { change: 'maximum - 1', to: { ...matcher, maximum: maximum - 1 } };
  if (exists !== undefined) yield { change: 'exists turned round', to: { ...matcher, exists: !exists } };
  for (const at of oneOf.length > 1 ? oneOf.keys() : [])
    yield { change: `entry ${at + 1} gone`, to: { ...matcher, oneOf: oneOf.toSpliced(at, 1) } };
  const wide = glob === undefined ? undefined : widened(glob, undefined);
  if (wide !== undefined) yield { change: 'a wider glob', to: { ...matcher, glob: wide } };
}

/** From so many entries on, a rule is taken apart: to compile all of them for each mistake takes seconds. */
const manyEntries = 8;

/**
 * What stands in place of a rule without one entry of a list, or with another one there. A rule that restricts and has
 * many paths is the same as one rule for each of them, of which each is compiled once for all mistakes.
 */
function replacer(
  rule: Boundary,
  key: keyof BoundaryMatch,
  entries: readonly string[],
): (at: number, instead?: string) => Replacement {
  const single = (entry: string): Boundary => ({ ...rule, match: { ...rule.match, [key]: [entry] } });
  if (key === 'path' && entries.length >= manyEntries && rule.decision !== 'allow') {
    const singles = entries.map(single);
    return (at, instead) => {
      const wider = instead === undefined ? [] : [single(instead)];
      return { rules: singles.toSpliced(at, 1, ...wider), wider };
    };
  }
  return (at, instead) => {
    const list = entries.toSpliced(at, 1, ...(instead === undefined ? [] : [instead]));
    return by({ ...rule, match: { ...rule.match, [key]: list } });
  };
}

/** A glob whose last plain part, of a host its first, stands for anything; undefined where it has none. */
function widened(glob: string, separator: string | undefined): string | undefined {
  if (separator === undefined) {
    const word = /^([^*?[{]*)/.exec(glob)?.[1] ?? '';
    const kept = word.slice(0, Math.floor(word.length / 2));
    return word === '' || glob === `${kept}*` ? undefined : `${kept}*`;
  }
  const parts = partsOf(glob, separator);
  const isPlain = (part: string): boolean => part !== '' && part !== '*' && part !== '**';
  const at =
    separator === '.' ? parts.findIndex((part) => isPlain(part) && !hasMagic(part)) : parts.findLastIndex(isPlain);
  if (at < 0) return undefined;
  return parts.map((part, index) => (index === at ? '*' : part)).join(separator);
}

/** The parts between separators that stand in no braces. */
function partsOf(glob: string, separator: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const character of glob) {
    if (character === '{') depth++;
    if (character === '}') depth--;
    if (character === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}
