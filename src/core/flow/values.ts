import { isObject, partsIn, textsIn } from '../base/json';
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
  const known = new Set(namesIn(tool.definition.inputSchema));
  for (const [part, name] of partsIn(input)) {
    if (name !== undefined && !known.has(name)) yield name;
    if (typeof part === 'number' || (typeof part === 'string' && part !== '')) yield String(part);
  }
}

/** The names of the properties that a schema declares, at any depth. */
function* namesIn(schema: unknown): Iterable<string> {
  for (const [part, name] of partsIn(schema)) if (name === 'properties' && isObject(part)) yield* Object.keys(part);
}

/** The texts that a call writes: of an edit, not what stands there to be replaced. */
export function textsWritten(call: Pick<GateCall, 'tool' | 'input'>): Iterable<string> {
  const replaced = /^old_?(?:text|string|str)$/i;
  return textsIn(call.input, isKnownTool(call) ? (name) => replaced.test(name) : undefined);
}
