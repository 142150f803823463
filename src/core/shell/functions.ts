import type { Function as ShellFunction } from 'unbash';
import { type Field, opennessOf } from './field';
import type { Scope, ShellFunctions } from './scope';
import type { Ways } from './ways';

/** The functions of one line. One that nothing in it calls may be called by something else: it is read at the end. */
export class LineFunctions {
  readonly #called = new Set<string>();
  /** What reads the bodies of functions that nothing may call, by name and place. */
  readonly #uncalled = new Map<string, () => void>();
  /** Those functions of which the body is being read, which do not call themselves again. */
  readonly #reading = new Set<string>();

  /** From here on the name means it. @param read reads its body where nothing calls it. */
  define({ name: { value: name }, body, pos }: ShellFunction, scope: Scope, read: () => void): void {
    scope.functions.set(name, { bodies: [body], isSure: true, isExported: false });
    this.#uncalled.set(`${name} ${pos}`, () => {
      if (this.#called.has(name)) return;
      this.#reading.add(name);
      read();
      this.#reading.delete(name);
    });
  }

  /** What a call of the name means. */
  meant(name: string, scope: Scope): ShellFunctions | undefined {
    return this.#reading.has(name) ? undefined : scope.functions.get(name);
  }

  called(name: string): void {
    this.#called.add(name);
  }

  readUncalled(): void {
    for (const [key, read] of this.#uncalled) {
      this.#uncalled.delete(key);
      read();
    }
  }
}

/** A function has its own arguments and its own variables, which end with it. @param body walks over what it does. */
export function readCall(
  args: readonly Field[],
  { scope, ways }: { readonly scope: Scope; readonly ways: Ways },
  body: () => string | undefined,
): string | undefined {
  const [mark, locals, jumps] = [scope.now(), scope.locals, scope.jumps];
  const outside = ['@', '*', '#'].map((name) => [name, scope.variables.get(name)] as const);
  scope.locals = new Map();
  scope.setArguments(
    args.map(({ text }) => text),
    opennessOf(args),
  );
  const output = body();
  // It may have ended at any of the places where it can be left.
  if (scope.jumps > jumps) ways.weaken(mark);
  for (const [name, variable] of outside) scope.variables.set(name, variable);
  for (const [name, { variable, attributes }] of scope.locals) {
    scope.variables.set(name, variable);
    if (attributes?.includes('x') !== true) scope.attributes.set(name, scope.attributes.get(name)?.replace('x', ''));
    if (attributes) scope.give(name, attributes);
  }
  scope.locals = locals;
  scope.arrived = undefined;
  return output;
}
