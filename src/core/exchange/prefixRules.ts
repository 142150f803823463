import { SaidError, say } from '../base/sentence';

/** One `prefix_rule` of Codex: words in their order, each with its alternatives. */
interface PrefixRule {
  readonly pattern: readonly (readonly string[])[];
  readonly decision: string;
}

type Value = string | readonly Value[];

/**
 * Reads the calls of a `.rules` file. It is a subset of Starlark: calls with named strings and lists. Anything else
 * could compute rules that nobody sees here, so it is refused. Throws a `SaidError`.
 */
export function readPrefixRules(text: string): {
  readonly rules: readonly PrefixRule[];
  readonly others: readonly string[];
} {
  const reader = new Reader(text);
  const rules: PrefixRule[] = [];
  const others: string[] = [];
  while (!reader.atEnd()) {
    const name = reader.name();
    const values = reader.call();
    if (name !== 'prefix_rule') {
      others.push(name);
      continue;
    }
    const pattern = values.get('pattern');
    const decision = values.get('decision') ?? 'allow';
    if (typeof pattern !== 'object' || typeof decision !== 'string') return reader.fault();
    rules.push({ pattern: pattern.map((one) => alternatives(one, reader)), decision });
  }
  return { rules, others };
}

function alternatives(value: Value, reader: Reader): readonly string[] {
  if (typeof value === 'string') return [value];
  return value.map((one) => (typeof one === 'string' ? one : reader.fault()));
}

class Reader {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  atEnd(): boolean {
    return this.#peek() === '';
  }

  name(): string {
    this.#peek();
    return this.#match(/[A-Za-z_]\w*/y) ?? this.fault();
  }

  call(): ReadonlyMap<string, Value> {
    const values = new Map<string, Value>();
    this.#take('(');
    while (this.#peek() !== ')') {
      const name = this.name();
      this.#take('=');
      values.set(name, this.#value(0));
      if (this.#peek() !== ')') this.#take(',');
    }
    this.#take(')');
    return values;
  }

  fault(): never {
    const line = this.#text.slice(0, this.#at).split('\n').length;
    throw new SaidError(say('import_unreadable', 'Codex', say('import_starlark', line)));
  }

  #value(depth: number): Value {
    const next = this.#peek();
    if (next !== '[') return this.#string();
    if (depth > 2) return this.fault();
    this.#take('[');
    const items: Value[] = [];
    while (this.#peek() !== ']') {
      items.push(this.#value(depth + 1));
      if (this.#peek() !== ']') this.#take(',');
    }
    this.#take(']');
    return items;
  }

  /** One string on one line, with the escapes that every reader of Starlark takes alike. */
  #string(): string {
    this.#peek();
    const text = this.#match(/"(?:[^"\\\n]|\\[\\"'nt])*"|'(?:[^'\\\n]|\\[\\"'nt])*'/y) ?? this.fault();
    if (/["']/.test(this.#text[this.#at] ?? '')) return this.fault();
    return text
      .slice(1, -1)
      .replace(/\\(.)/g, (_whole, sign: string) => (sign === 'n' ? '\n' : sign === 't' ? '\t' : sign));
  }

  #take(sign: string): void {
    if (this.#peek() !== sign) this.fault();
    this.#at += sign.length;
  }

  /** The next sign that counts. */
  #peek(): string {
    this.#match(/(?:\s|#[^\n]*)*/y);
    return this.#text[this.#at] ?? '';
  }

  #match(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}
