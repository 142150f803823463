import { setLast } from '../base/maps';

/** A secret that was hidden from a session of an agent, as a person is told of it: never its value. */
export interface HiddenSecret {
  /** The agent's session, by its id. */
  readonly session: string;
  readonly placeholder: string;
  readonly kind: string;
  /** What the call read that brought it: a path, an address. Secrets in it are hidden. */
  readonly from: string;
  /** The tool that brought it, by the name that models see. */
  readonly tool: string;
  /** True while the next result that holds it would show it. */
  readonly isAllowed: boolean;
}

export interface ShownOnceOptions {
  /** A clock that never goes back, in milliseconds. */
  readonly now: () => number;
  /** In a workspace that nobody trusts nothing is shown, whatever was allowed before. */
  readonly isTrusted: () => boolean;
  readonly onAllowed: (session: string, placeholder: string) => void;
  readonly onWithdrawn: (session: string, placeholder: string) => void;
}

/** A yes counts for so long, in milliseconds. */
export const allowedMs = 10 * 60_000;
const mostSessions = 50;
const mostSecrets = 200;

interface Met {
  readonly kind: string;
  readonly from: string;
  readonly tool: string;
  until?: number;
}

/** Which secrets were hidden from which session, and which of them a person lets it see once. Kept in memory alone. */
export class ShownOnce {
  readonly #options: ShownOnceOptions;
  /** By session and placeholder; what was used last stands last. */
  readonly #met = new Map<string, Map<string, Met>>();

  constructor(options: ShownOnceOptions) {
    this.#options = options;
  }

  /** Remembers what was hidden in a result. What is remembered already keeps its yes. */
  noteHidden(session: string, placeholders: Iterable<string>, from: string, tool: string): void {
    const met = this.#met.get(session) ?? new Map<string, Met>();
    for (const placeholder of placeholders) {
      const until = met.get(placeholder)?.until;
      const one = { kind: kindOf(placeholder), from, tool, ...(until === undefined ? {} : { until }) };
      setLast(met, placeholder, one, mostSecrets);
    }
    if (met.size > 0) setLast(this.#met, session, met, mostSessions);
  }

  /** What a person may choose from, the latest first; nothing in a workspace that nobody trusts. */
  list(): readonly HiddenSecret[] {
    if (!this.#options.isTrusted()) return [];
    return [...this.#met]
      .flatMap(([session, met]) =>
        [...met].map(([placeholder, { kind, from, tool, until }]) => {
          return { session, placeholder, kind, from, tool, isAllowed: this.#isOpen(until) };
        }),
      )
      .reverse();
  }

  /** After a person said yes. False where it is not known any more, or the workspace is not trusted. */
  allow(session: string, placeholder: string): boolean {
    const met = this.#met.get(session)?.get(placeholder);
    if (!met || !this.#options.isTrusted()) return false;
    met.until = this.#options.now() + allowedMs;
    this.#options.onAllowed(session, placeholder);
    return true;
  }

  /** Takes a yes back that was not used. */
  withdraw(session: string, placeholder: string): void {
    const met = this.#met.get(session)?.get(placeholder);
    if (met?.until === undefined) return;
    delete met.until;
    this.#options.onWithdrawn(session, placeholder);
  }

  /** Those of some placeholders whose values the session may see now. */
  allowed(session: string, placeholders: Iterable<string>): readonly string[] {
    const met = this.#met.get(session);
    if (!met || !this.#options.isTrusted()) return [];
    return [...placeholders].filter((one) => this.#isOpen(met.get(one)?.until));
  }

  /** Ends a yes, because its value is shown now. */
  use(session: string, placeholder: string): void {
    const met = this.#met.get(session)?.get(placeholder);
    if (met) delete met.until;
  }

  #isOpen(until: number | undefined): boolean {
    return until !== undefined && this.#options.now() < until;
  }
}

/** The part of a placeholder that names the kind. */
const kindOf = (placeholder: string): string => placeholder.split(':')[1] ?? '';
