import { assign } from './assignment';
import { type Builtin, optionsOf, reckonNames, silent, talking, variableName } from './builtin';
import { empty, fillOpenly, fillUntold } from './environment';
import { isOpenField, plainField } from './field';
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
    for (const field of rest) {
      const [, key, place, sign, value] = /^([a-zA-Z_]\w*)(\[[^\]]*\])?(?:(\+?)=([^]*))?$/.exec(field.text) ?? [];
      if (key === undefined) {
        const open = isOpenField(field) ? variableName(field.text) : undefined;
        if (open !== undefined) fillOpenly(open, reader, true);
        // What one of them is given from now on is reckoned with, or changed.
        if (open !== undefined && /[iEFlucLRZUT]/.test(letters)) reader.unknown('environment', words);
        continue;
      }
      // A new variable, and an array, have nothing in it.
      if (value === undefined && (locals || /a/i.test(letters))) empty(key, reader);
      const outside = scope.variables.get(key);
      if (locals) {
        if (!locals.has(key)) {
          locals.set(key, { variable: outside, attributes: scope.attributes.get(key) });
          // It is a new one, of which nothing is a number or a table.
          scope.attributes.set(key, scope.attributes.get(key)?.replace(/[iuA]/g, ''));
        }
        if (value === undefined) scope.variables.set(key, eitherVariable(outside, undefined));
      }
      if (name === 'export' && letters.includes('n'))
        scope.attributes.set(key, scope.attributes.get(key)?.replace('x', ''));
      else if (name === 'export' || letters.includes('x')) scope.give(key, 'x');
      for (const [pattern, letter] of changing)
        if (pattern.test(name === 'integer' ? `${letters}i` : letters)) {
          scope.give(key, letter);
          scope.count(key);
        }
      if (value !== undefined)
        assign(
          {
            name: key,
            fields: [{ ...field, text: value }],
            place: place === undefined ? 'plain' : { index: place.slice(1, -1) },
            appends: sign === '+',
          },
          reader,
        );
      // Outside of functions it may do nothing at all.
      if (name === 'local' && !locals) scope.variables.set(key, eitherVariable(outside, scope.variables.get(key)));
      if (name === 'readonly' || letters.includes('r')) scope.give(key, 'r');
    }
    return silent;
  };

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
