import { isObject, type Json, type JsonObject } from '../../../core/base/json';
import { shortestHash } from './text';

/** What a field says where nobody needs to hear of it. */
const usual: JsonObject = { encoding: 'utf-8', end_of_line: 'lf' };

/** Facts in one line, without those that are as usual; a list or an object as JSON. */
export function factsOf(facts: JsonObject): string {
  const shown = Object.entries(facts).filter(([name, value]) => value !== undefined && value !== usual[name]);
  return shown.map(([name, value]) => (value === true ? name : `${name} ${plain(value)}`)).join('; ');
}

/** A text, and after it the facts in the last line; what the text itself ends in cannot pass for that line. */
export function withFacts(text: string, facts: JsonObject): string {
  const line = factsOf(facts);
  if (line === '') return /(?:^|\n)\[.*\]\n?$/.test(text) ? `${text}\n[end of the text]` : text;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}[${line}]`;
}

/** The items of a list of objects alone; undefined for anything else. */
export function objectsIn(value: Json | undefined): readonly JsonObject[] | undefined {
  return isList(value) && value.every(isJsonObject) ? value : undefined;
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const isJsonObject = (value: Json): value is JsonObject => isObject(value);

/** True where a name would not stay on its line, so that it could pass for more than one. */
export const breaksLine = (name: string): boolean => /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name);

/** The hash of a file, as much of it as a call that hands it back has to give. */
export const hashOf = ({ content_hash }: JsonObject): JsonObject =>
  typeof content_hash === 'string' ? { hash: content_hash.slice(0, shortestHash) } : {};

const plain = (value: Json | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value));
