import { readEnvironment } from './commands';
import type { Field } from './field';
import type { Ledger } from './ledger';
import type { Reader } from './reader';
import type { Sightings } from './sightings';

/** A variable and what it gets. */
export interface AssignedValue {
  readonly name: string;
  readonly fields: readonly Field[];
  readonly isArray: boolean;
  /** True for `+=`. */
  readonly appends: boolean;
}

const longestValue = 4096;

/** Gives a variable its value; one that is passing holds for one program and leaves the one before possible. */
export function assign(
  { name, fields, isArray, appends }: AssignedValue,
  reader: Reader & Pick<Sightings, 'suspect'> & { readonly ledger: Pick<Ledger, 'spend'> },
  { isPassing }: { readonly isPassing: boolean },
): void {
  for (const field of fields) {
    reader.suspect(field, `${name}=${field.text}`);
    readEnvironment(name, field, reader);
  }
  const { scope, ledger } = reader;
  const before = scope.variables.get(name);
  const texts = fields.map(({ text }) => text);
  const isOpen = fields.some((field) => !field.isKnown || (isArray && field.isPattern));
  if (isArray) return scope.set(name, [...(appends ? (before?.values ?? []) : []), ...texts], { isArray, isOpen });
  if (!appends || !before) return scope.set(name, texts, { isOpen, adds: isPassing });
  // Every value that it may have grows.
  if (!ledger.spend(before.values.reduce((sum, value) => sum + value.length + 20, 0) / 30)) return;
  const grown = before.values.flatMap((value) => texts.map((text) => value + text));
  scope.set(
    name,
    grown.filter((one) => one.length <= longestValue),
    { isOpen: isOpen || before.isOpen, adds: isPassing },
  );
}
