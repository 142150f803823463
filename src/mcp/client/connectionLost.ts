import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';

/** The server went away before it answered; the same call may succeed once it runs again. */
export class ConnectionLost extends Error {}

/** Tells whether a call failed because the connection went, by our own transports or by the protocol layer. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true;
  return error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed;
}
