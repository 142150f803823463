import { say, type Sentence } from '../../base/sentence';
import { cutEnd } from '../../base/text';
import { type Access, familyOf, type SideEffect } from '../../vocabulary/access';
import { type Event, Emitter } from '../../base/event';
import { type LinearRegexEngine, loadLinearRegex } from '../../base/linearRegex';
import type { Disposable } from '../../base/lifecycle';
import { isSameList } from '../../base/order';
import { deny } from '../../call/stepAnswer';
import { deniedByPolicy } from '../../vocabulary/errors';
import type { BoundaryJudge, GateCall } from '../../call/gateCall';
import type { ResolvedProfile } from '../../profiles/profile';
import type { RegisteredTool } from '../../registry/registry';
import type { Boundary } from '../../vocabulary/boundary';
import { CompiledRule, needsRegex } from './compile';
import { decide, fires, type PolicyDecision } from './decide';
import { ruleWords } from '../../vocabulary/ruleWords';
import { RuleIndex } from './ruleIndex';
import { nowhere, type Places } from './placedPatterns';
import { rememberedPathKeys } from './pathKey';
import { type PathScreen, PathScreens } from './screen';
import { type PolicySubject, subjectOf } from './subject';
import { deniedSuspect } from './suspects';
import type { StepAnswer } from '../../vocabulary/decision';

/** So many places are judged one by one. */
const fewSuspects = 300;

/**
 * Judges accesses by all boundaries in force. Rules can be replaced at any time; a call that is being judged sees the
 * old or the new ones, never a mixture.
 */
export class PolicyEngine implements BoundaryJudge, Disposable {
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;
  #profileRules = new WeakMap<ResolvedProfile, readonly CompiledRule[]>();
  #compiled = new WeakMap<Boundary, CompiledRule>();
  readonly #screens = new PathScreens();
  readonly #keysOf = rememberedPathKeys();
  /** The last screen of each tool, for as long as the same rules count and none looks at arguments. */
  readonly #screened = new WeakMap<RegisteredTool, Screened>();
  #asksArguments = false;
  #boundaries: readonly Boundary[] = [];
  #rules: readonly CompiledRule[] = [];
  #index = new RuleIndex([]);
  #revision = 0;
  #regex: LinearRegexEngine | undefined;
  #loading: Promise<void> | undefined;
  readonly #places: () => Places;
  #here: Places = nowhere;
  readonly #loadRegex: () => Promise<LinearRegexEngine>;

  /** @param places where folders and home lie now; rules are compiled anew where they lie elsewhere. */
  constructor(
    rules: readonly Boundary[] = [],
    loadRegex: () => Promise<LinearRegexEngine> = loadLinearRegex,
    places: () => Places = () => nowhere,
  ) {
    this.#loadRegex = loadRegex;
    this.#places = places;
    this.#compile(rules);
  }

  /** An engine of its own for other rules over the same places. */
  withRules(rules: readonly Boundary[]): PolicyEngine {
    return new PolicyEngine(rules, this.#loadRegex, this.#places);
  }

  get boundaries(): readonly Boundary[] {
    return this.#boundaries;
  }

  /**
   * Replaces all rules; the very same ones change nothing. Until an engine for expressions is loaded (a few
   * milliseconds, once), a rule with one fires for what its other clauses match; await `ready` to judge by the whole
   * rule.
   */
  setRules(rules: readonly Boundary[]): void {
    if (isSameList(rules, this.#boundaries)) return;
    this.#compile(rules);
    this.#changed.fire();
  }

  /**
   * Resolves when every expression is compiled. Rejects where the engine cannot be loaded; rules with expressions then
   * stay closed.
   */
  get ready(): Promise<void> {
    return this.#loading ?? Promise.resolve();
  }

  get revision(): number {
    this.#lookAround();
    return this.#revision;
  }

  /** Compiles all rules anew where a folder came, went or was found to lie elsewhere. */
  #lookAround(): void {
    if (this.#places() !== this.#here) this.#compile(this.#boundaries);
  }

  #compile(rules: readonly Boundary[]): void {
    const here = this.#places();
    if (here !== this.#here) {
      this.#here = here;
      this.#compiled = new WeakMap();
      this.#profileRules = new WeakMap();
    }
    this.#revision++;
    this.#boundaries = rules;
    this.#rules = rules.map((rule) => this.#compiledRule(rule));
    this.#index = new RuleIndex(this.#rules);
    this.#asksArguments = this.#rules.some(asksArguments);
    if (!this.#regex && rules.some(needsRegex)) void this.#load();
  }

  /** A rule that was there before is not compiled again, so that replacing one of many rules costs one. */
  #compiledRule(boundary: Boundary): CompiledRule {
    const known = this.#compiled.get(boundary);
    if (known && !known.waitsForRegex) return known;
    const rule = new CompiledRule(boundary, this.#regex, this.#here);
    this.#compiled.set(boundary, rule);
    return rule;
  }

  #load(): Promise<void> {
    this.#loading ??= this.#loadRegex().then(
      (regex) => {
        this.#regex = regex;
        this.#compile(this.#boundaries);
        this.#changed.fire();
      },
      (error: unknown) => {
        this.#loading = undefined;
        throw error;
      },
    );
    // The rejection is for whoever awaits `ready`; nobody has to.
    this.#loading.catch(() => {});
    return this.#loading;
  }

  judge(call: GateCall, accesses: readonly Access[]): StepAnswer {
    const subject = subjectOf(call, accesses, this.#keysOf);
    // What was met while running is judged by rules about accesses; those about the call as a whole were judged with
    // the call.
    let base: PolicySubject | undefined;
    const wasJudged = (rule: CompiledRule): boolean =>
      fires(rule, (base ??= subjectOf(call, call.accesses, this.#keysOf)));
    const decision = decide(
      this.candidates(subject, call.profile),
      subject,
      accesses === call.accesses ? undefined : wasJudged,
    );
    const answer = answerOf(decision);
    if (answer.effect === 'deny' || !call.suspects || accesses !== call.accesses) return answer;
    return this.#deniedSuspect(call, call.suspects) ?? answer;
  }

  /** What the arguments of a foreign tool might mean is judged by rules that deny alone. */
  #deniedSuspect(call: GateCall, suspects: readonly Access[]): StepAnswer | undefined {
    const subject = subjectOf(call, this.#tellingApart(call, suspects), this.#keysOf);
    const found = deniedSuspect(this.candidates(subject, call.profile), subject);
    if (!found) return undefined;
    const { boundary } = found.rule;
    const words = ruleWords(boundary, found.reason);
    const reason = whereFound(found.access, words.reason);
    return {
      ...deny('boundaries', deniedByPolicy(words.id, reason, words.steer)),
      reasons: [{ said: say('boundary_says', words.id, reason), rule: boundary.id }],
    };
  }

  /** Of very many files those of which rules may say something of their own, and one of all others of a kind. */
  #tellingApart(call: GateCall, suspects: readonly Access[]): readonly Access[] {
    if (suspects.length < fewSuspects) return suspects;
    const screens = new Map<SideEffect, PathScreen | undefined>();
    const told = new Set<string>();
    return suspects.filter(({ effect, resource, suspected, mentioned, below, recursive, permanent }) => {
      if (familyOf(effect) !== 'fs' || recursive || permanent) return true;
      if (!screens.has(effect)) screens.set(effect, this.screen(call, effect));
      const kind = `${effect} ${suspected} ${mentioned} ${below}`;
      if (screens.get(effect)?.(resource) !== true) return true;
      const isFirst = !told.has(kind);
      told.add(kind);
      return isFirst;
    });
  }

  /**
   * A quick test for many paths of one call: what passes is judged alike, so one verdict holds for all of them. It
   * passes nothing once the rules have changed. Undefined where a rule has to see every path.
   */
  screen(call: GateCall, effect: SideEffect): PathScreen | undefined {
    this.#lookAround();
    // Where a file lies can make it a way out, and what was read changes from call to call.
    const reads = call.flow !== undefined && call.flow.private.length > 0;
    if (reads && (effect !== 'fs.read' || this.#rules.some(asksFlowOfPaths))) return undefined;
    const rules = this.#rules;
    const own = this.#ofProfile(call.profile);
    const asked = `${call.actor.type} ${effect}`;
    const known = this.#screened.get(call.tool);
    if (known?.asked === asked && known.rules === rules && known.own === own) return known.screen;
    const subject = subjectOf(call, [{ effect, resource: 'any' }]);
    const passes = this.#screens.of([...rules, ...own], subject);
    const screen: PathScreen | undefined = passes && ((path) => this.#rules === rules && passes(path));
    // All else that a rule can ask about a call is the same for all calls of its tool.
    if (!this.#asksArguments && !own.some(asksArguments)) this.#screened.set(call.tool, { asked, rules, own, screen });
    return screen;
  }

  /**
   * Judges any subject by the rules that judge calls; the capabilities' own boundaries hold where a profile is given.
   */
  decide(subject: PolicySubject, profile?: ResolvedProfile): PolicyDecision {
    return decide(this.candidates(subject, profile), subject);
  }

  /** Every rule in force, for `why`, the linter and the resolver. */
  rules(profile?: ResolvedProfile): readonly CompiledRule[] {
    this.#lookAround();
    return profile ? [...this.#rules, ...this.#ofProfile(profile)] : this.#rules;
  }

  candidates(subject: PolicySubject, profile?: ResolvedProfile): Iterable<CompiledRule> {
    this.#lookAround();
    const found = this.#index.candidates(subject);
    const own = profile ? this.#ofProfile(profile) : [];
    return own.length === 0 ? found : [...found, ...own];
  }

  /** The boundaries that hold while a capability is enabled; they restrict, whatever they say. */
  #ofProfile(profile: ResolvedProfile): readonly CompiledRule[] {
    const known = this.#profileRules.get(profile);
    if (known) return known;
    const boundaries = profile.carriers.flatMap((capability) => capability.boundaries ?? []);
    const rules = boundaries.map(
      (boundary) => new CompiledRule({ ...boundary, scope: 'profile' }, this.#regex, this.#here),
    );
    if (rules.some((rule) => rule.waitsForRegex)) void this.#load();
    else this.#profileRules.set(profile, rules);
    return rules;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

interface Screened {
  readonly asked: string;
  readonly rules: readonly CompiledRule[];
  readonly own: readonly CompiledRule[];
  readonly screen: PathScreen | undefined;
}

function asksFlowOfPaths({ match }: CompiledRule): boolean {
  return match.flow !== undefined && (match.path !== undefined || match.pathNot !== undefined);
}

function asksArguments({ match }: CompiledRule): boolean {
  return match.argument !== undefined;
}

/**
 * Turns a decision into the gate's answer; a denial tells the model the rule, the reason and what is allowed instead.
 */
function answerOf(decision: PolicyDecision): StepAnswer {
  const { deniedBy } = decision;
  const words = deniedBy && ruleWords(deniedBy.boundary, deniedBy.reason);
  const error = words && deniedByPolicy(words.id, words.reason, words.steer);
  return {
    step: 'boundaries',
    effect: decision.effect,
    reasons: decision.reasons,
    ...(error ? { error: error.data, said: error.said } : {}),
    ...(decision.waivedBy.length > 0 ? { waivedBy: decision.waivedBy } : {}),
  };
}

/** A name that means the same as a pattern for names, in every list of them. */
const plainName = /^[\w.@+~%=-]+$/;

/** The reason of a rule that denies, with the place that it is about, and what to leave out where more is searched. */
function whereFound({ resource, below, leftOutBy }: Access, reason: Sentence): Sentence {
  const place = cutEnd(resource, 200);
  if (!below) return say('argument_names', reason, place);
  if (leftOutBy === undefined) return say('folder_holds', reason, place);
  const name = resource.slice(resource.lastIndexOf('/') + 1);
  if (leftOutBy === '' || !plainName.test(name)) return say('search_holds_inside', reason, place);
  return say('search_holds', reason, place, `${leftOutBy}: "!${name}"`);
}
