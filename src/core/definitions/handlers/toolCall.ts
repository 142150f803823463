import { defined, isObject, type Json } from '../../base/json';
import { toolError } from '../../vocabulary/errors';
import type { ToolResult } from '../../vocabulary/toolResult';
import type { ToolHandlerSpec } from './handlerSpec';
import { fillJson } from '../../vocabulary/template';
import type { AccessContext, ToolContext, ToolHandler } from '../../capability/tool';

/** The payload of a call on behalf of another; its error becomes this tool's own, with the name of what failed. */
export function payloadOf(reference: string, result: ToolResult): Json {
  if (result.success) return result.payload;
  const { code, message, retryable, retryAfterMs, details } = result.error;
  throw toolError(code, `\`${reference}\`: ${message}`, defined({ retryable, retryAfterMs, details }));
}

/** A tool that is another tool with bound arguments; the call of that tool passes the gate by itself. */
export function toolCallHandler(spec: ToolHandlerSpec): ToolHandler {
  const bound = (input: unknown, { config }: AccessContext): unknown =>
    Object.keys(isObject(spec.input) ? spec.input : {}).length === 0 ? input : fillJson(spec.input, { input, config });
  return {
    // What the other tool touches is judged when it is called.
    accesses: () => [],
    passesOn: (input, context) => ({ tool: spec.tool, input: bound(input, context) }),
    async run(input, context: ToolContext) {
      return { payload: payloadOf(spec.tool, await context.invokeTool(spec.tool, bound(input, context))) };
    },
  };
}
