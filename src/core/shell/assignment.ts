import type { Assignment } from 'unbash';
import { readEnvironment, reckonInteger } from './environment';
import type { Expander } from './expand';
import { behindText, type Field, plainField } from './field';
import type { Reader } from './reader';
import { fillsTable } from './runningVariables';
import { sizeOf, type Variable } from './variable';

/** A variable and what it gets. */
export interface AssignedValue {
  readonly name: string;
  readonly fields: readonly Field[];
  /** Where in an array it goes; `all` for a whole one, of which it may not be known which element stands where. */
  readonly place: 'plain' | 'all' | 'allOpen' | { readonly index: string };
  /** True for `+=`. */
  readonly appends: boolean;
}

/** The place of an element of an array: `[1]=`. */
const keyed = /^\[[^\]]*\]\+?=/;

/** Expands what an assignment gives, and reads what its index runs. */
export function assignedValue(assignment: Assignment, expander: Expander, reader: Reader): AssignedValue {
  const { name, value, index } = assignment;
  const appends = assignment.append === true;
  if (index)
    reader.reckon(
      expander.reckonedWord(index).map((field) => ({ ...field, text: `${name}[${field.text}]` })),
      assignment.text,
    );
  if (value.type === 'ArrayValue') {
    const ways = value.elements.map((word) => expander.ways(word));
    const isKeyed = value.elements.some(({ text }) => keyed.test(text));
    if (isKeyed)
      reader.reckon(
        ways.flat(2).map((field) => behindText(name, field)),
        assignment.text,
      );
    const isExact = !isKeyed && ways.every((one) => one.length === 1);
    const fields = ways.flat(2).map((field) => ({ ...field, text: field.text.replace(keyed, '') }));
    return { name, fields: isKeyed ? fields : ways.flat(2), place: isExact ? 'all' : 'allOpen', appends };
  }
  return {
    name,
    fields: expander.texts(value),
    place: index === undefined ? 'plain' : { index: index.text },
    appends,
  };
}

/** Gives a variable its value. */
export function assign({ name, fields, place, appends }: AssignedValue, reader: Reader): void {
  const texts = fields.map(({ text }) => text);
  // An array may have nothing in it.
  for (const field of fields.length > 0 ? fields : [plainField('')]) {
    reader.suspect(field, `${name}=${field.text}`);
    readEnvironment(name, field, reader);
  }
  if (place !== 'plain' && fillsTable(name, typeof place === 'string' ? undefined : `[${place.index}]`, texts))
    reader.unknown('environment', `${name}=${texts.join(' ')}`);
  const { scope } = reader;
  const before = scope.variables.get(name);
  reckonInteger(name, fields, reader);
  scope.write(fields);
  const isSplit = place !== 'plain';
  const isOpen = fields.some((field) => !field.isKnown || (isSplit && field.isPattern));
  const isTainted =
    (before?.isTainted === true && (appends || isSplit)) ||
    fields.some((field) => field.isTainted || (isSplit && field.isPattern));
  if (place === 'all' || place === 'allOpen') {
    const kept = appends ? elementsOf(before) : [];
    const values = [...(kept ?? before?.values ?? []), ...texts];
    return scope.set(name, values, {
      isArray: true,
      isOpen: isOpen || !kept || place === 'allOpen',
      isTainted,
    });
  }
  if (place !== 'plain' || before?.isArray === true) {
    const [elements, text] = [elementsOf(before), texts.length === 1 && !isOpen && !appends ? texts[0] : undefined];
    const written = place === 'plain' ? '0' : place.index;
    const at = /^(?:0|[1-9]\d{0,3})$/.test(written) ? Number(written) : Infinity;
    if (elements && text !== undefined && at <= elements.length)
      return scope.set(name, [...elements.slice(0, at), text, ...elements.slice(at + 1)], { isArray: true });
    return scope.set(name, [...(before?.values ?? []), ...texts], { isArray: true, isOpen: true, isTainted });
  }
  if (!appends) return scope.set(name, texts, { isOpen, isTainted });
  // Every value that it may have grows.
  if (!reader.spend((before ? sizeOf(before) : 0) / 30)) return;
  const grown = (before?.values ?? ['']).flatMap((value) => texts.map((text) => value + text));
  scope.set(name, grown, { isOpen: isOpen || before?.isOpen !== false, isTainted });
}

/** The elements of what may become an array, where each of them is known. */
function elementsOf(variable: Variable | undefined): readonly string[] | undefined {
  if (!variable) return [];
  return variable.isOpen || (!variable.isArray && variable.values.length !== 1) ? undefined : variable.values;
}
