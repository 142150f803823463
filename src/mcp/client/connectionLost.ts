import type { SdkErrorCode } from '@modelcontextprotocol/client';

/** The server went away before it answered; the same call may succeed once it runs again. */
export class ConnectionLost extends Error {}

/** The server knows the session no more: it has not processed what was asked, and takes it in a new session. */
export class SessionOver extends ConnectionLost {}

/** Does a thing once more, in a new session, where the server has ended the one that it was begun in. */
export async function inSession<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    if (error instanceof SessionOver) return work();
    throw error;
  });
}

/** The SDK's own word; its classes would load all of it at the start. */
const closed: `${SdkErrorCode.ConnectionClosed}` = 'CONNECTION_CLOSED';

/** Tells whether a call failed because the connection went, by our own transports or by the protocol layer. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof ConnectionLost || (error instanceof Error && 'code' in error && error.code === closed);
}
