import { assign } from './assignment';
import { type Builtin, optionsOf, reckonNames, silent, talking, variableName } from './builtin';
import { empty, fillOpenly, fillUntold } from './environment';
import { type Field, isOpenField, plainField } from './field';
import type { Reader } from './reader';
import type { Scope } from './scope';
import { eitherVariable } from './variable';

/** Attributes by which a variable becomes another than it is assigned: a number, another text, a table. */
const changing = [
  [/[iEF]/, 'i'],
  [/[lucLRZUT]/, 'u'],
  [/A/, 'A'],
] as const;

/** `declare a=b`, `export a`, `local a` and their like, by the name of the builtin. */
export const declaration =
  (name: string): Builtin =>
  ({ args, reader, words }) => {
    const { letters, rest } = optionsOf(args);
    const { scope } = reader;
    if (letters.includes('f') && name === 'export')
      for (const { text } of rest) {
        const known = scope.functions.get(text);
        if (known) scope.functions.set(text, { ...known, isExported: true });
      }
    if (/[pf]/.test(letters) || rest.length === 0) return talking;
    // A name for another variable, or one that is kept alike with another.
    if (name !== 'export' && /[nT]/.test(letters)) reader.unknown('unknown_word', words);
    const locals = /^(?:export|readonly)$/.test(name) || letters.includes('g') ? undefined : scope.locals;
    reckonNames(rest, reader, words);
    fillUntold(rest, reader, words, 'number');
    const how: Declaring = { name, letters, locals };
    for (const field of rest) {
      const [, key, place, sign, value] = /^([a-zA-Z_]\w*)(\[[^\]]*\])?(?:(\+?)=([^]*))?$/.exec(field.text) ?? [];
      if (key === undefined) declareOpenly(field, letters, reader, words);
      else declare({ field, key, place, appends: sign === '+', value }, how, reader);
    }
    return silent;
  };

/** How variables are declared. */
interface Declaring {
  /** The name of the builtin. */
  readonly name: string;
  /** Its options. */
  readonly letters: string;
  /** What variables of the function around were before it; undefined where none becomes one of the function. */
  readonly locals: Scope['locals'];
}

/** One argument of a declaration: `a`, `a=b`, `a[1]+=b`. */
interface Declared {
  readonly field: Field;
  readonly key: string;
  readonly place: string | undefined;
  readonly appends: boolean;
  readonly value: string | undefined;
}

/** Declares what may be any of several variables, or none. */
function declareOpenly(field: Field, letters: string, reader: Reader, words: string): void {
  const open = isOpenField(field) ? variableName(field.text) : undefined;
  if (open === undefined) return;
  fillOpenly(open, reader, true);
  // What one of them is given from now on is reckoned with, or changed.
  if (/[iEFlucLRZUT]/.test(letters)) reader.unknown('environment', words);
}

function declare({ field, key, place, appends, value }: Declared, how: Declaring, reader: Reader): void {
  const { name, letters, locals } = how;
  const { scope } = reader;
  // A new variable, and an array, have nothing in it.
  if (value === undefined && (locals || /a/i.test(letters))) empty(key, reader);
  const outside = scope.variables.get(key);
  if (locals && !locals.has(key)) {
    locals.set(key, { variable: outside, attributes: scope.attributes.get(key) });
    // It is a new one, of which nothing is a number or a table.
    scope.attributes.set(key, scope.attributes.get(key)?.replace(/[iuA]/g, ''));
  }
  if (locals && value === undefined) scope.variables.set(key, eitherVariable(outside, undefined));
  giveAttributes(key, how, scope);
  if (value !== undefined)
    assign(
      {
        name: key,
        fields: [{ ...field, text: value }],
        place: place === undefined ? 'plain' : { index: place.slice(1, -1) },
        appends,
      },
      reader,
    );
  // Outside of functions it may do nothing at all.
  if (name === 'local' && !locals) scope.variables.set(key, eitherVariable(outside, scope.variables.get(key)));
  // What can no longer be changed still gets this value.
  if (name === 'readonly' || letters.includes('r')) scope.give(key, 'r');
}

/** The attributes that hold already for the value of the declaration. */
function giveAttributes(key: string, { name, letters }: Declaring, scope: Scope): void {
  if (name === 'export' && letters.includes('n'))
    scope.attributes.set(key, scope.attributes.get(key)?.replace('x', ''));
  else if (name === 'export' || letters.includes('x')) scope.give(key, 'x');
  for (const [pattern, letter] of changing)
    if (pattern.test(name === 'integer' ? `${letters}i` : letters)) {
      scope.give(key, letter);
      scope.count(key);
    }
}

/** `unset`: what it takes away may be a function, an element or a variable. */
export const unset: Builtin = ({ args, reader, words }) => {
  const { letters, rest } = optionsOf(args);
  const { scope } = reader;
  reckonNames(rest, reader, words);
  // A function that is gone changes what a name runs, and no variable.
  if (!letters.includes('f')) fillUntold(rest, reader, words, [plainField('')]);
  else if (rest.some(isOpenField))
    for (const [one, known] of [...scope.functions.entries()]) scope.functions.set(one, { ...known, isSure: false });
  for (const field of rest) {
    const key = variableName(field.text);
    if (key === undefined) continue;
    if (letters.includes('f')) {
      scope.functions.set(key, undefined);
      continue;
    }
    empty(key, reader);
    if (key !== field.text) scope.count(key);
    else {
      const known = scope.functions.get(key);
      if (known && !scope.variables.get(key)) scope.functions.set(key, { ...known, isSure: false });
      scope.variables.set(key, undefined);
      scope.attributes.set(key, undefined);
    }
  }
  return silent;
};
