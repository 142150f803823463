import { saidBy, say } from '../../base/sentence';
import type { LinearRegexEngine } from '../../base/linearRegex';
import { type Boundary, type BoundaryMatch, listed } from '../../vocabulary/boundary';
import { reasonSaid } from '../../vocabulary/ruleWords';
import { asCalledHere, nowhere, type Places, sparedAsCalledHere } from './placedPatterns';
import type { PathKeys } from './pathKey';
import { type AccessFacts, capabilityNames, type PolicySubject, toolNames } from './subject';
import { RegexMissing } from './argumentTest';
import { accessClauses, clauseKeys, isAccessKey, pathTest, subjectClause } from './clauseTests';

/** One clause that was held against a subject. */
interface ClauseResult {
  readonly clause: keyof BoundaryMatch;
  readonly matched: boolean;
}

/** One clause: cheap checks now, the test when it is first needed. */
interface Clause<Of> {
  readonly key: keyof BoundaryMatch;
  readonly build: () => (of: Of) => boolean;
  test?: (of: Of) => boolean;
}

/**
 * A boundary ready to be held against calls. What its patterns mean is compiled when the first call asks, so that
 * thousands of rules cost nothing to load. Nothing here throws: a clause that cannot be read is left out of a rule that
 * restricts and switches off a rule that loosens, whenever it is found out.
 */
export class CompiledRule {
  /** The clauses that could be read, with every name that the places have here in what restricts. */
  readonly match: BoundaryMatch;
  /** True for rules that only loosen; they need every access to match, others need one. */
  readonly isLoosening: boolean;
  /** True where a clause is about an access. */
  readonly hasAccessClauses: boolean;
  /** True while an expression waits for its engine, during which the rule fires as if the clause were left out. */
  readonly waitsForRegex: boolean;
  readonly #mayLoosen: boolean;
  readonly #failsClosed: boolean;
  readonly #here: Places;
  readonly #subjectClauses: Clause<PolicySubject>[] = [];
  readonly #accessClauses: Clause<AccessFacts>[] = [];
  #boundary: Boundary;
  #reasons: readonly { readonly reason: Boundary['reason']; readonly test: (keys: PathKeys) => boolean }[] | undefined;

  /** @param here where the places lie that what restricts may name in several ways. */
  constructor(boundary: Boundary, regex: LinearRegexEngine | undefined, here: Places = nowhere) {
    this.#here = here;
    this.#boundary = boundary;
    this.isLoosening = boundary.decision === 'allow';
    this.#mayLoosen = boundary.scope === 'user' || boundary.scope === 'managed' || boundary.scope === 'builtin';
    this.#failsClosed = boundary.decision !== 'allow' && boundary.decision !== 'advise';
    const match: { -readonly [K in keyof BoundaryMatch]: BoundaryMatch[K] } = { ...boundary.match };
    // What is left alone by what loosens restricts as well.
    const broad = this.isLoosening ? 'pathNot' : 'path';
    const written = listed(match[broad] ?? undefined);
    if (written.length > 0) match[broad] = asCalledHere(written, here);
    const spared = this.isLoosening ? [] : listed(match.pathNot ?? undefined);
    if (spared.length > 0) match.pathNot = sparedAsCalledHere(spared, here);
    this.waitsForRegex = regex === undefined && needsRegex(boundary);
    const add = <Of>(clauses: Clause<Of>[], key: keyof BoundaryMatch, read: () => () => (of: Of) => boolean): void => {
      // What we ship is checked by tests; some two hundred patterns would make the start wait.
      if (boundary.scope === 'builtin') return void clauses.push({ key, build: () => read()() });
      try {
        clauses.push({ key, build: read() });
      } catch (error) {
        delete match[key];
        this.#fault(key, error);
      }
    };
    for (const key of clauseKeys(match)) {
      if (isAccessKey(key))
        add(this.#accessClauses, key, () => accessClauses[key](boundary.match, this.isLoosening, match));
      else add(this.#subjectClauses, key, () => subjectClause(key, boundary.match, this.isLoosening, regex));
    }
    this.match = match;
    this.hasAccessClauses = this.#accessClauses.length > 0;
  }

  get boundary(): Boundary {
    return this.#boundary;
  }

  /**
   * False for a rule that can never have an effect: a faulty `allow` or `advise`, an `allow` from where nothing may be
   * loosened.
   */
  get isEffective(): boolean {
    return (
      (this.#failsClosed || (this.#boundary.faults === undefined && !this.waitsForRegex)) &&
      (!this.isLoosening || this.#mayLoosen)
    );
  }

  /** True where the rule has an effect, the subject is none of its exceptions and all but its accesses match. */
  concerns(subject: PolicySubject): boolean {
    return (
      this.isEffective &&
      !this.isException(subject) &&
      this.#subjectClauses.every((clause) => this.#test(clause, subject)) &&
      // A test can find out that the rule has a fault.
      this.isEffective
    );
  }

  matchesAccess(facts: AccessFacts): boolean {
    return this.#accessClauses.every((clause) => this.#test(clause, facts)) && this.isEffective;
  }

  /** Why it fires for a subject: the reason of the boundary, or the one that it has for the path that is touched. */
  reasonFor(subject: PolicySubject): Boundary['reason'] {
    const { reason, reasons, match } = this.#boundary;
    if (match.flow && subject.flow?.story) return say('flow_because', reasonSaid(reason), subject.flow.story());
    if (reasons === undefined) return reason;
    // Most rules never fire, so their reasons are compiled when the first is asked for.
    this.#reasons ??= reasons.map((one) => ({
      reason: one.reason,
      test: pathTest(this.isLoosening ? one.path : asCalledHere(one.path, this.#here), this.isLoosening),
    }));
    for (const facts of subject.accesses) {
      const { path } = facts;
      if (path === undefined || !this.matchesAccess(facts)) continue;
      const found = this.#reasons.find((one) => one.test(path));
      if (found) return found.reason;
    }
    return reason;
  }

  isException(subject: PolicySubject): boolean {
    const { exceptions } = this.#boundary;
    if (exceptions.length === 0) return false;
    // An exception loosens a rule that restricts.
    return [capabilityNames, toolNames].some((namesOf) =>
      namesOf(subject, !this.isLoosening).some((name) => exceptions.includes(name)),
    );
  }

  /** Every clause by itself, for `why`. */
  clauses(subject: PolicySubject): readonly ClauseResult[] {
    return [
      ...this.#subjectClauses.map((clause) => ({ clause: clause.key, matched: this.#test(clause, subject) })),
      ...this.#accessClauses.map((clause) => ({
        clause: clause.key,
        matched: subject.accesses.some((facts) => this.#test(clause, facts)),
      })),
    ];
  }

  /** Compiles now what else waits for the first call, so that every fault is known. */
  prepare(): void {
    for (const clause of this.#subjectClauses) this.#built(clause);
    for (const clause of this.#accessClauses) this.#built(clause);
  }

  /** A clause that cannot be told counts as matching where the rule restricts, and as not matching where it loosens. */
  #test<Of>(clause: Clause<Of>, of: Of): boolean {
    try {
      return this.#built(clause)(of);
    } catch (error) {
      this.#fault(clause.key, error);
      return this.#failsClosed;
    }
  }

  #built<Of>(clause: Clause<Of>): (of: Of) => boolean {
    if (clause.test) return clause.test;
    try {
      return (clause.test = clause.build());
    } catch (error) {
      if (!(error instanceof RegexMissing)) this.#fault(clause.key, error);
      const failsClosed = this.#failsClosed;
      return (clause.test = () => failsClosed);
    }
  }

  #fault(key: keyof BoundaryMatch, error: unknown): void {
    if (this.#boundary.faults !== undefined) return;
    this.#boundary = { ...this.#boundary, faults: [{ at: `/match/${key}`, said: saidBy(error) }] };
  }
}

/** Tells whether a rule needs the engine for expressions. */
export function needsRegex(boundary: Boundary): boolean {
  return (
    boundary.match.idRegex !== undefined ||
    Object.values(boundary.match.argument ?? {}).some((matcher) => matcher.regex !== undefined)
  );
}
