/** A map that is taken over from another one without copying it, until either is changed; neither sees the other's. */
export class SharedMap<Value> {
  #entries: Map<string, Value>;
  #isShared = false;

  constructor(from?: SharedMap<Value>) {
    this.#entries = from ? from.#entries : new Map();
    if (from) this.#isShared = from.#isShared = true;
  }

  get(name: string): Value | undefined {
    return this.#entries.get(name);
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  set(name: string, value: Value): void {
    this.#own().set(name, value);
  }

  delete(name: string): void {
    if (this.#entries.has(name)) this.#own().delete(name);
  }

  #own(): Map<string, Value> {
    if (this.#isShared) this.#entries = new Map(this.#entries);
    this.#isShared = false;
    return this.#entries;
  }
}
