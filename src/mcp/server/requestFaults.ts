import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { isObject, parsedJson } from '../../core/base/json';

const invalidParams = -32_602;

/**
 * The same message; where it is an error that holds the validator's account of a request (an array of issues, under
 * whatever code), the error of parameters that do not fit, in words: `params.name must be string (got number)`.
 */
export function withWords(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message;
  const at = message.error.message.indexOf('[');
  const issues = at < 0 ? undefined : parsedJson(message.error.message.slice(at));
  const words = Array.isArray(issues) ? issues.map(wordsOf) : [];
  if (words.length === 0 || words.includes(undefined)) return message;
  return { ...message, error: { code: invalidParams, message: words.slice(0, 5).join('; ') } };
}

function wordsOf(issue: unknown): string | undefined {
  if (!isObject(issue) || !Array.isArray(issue['path']) || typeof issue['message'] !== 'string') return undefined;
  const [, expected, got] = /expected (\w+), received (\w+)/.exec(issue['message']) ?? [];
  const type = expected === 'record' ? 'object' : expected;
  const place = issue['path'].map(String).join('.');
  return type === undefined
    ? `\`${place}\` does not fit: ${issue['message']}`
    : `\`${place}\` must be ${type} (got ${got === 'undefined' ? 'nothing' : (got ?? '')})`;
}
