import { Emitter, type Event } from '../base/event';
import type { Disposable } from '../base/lifecycle';

/** More found tools than this push the oldest out: a request carries 128 at most, and others bring theirs. */
const mostFound = 60;

/** The tools that a search found since the profile became active, by the names that models see; latest last. */
export class FoundTools implements Disposable {
  readonly #changed = new Emitter<void>();
  #names: ReadonlySet<string> = new Set();

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  get names(): ReadonlySet<string> {
    return this.#names;
  }

  add(names: readonly string[]): void {
    const fresh = names.filter((name) => !this.#names.has(name));
    if (fresh.length === 0) return;
    this.#names = new Set([...this.#names, ...fresh].slice(-mostFound));
    this.#changed.fire();
  }

  clear(): void {
    if (this.#names.size === 0) return;
    this.#names = new Set();
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
