import { notAvailable } from '../vocabulary/errors';

/** Answers a port that only some surfaces have, or throws the error that says so. */
export function need<T>(port: T | undefined, tool: string, what: string): T {
  if (port === undefined) throw notAvailable(tool, `${what} is not available here; use the editor`);
  return port;
}
