import type { FlowLabel, FlowSource } from '../vocabulary/flow';
import { entryOf } from '../base/maps';
import { ofNobody } from './origins';
import { SeenLinks } from './links';

const mostSources = 50;
const mostOrigins = 100;
const mostSaid = 2000;

/** What is known of one session of an agent. */
export class FlowSession {
  readonly links = new SeenLinks();
  /** Files and notes that this session gave its labels to, by their keys. */
  readonly written = new Set<string>();
  readonly #sources: Readonly<Record<FlowLabel, Map<string, FlowSource>>> = {
    private: new Map(),
    untrusted: new Map(),
  };
  readonly #said = new Map<string, Set<string>>();

  readonly id: string;
  /** True for one of another agent, which goes on in another process. */
  readonly isKept: boolean;

  constructor(id: string, isKept: boolean) {
    this.id = id;
    this.isKept = isKept;
  }

  sources(label: FlowLabel): readonly FlowSource[] {
    return [...this.#sources[label].values()];
  }

  /** True where it was not known. */
  add(source: FlowSource): boolean {
    const known = this.#sources[source.label];
    const key = JSON.stringify([source.origin ?? '', source.kind, source.resource]);
    if (known.has(key)) return false;
    if (known.size >= mostSources) {
      // Which sources there are may be cut short, but never of whom: what is of others must not look like one's own.
      if ([...known.values()].some(({ origin }) => origin === source.origin)) return false;
      if (source.origin !== undefined && known.size >= mostOrigins) return this.add(ofNobody(source));
    }
    known.set(key, source);
    return true;
  }

  clear(label: FlowLabel): void {
    this.#sources[label].clear();
  }

  /** Keeps what was given to a server while there was nothing private to give. */
  say(callee: string, words: Iterable<string>): void {
    const said = entryOf(this.#said, callee, new Set());
    for (const word of words) if (said.size < mostSaid && word.length <= 200) said.add(word);
  }

  hasSaid(callee: string, word: string): boolean {
    return this.#said.get(callee)?.has(word) === true;
  }
}
