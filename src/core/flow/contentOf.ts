import { isObject, type Json } from '../base/json';
import type { GateCall } from '../call/gateCall';
import type { Crypto } from '../ports/platform';
import { sourceKind } from '../vocabulary/toolSource';
import { isKnownTool } from './callee';

/** So much of a SHA-256 tells contents apart, in hexadecimal digits. */
export const shownHash = 16;

/** True where a call puts all of a file anew. */
export function isWhole(call: GateCall): boolean {
  const { tool, input } = call;
  return (
    isKnownTool(call) &&
    /^(?:cap_)?write(?:_file)?$|^create(?:_file)?$/i.test(tool.definition.name) &&
    isObject(input) &&
    input['mode'] !== 'append' &&
    writtenText(input) !== undefined
  );
}

/** The hash of the text that a call is to write; undefined where it brings none. */
export function hashOfInput({ input }: GateCall, crypto: Pick<Crypto, 'sha256'>): string | undefined {
  const text = writtenText(input);
  return text === undefined ? undefined : crypto.sha256(new TextEncoder().encode(text)).slice(0, shownHash);
}

function writtenText(input: unknown): string | undefined {
  const text = isObject(input) ? (input['content'] ?? input['file_text']) : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** The hash of what one of our tools read or wrote, as it says; what others say of theirs is not relied on. */
export function hashIn({ tool }: GateCall, payload: Json | undefined): string | undefined {
  const hash = sourceKind(tool.source).isOurs && isObject(payload) ? payload['content_hash'] : undefined;
  return typeof hash === 'string' ? hash.slice(0, shownHash) : undefined;
}
