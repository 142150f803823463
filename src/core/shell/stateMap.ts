/** A place in the past of a map: how many changes it had had. */
export type Mark = number;

/** How two values that one name may have become one; undefined stands for none at all. */
type Join<Value> = (one: Value | undefined, other: Value | undefined) => Value | undefined;

/**
 * A map that remembers its changes, so that what stood there before stays possible where it is not sure that they came
 * to be. It is taken over from another one without copying it, until either is changed; neither sees the other's.
 */
export class StateMap<Value> {
  readonly #join: Join<Value>;
  #entries: Map<string, Value>;
  #isShared = false;
  #past: (readonly [name: string, before: Value | undefined])[] = [];

  constructor(from: StateMap<Value> | Join<Value>) {
    const isNew = typeof from === 'function';
    this.#join = isNew ? from : from.#join;
    this.#entries = isNew ? new Map() : from.#entries;
    if (!isNew) this.#isShared = from.#isShared = true;
  }

  get(name: string): Value | undefined {
    return this.#entries.get(name);
  }

  entries(): IterableIterator<[string, Value]> {
    return this.#entries.entries();
  }

  /** Undefined takes the name away. */
  set(name: string, value: Value | undefined): void {
    const before = this.#entries.get(name);
    if (before === value) return;
    if (this.#isShared) this.#entries = new Map(this.#entries);
    this.#isShared = false;
    this.#past.push([name, before]);
    if (value === undefined) this.#entries.delete(name);
    else this.#entries.set(name, value);
  }

  mark(): Mark {
    return this.#past.length;
  }

  /** The names that changed since then, with what they had. */
  before(mark: Mark): ReadonlyMap<string, Value | undefined> {
    const first = new Map<string, Value | undefined>();
    for (let at = mark; at < this.#past.length; at++) {
      const [name, before] = this.#past[at] ?? [''];
      if (!first.has(name)) first.set(name, before);
    }
    return first;
  }

  /** Makes all that a name was since then possible now. */
  weaken(mark: Mark): void {
    const values = new Map<string, Set<Value | undefined>>();
    for (const [name, before] of this.#past.slice(mark)) {
      const known = values.get(name);
      if (known) known.add(before);
      else values.set(name, new Set([before]));
    }
    const first = this.before(mark);
    for (const [name, all] of values) {
      let joined = this.get(name);
      for (const value of all) if (value !== joined) joined = this.#join(value, joined);
      this.set(name, joined);
    }
    // What a name was in between is within what it is now.
    this.#past.length = mark;
    for (const one of first) this.#past.push(one);
  }

  /** What the names that changed since then are now, where they are put back to what they were. */
  rewind(mark: Mark): ReadonlyMap<string, Value | undefined> {
    const before = this.before(mark);
    const now = new Map([...before.keys()].map((name) => [name, this.get(name)] as const));
    for (const [name, value] of before) this.set(name, value);
    return now;
  }

  /** Adds what may have become of the names on another way since then. */
  merge(other: ReadonlyMap<string, Value | undefined>, mark: Mark): void {
    const before = this.before(mark);
    for (const name of new Set([...before.keys(), ...other.keys()])) {
      const [here, there] = [this.get(name), other.has(name) ? other.get(name) : before.get(name)];
      if (here !== there) this.set(name, this.#join(there, here));
    }
  }
}
