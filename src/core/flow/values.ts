import { isObject, textsIn } from '../base/json';
import type { GateCall } from '../call/gateCall';
import { isKnownTool } from './callee';
import type { FlowSession } from './session';

/**
 * What a call tells a server that the server was not told before there was something private.
 * @param listener as `calleeOf` names it.
 */
export function newWords(call: GateCall, listener: string, session: FlowSession): readonly string[] {
  return [...wordsOfCall(call)].filter((word) => !session.hasSaid(listener, word) && !session.links.isPlain(word));
}

/** Everything of a call's input that can carry something: its texts, its numbers, names of the caller's own choice. */
export function* wordsOfCall({ tool, input }: Pick<GateCall, 'tool' | 'input'>): Iterable<string> {
  yield* wordsIn(input, new Set(namesIn(tool.definition.inputSchema)));
}

function* wordsIn(input: unknown, known: ReadonlySet<string>): Iterable<string> {
  if (typeof input === 'string') {
    if (input !== '') yield input;
  } else if (typeof input === 'number') yield String(input);
  else if (Array.isArray(input)) for (const item of input) yield* wordsIn(item, known);
  else if (isObject(input))
    for (const [key, value] of Object.entries(input)) {
      if (!known.has(key)) yield key;
      yield* wordsIn(value, known);
    }
}

/** The names of the properties that a schema declares, at any depth. */
function* namesIn(schema: unknown): Iterable<string> {
  if (Array.isArray(schema)) for (const item of schema) yield* namesIn(item);
  else if (isObject(schema))
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties' && isObject(value)) yield* Object.keys(value);
      yield* namesIn(value);
    }
}

/** The texts that a call writes: of an edit, not what stands there to be replaced. */
export function textsWritten(call: Pick<GateCall, 'tool' | 'input'>): Iterable<string> {
  const replaced = /^old_?(?:text|string|str)$/i;
  return textsIn(call.input, isKnownTool(call) ? (name) => replaced.test(name) : undefined);
}
