import type { ArrayValue, Assignment } from 'unbash';
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
  if (value.type === 'ArrayValue') return { name, appends, ...arrayValue(assignment, value, expander, reader) };
  return { name, appends, fields: expander.texts(value), place: index === undefined ? 'plain' : { index: index.text } };
}

/** The elements of `(a b)` and of `([1]=a [2]=b)`, of which the keys are reckoned. */
function arrayValue(
  { name, text }: Assignment,
  { elements }: ArrayValue,
  expander: Expander,
  reader: Reader,
): Pick<AssignedValue, 'fields' | 'place'> {
  const ways = elements.map((word) => expander.ways(word));
  const fields = ways.flat(2);
  if (!elements.some((element) => keyed.test(element.text)))
    return { fields, place: ways.every((one) => one.length === 1) ? 'all' : 'allOpen' };
  reader.reckon(
    fields.map((field) => behindText(name, field)),
    text,
  );
  return { fields: fields.map((field) => ({ ...field, text: field.text.replace(keyed, '') })), place: 'allOpen' };
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
  const before = reader.scope.variables.get(name);
  reckonInteger(name, fields, reader);
  reader.scope.write(fields);
  const isSplit = place !== 'plain';
  const isOpen = fields.some((field) => !field.isKnown || (isSplit && field.isPattern));
  const isTainted =
    (before?.isTainted === true && (appends || isSplit)) ||
    fields.some((field) => field.isTainted || (isSplit && field.isPattern));
  const given: GivenTexts = { name, texts, appends, before, isOpen, isTainted };
  if (place === 'all' || place === 'allOpen') assignArray(given, place === 'allOpen', reader);
  else if (place !== 'plain') assignElement(given, place.index, reader);
  else if (before?.isArray === true) assignElement(given, '0', reader);
  else assignText(given, reader);
}

/** The texts that a variable may get, and what stood in it before. */
interface GivenTexts {
  readonly name: string;
  readonly texts: readonly string[];
  readonly appends: boolean;
  readonly before: Variable | undefined;
  readonly isOpen: boolean;
  readonly isTainted: boolean;
}

/** `x=(a b)` and `x+=(a b)`. */
function assignArray(given: GivenTexts, isAnyOrder: boolean, { scope }: Reader): void {
  const { name, texts, appends, before, isOpen, isTainted } = given;
  const kept = appends ? elementsOf(before) : [];
  const values = [...(kept ?? before?.values ?? []), ...texts];
  scope.set(name, values, { isArray: true, isOpen: isOpen || !kept || isAnyOrder, isTainted });
}

/** `x[1]=a`, and `x=a` where `x` is an array. */
function assignElement(given: GivenTexts, index: string, { scope }: Reader): void {
  const { name, texts, appends, before, isOpen, isTainted } = given;
  const [elements, text] = [elementsOf(before), texts.length === 1 && !isOpen && !appends ? texts[0] : undefined];
  const at = /^(?:0|[1-9]\d{0,3})$/.test(index) ? Number(index) : Infinity;
  if (elements && text !== undefined && at <= elements.length)
    scope.set(name, [...elements.slice(0, at), text, ...elements.slice(at + 1)], { isArray: true });
  else scope.set(name, [...(before?.values ?? []), ...texts], { isArray: true, isOpen: true, isTainted });
}

/** `x=a` and `x+=a`. */
function assignText(given: GivenTexts, reader: Reader): void {
  const { name, texts, appends, before, isOpen, isTainted } = given;
  if (!appends) return reader.scope.set(name, texts, { isOpen, isTainted });
  // Every value that it may have grows.
  if (!reader.spend((before ? sizeOf(before) : 0) / 30)) return;
  const grown = (before?.values ?? ['']).flatMap((value) => texts.map((text) => value + text));
  reader.scope.set(name, grown, { isOpen: isOpen || before?.isOpen !== false, isTainted });
}

/** The elements of what may become an array, where each of them is known. */
function elementsOf(variable: Variable | undefined): readonly string[] | undefined {
  if (!variable) return [];
  return variable.isOpen || (!variable.isArray && variable.values.length !== 1) ? undefined : variable.values;
}
