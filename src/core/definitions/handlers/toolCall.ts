import type { Json } from '../../base/json';
import { isObject } from '../../base/json';
import { toolError } from '../../errors';
import type { ToolContext, ToolHandler } from '../../tool';
import type { ToolResult } from '../../toolResult';
import type { ToolHandlerSpec } from '../handlerSpec';
import { fillJson } from '../template';

/** The payload of a call on behalf of another; its error becomes this tool's own, with the name of what failed. */
export function payloadOf(reference: string, result: ToolResult): Json {
  if (result.success) return result.payload;
  const { code, message, retryable, retryAfterMs, details } = result.error;
  throw toolError(code, `\`${reference}\`: ${message}`, {
    retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(details ? { details } : {}),
  });
}

/** A tool that is another tool with bound arguments; the call of that tool passes the gate by itself. */
export function toolCallHandler(spec: ToolHandlerSpec): ToolHandler {
  return {
    // What the other tool touches is judged when it is called.
    accesses: () => [],
    async run(input, context: ToolContext) {
      const bound =
        Object.keys(isObject(spec.input) ? spec.input : {}).length === 0 ? input : fillJson(spec.input, { input, config: context.config });
      return { payload: payloadOf(spec.tool, await context.invokeTool(spec.tool, bound)) };
    },
  };
}
