import { type Problem, problem } from '../base/problem';
import { say, type Sentence, type SentenceCode } from '../base/sentence';
import type { HostAgent } from '../hooks/hostEvent';
import type { Boundary } from '../vocabulary/boundary';

/** What rules of other tools are about. */
export type Act = 'read' | 'write' | 'run' | 'fetch';

/** What a rule of another tool does; what no rule says is left to that tool's own mode. */
export type Verdict = 'deny' | 'ask' | 'allow';

/** What a statement is about; without a pattern, all of it. */
export type Reach =
  /** `pattern` is a path glob as rules here have it. */
  | { readonly act: 'read' | 'write'; readonly pattern?: string }
  /** `pattern` is a host glob as rules here have it. */
  | { readonly act: 'fetch'; readonly pattern?: string }
  /** `pattern` is a command line in which `*` stands for any text. */
  | { readonly act: 'run'; readonly pattern?: string }
  /** `pattern` is a glob over the ids and names of tools. */
  | { readonly act: 'tool'; readonly pattern: string }
  | { readonly act: 'any' };

/** One rule, in words that both sides have. */
export interface Statement {
  readonly verdict: Verdict;
  readonly reach: Reach;
  /** As its author wrote it: an entry of the other tool's file, or the id of a rule here. */
  readonly from: string;
}

/** A statement for each of some reaches. */
export const statements = (verdict: Verdict, from: string, reaches: readonly Reach[]): readonly Statement[] =>
  reaches.map((reach) => ({ verdict, reach, from }));

/** What is reached of one act by some patterns. */
export const matching = (act: Act, patterns: readonly string[]): readonly Reach[] =>
  patterns.map((pattern) => ({ act, pattern }));

/** Where the files of the other tool are read, for paths that are written from the root or from home. */
export interface Place {
  /** Absolute, with `/`. */
  readonly folder: string;
  readonly home?: string;
}

/** Why something cannot be said on the other side. */
type Why = Extract<SentenceCode, `exchange_why_${string}`>;

/** Gathers what cannot be said on the other side, each thing once. */
export class Notes {
  readonly #found = new Map<string, Problem>();

  get problems(): readonly Problem[] {
    return [...this.#found.values()];
  }

  add(said: Sentence, severity: Problem['severity'] = 'warning'): void {
    const note = problem({ severity, said });
    this.#found.set(note.message, note);
  }

  /**
   * Tells of an entry of another tool that no rule here says exactly. What it allows is left out; what it restricts
   * restricts all of the act.
   */
  inexact(from: string, verdict: Verdict, act: Act | 'any', why: Why): readonly Reach[] {
    this.add(say(verdict === 'allow' ? 'import_dropped' : 'import_widened', from, say(why)));
    return verdict === 'allow' ? [] : [{ act }];
  }

  /** Tells of an entry of another tool that nobody here can read. */
  unknown(entry: string): readonly never[] {
    this.add(say('import_unknown', entry), 'error');
    return [];
  }
}

/** The rules of another tool: how its file is read and written. */
export interface RuleFormat {
  /** What people call the tool. */
  readonly title: string;
  readonly agent: HostAgent;
  /** A file in which the tool reads rules, as people write it: from the project, or from home with `~`. */
  readonly rulesFile: string;
  /**
   * Its tools for each act that its rules can be about: first the one that they name, then those that are reached by
   * it.
   */
  readonly tools: Readonly<Partial<Record<Act, readonly string[]>>>;
  readonly verdicts: readonly Verdict[];
  /** True where the tool reads files of the workspace without a question, as its documentation says. */
  readonly readsFreely: boolean;
  /** Acts that its own defaults let pass without a question; what asks here must be written there. */
  readonly passes: readonly Act[];
  /** Reads a file. Throws a `SaidError` where it cannot be read at all. */
  read(text: string, place: Place, notes: Notes): readonly Statement[];
  /** The entries that say a statement, together no narrower where it restricts and no wider where it allows. */
  entries(statement: Statement): readonly string[] | undefined;
  /** The file of entries, in the order of deny, ask, allow. */
  file(entries: readonly { readonly statement: Statement; readonly entry: string }[]): string;
  /** What holds of every file, such as how patterns are matched there. */
  readonly caveat?: Sentence;
}

/** A rule as `boundaries.json` holds it. */
export type RuleRow = Pick<Boundary, 'id' | 'match' | 'decision'> & { readonly reason: string };
