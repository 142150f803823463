import type { ToolPorts } from '../ports/toolPorts';
import { internalError, type ToolError } from '../vocabulary/errors';

/** Logs a fault with a reference and answers what the model may know of it. */
export function internalFault({ crypto, log }: ToolPorts, cause: unknown): ToolError {
  const reference = `ref-${crypto.randomId().slice(0, 8)}`;
  const details = cause instanceof Error ? (cause.stack ?? String(cause)) : String(cause);
  log.error(`${reference} ${details}`);
  return internalError(reference);
}
