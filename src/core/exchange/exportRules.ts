import { defined } from '../base/json';
import type { LinearRegexEngine } from '../base/linearRegex';
import { say } from '../base/sentence';
import { CompiledRule } from '../policy/rules/compile';
import { accessFacts, type PolicySubject } from '../policy/rules/subject';
import type { SideEffect } from '../vocabulary/access';
import type { Boundary, BoundaryMatch } from '../vocabulary/boundary';
import type { Act, Notes, RuleFormat, Statement, Verdict } from './statement';

/** What a call of each kind touches by itself. A command may touch anything. */
const effects: Readonly<Record<Act, readonly SideEffect[]>> = {
  read: ['fs.read'],
  write: ['fs.read', 'fs.write'],
  fetch: ['network.http'],
  run: ['system.exec', 'system.exec_fetched', 'system.exec_interactive'],
};
const touchedByCommands: readonly SideEffect[] = [
  ...effects.run,
  'fs.read',
  'fs.write',
  'fs.delete',
  'fs.chmod',
  'network.http',
  'network.socket',
  'network.dns',
  'system.env',
];
/** Clauses that say which part of an act is meant in a way that no other tool knows. */
const unknownElsewhere = ['pathNot', 'hostNot', 'privateHost', 'recursive', 'permanent'] as const;

interface ExportOptions {
  /** Denies as a whole what would otherwise be asked about as a whole, because it cannot be said more narrowly. */
  readonly strict: boolean;
  readonly regex?: LinearRegexEngine;
}

interface Written {
  readonly statement: Statement;
  readonly entry: string;
}

/**
 * The rules of a policy as another tool's file. What runs there without a question runs here without one: what
 * restricts here restricts there at least as widely, what allows allows at most as widely, and everything else is told.
 */
export function exportedRules(
  boundaries: readonly Boundary[],
  format: RuleFormat,
  notes: Notes,
  { strict, regex }: ExportOptions,
): string {
  const rules = boundaries
    .filter(({ severity, decision }) => severity === 'hard' && decision !== 'advise')
    .map((boundary) => new CompiledRule(boundary, regex));
  const told = new Set<CompiledRule>();
  const written: Written[] = [];
  const acts = (Object.keys(format.tools) as readonly Act[]).filter((act) => act in effects);
  for (const act of acts) {
    const writer = new ActWriter(act, format, notes, strict);
    for (const rule of rules) if (!rule.isLoosening && writer.restrict(rule)) told.add(rule);
    for (const rule of rules) if (rule.isLoosening && writer.allow(rule)) told.add(rule);
    written.push(...writer.written());
  }
  for (const rule of rules)
    if (!told.has(rule)) notes.add(say('export_elsewhere', rule.boundary.id, format.title), 'information');
  if (format.caveat) notes.add(format.caveat, 'information');
  return format.file(written);
}

/** Writes what rules say about one act. */
class ActWriter {
  readonly #act: Act;
  readonly #format: RuleFormat;
  readonly #notes: Notes;
  readonly #strict: boolean;
  /** A call of each tool: of the one that rules there name, and of those that these rules reach as well. */
  readonly #subjects: readonly PolicySubject[];
  readonly #restricting: Written[] = [];
  readonly #allowing: Written[] = [];
  /** True where a restriction could not be written, so that nothing may be allowed by itself. */
  #holdsBack = false;

  constructor(act: Act, format: RuleFormat, notes: Notes, strict: boolean) {
    this.#act = act;
    this.#format = format;
    this.#notes = notes;
    this.#strict = strict;
    this.#subjects = (format.tools[act] ?? []).map((name) => subjectFor(act, format.agent, name));
  }

  written(): readonly Written[] {
    return this.#holdsBack ? this.#restricting : [...this.#restricting, ...this.#allowing];
  }

  /** Answers whether the rule concerns this act. */
  restrict(rule: CompiledRule): boolean {
    const { id, decision } = rule.boundary;
    const [named, ...others] = this.#subjects.map((subject) => rule.concerns(subject));
    if (named !== true && !others.includes(true)) return false;
    const verdict: Verdict = decision === 'require_approval' ? 'ask' : 'deny';
    const reach = reachOf(rule.match, this.#act);
    if (reach === 'none') return false;
    if (reach === 'touched') {
      this.#notes.add(say('export_commands_ask'), 'information');
      this.#restrict('ask', id);
      return true;
    }
    if (reach.patterns) {
      for (const pattern of reach.patterns) this.#restrict(verdict, id, pattern);
      // A line may hold the command in a way that only its reader here sees.
      if (this.#act === 'run') {
        this.#notes.add(say('export_commands_ask'), 'information');
        this.#restrict('ask', id);
      }
    } else if (reach.isExact && named === true) this.#restrict(verdict, id);
    else this.#inexact(verdict, id);
    return true;
  }

  allow(rule: CompiledRule): boolean {
    const { id } = rule.boundary;
    const concerned = this.#subjects.filter((subject) => rule.concerns(subject));
    if (!rule.isEffective || concerned.length === 0) return false;
    const { match } = rule;
    const own = effects[this.#act];
    if (match.accessAny && !own.every((effect) => hasEffect(match.accessAny ?? [], effect))) return false;
    const patterns = this.#act === 'fetch' ? list(match.host) : list(match.path);
    const others = [...unknownElsewhere, 'command', this.#act === 'fetch' ? 'path' : 'host'] as const;
    if (this.#act === 'run' || others.some((key) => match[key] !== undefined)) {
      if (this.#act === 'run' && (match.path !== undefined || match.host !== undefined)) return false;
      const why = this.#act === 'run' ? 'exchange_why_command_text' : 'exchange_why_clauses';
      this.#notes.add(say('export_dropped', id, say(why)));
      return true;
    }
    if (concerned.length < this.#subjects.length) {
      this.#notes.add(say('export_dropped', id, say('exchange_why_clauses')));
      return true;
    }
    for (const pattern of patterns ?? [undefined])
      if (!this.#write(this.#allowing, 'allow', id, pattern))
        this.#notes.add(say('export_dropped', id, say('exchange_why_pattern')));
    return true;
  }

  /** Writes what is said of the act, or of a pattern of it; false where the tool cannot say it. */
  #write(into: Written[], verdict: Verdict, id: string, pattern: string | undefined): boolean {
    const statement: Statement = { verdict, reach: defined({ act: this.#act, pattern }), from: id };
    const entries = this.#format.entries(statement);
    into.push(...(entries ?? []).map((entry) => ({ statement, entry })));
    return entries !== undefined;
  }

  #restrict(asked: Verdict, id: string, pattern?: string): void {
    const verdict = this.#sayable(asked, id);
    if (!verdict || this.#write(this.#restricting, verdict, id, pattern)) return;
    if (pattern === undefined) this.#unsayable(id);
    else this.#inexact(asked, id);
  }

  /** A part of the act that cannot be told there from the rest of it. */
  #inexact(verdict: Verdict, id: string): void {
    const denies = verdict === 'deny' && this.#strict;
    if (verdict === 'deny' || this.#format.verdicts.includes('ask'))
      this.#notes.add(say(denies ? 'export_denies' : 'export_asks', id, say(`act_${this.#act}`)));
    this.#restrict(denies ? 'deny' : 'ask', id);
  }

  /** The verdict as the tool can say it; undefined where leaving the matter unsaid asks there by itself. */
  #sayable(verdict: Verdict, id: string): Verdict | undefined {
    const { verdicts, passes } = this.#format;
    if (verdicts.includes(verdict)) return verdict;
    if (verdict === 'deny') {
      this.#notes.add(say('export_no_denial', id));
      return this.#sayable('ask', id);
    }
    if (passes.includes(this.#act)) {
      this.#notes.add(say('export_denied_instead', id));
      return 'deny';
    }
    this.#notes.add(say('export_no_question', id), 'information');
    this.#holdsBack = true;
    return undefined;
  }

  #unsayable(id: string): void {
    this.#holdsBack = true;
    this.#notes.add(say('export_not_sayable', id, say(`act_${this.#act}`), this.#format.title));
  }
}

/** A call of a tool about which nothing is known but what it does. */
function subjectFor(act: Act, agent: RuleFormat['agent'], name: string): PolicySubject {
  const isReading = act === 'read' || act === 'fetch';
  return {
    capabilityId: `host_${agent}`,
    capabilityAliases: [],
    tool: { id: `host:${agent}:${name}`, names: [name], modelName: name },
    sideEffects: [],
    costClass: 'free',
    riskLevel: isReading ? 'low' : 'medium',
    source: 'host',
    actor: 'agent',
    unknownArguments: 'strict',
    accesses: (act === 'run' ? touchedByCommands : effects[act]).map((effect) =>
      accessFacts({ effect, resource: 'any' }),
    ),
    requires: [],
  };
}

type Reached =
  /** No call of this kind. */
  | 'none'
  /** Calls of this kind that touch what the rule is about, which their text alone does not tell. */
  | 'touched'
  /** Without patterns: all calls of this kind, exactly or because the part that is meant cannot be told apart. */
  | { readonly patterns?: readonly string[]; readonly isExact: boolean };

function reachOf(match: BoundaryMatch, act: Act): Reached {
  const { accessAny } = match;
  const touches = (some: readonly SideEffect[]): boolean =>
    accessAny === undefined || some.some((effect) => hasEffect(accessAny, effect));
  const isInexact = unknownElsewhere.some((key) => match[key] !== undefined);
  const aboutPath = match.path !== undefined || match.pathNot !== undefined;
  const aboutHost = match.host !== undefined || match.hostNot !== undefined || match.privateHost !== undefined;
  const aboutCommand = match.command !== undefined;
  if (act === 'run') {
    if (aboutCommand) return { patterns: list(match.command) ?? [], isExact: true };
    if (!touches(touchedByCommands)) return 'none';
    if (aboutPath || aboutHost || isInexact || !touches(['system.exec'])) return 'touched';
    return { isExact: true };
  }
  if (!touches(effects[act]) || aboutCommand || (act === 'fetch' ? aboutPath : aboutHost)) return 'none';
  // Nothing here deletes.
  if (match.permanent === true || (match.recursive === true && act !== 'read')) return 'none';
  const patterns = act === 'fetch' ? list(match.host) : list(match.path);
  return defined({ patterns, isExact: !isInexact });
}

/** Tells whether tags name an effect, as rules that restrict read them. */
function hasEffect(tags: readonly SideEffect[], effect: SideEffect): boolean {
  return tags.some((tag) => {
    const one = tag.trim().toLowerCase();
    return one === effect || one === '*' || (one.endsWith('.*') && effect.startsWith(one.slice(0, -1)));
  });
}

const list = (value: string | readonly string[] | undefined): readonly string[] | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? [value] : value;
