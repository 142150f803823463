import type { GateCall } from '../call/gateCall';
import type { CallPreview } from '../capability/tool';
import { isToolError, type ToolError } from '../vocabulary/errors';
import { accessContext } from './context';
import type { GateDependencies } from './dependencies';

/**
 * What a call would do, for the person who is asked; a ToolError where the tool says that it cannot succeed. Nothing is
 * changed.
 */
export async function foresee({ ports }: GateDependencies, call: GateCall): Promise<CallPreview | ToolError> {
  try {
    const handler = await call.tool.load();
    return (await handler.preview?.(call.input, accessContext(ports, call))) ?? {};
  } catch (error) {
    if (isToolError(error)) return error;
    ports.log.warn(`the preview of ${call.tool.id} failed: ${String(error)}`);
    return {};
  }
}

/**
 * A failure tells what stands in the files that the call names, so it is told without asking only where the caller may
 * read them anyway.
 */
export function mayTell({ boundaries }: GateDependencies, call: GateCall): boolean {
  const { accesses } = call;
  return (
    accesses.length > 0 &&
    accesses.every(
      (access) =>
        access.effect.startsWith('fs.') && boundaries.judge(call, [{ ...access, effect: 'fs.read' }]).effect === 'pass',
    )
  );
}
