import { isObject } from '../../core/base/json';
import { SaidError, say, type Sentence } from '../../core/base/sentence';
import { isToolError } from '../../core/vocabulary/errors';
import type { McpServerSpec } from '../../core/foreign/serverSpec';

/**
 * Says in words of the person's own entry why a server could not be started or reached, where the machine only gave a
 * code such as ENOENT. Every other fault is handed back as it is.
 */
export function openFault(error: unknown, { transport }: Pick<McpServerSpec, 'transport'>): unknown {
  if (isToolError(error)) return error;
  const code = codeOf(error) ?? '';
  const said =
    transport.type === 'http'
      ? reachFault(code, transport.url)
      : (startFault(code, transport) ?? silence(error, transport.command));
  return said === undefined ? error : new SaidError(said, { cause: error });
}

/** What the protocol's library says of a program that is none of its servers. */
function silence(error: unknown, command: string): Sentence | undefined {
  const message = error instanceof Error ? error.message : '';
  if (/\bconnection closed\b/i.test(message)) return say('server_ended_early', command);
  if (/\bnegotiation probe timed out\b/i.test(message) || (isObject(error) && error['code'] === 'REQUEST_TIMEOUT'))
    return say('server_silent', command);
  return undefined;
}

function startFault(
  code: string,
  { command, cwd }: { readonly command: string; readonly cwd?: string | undefined },
): Sentence | undefined {
  switch (code) {
    case 'ENOENT':
      return cwd === undefined
        ? say('server_program_missing', command)
        : say('server_program_or_folder_missing', command, cwd);
    case 'EACCES':
    case 'EPERM':
      return say('server_program_forbidden', command);
    default:
      return undefined;
  }
}

function reachFault(code: string, url: string): Sentence | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return say('server_unreached', url);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return say('server_host_missing', url);
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return say('server_late', url);
    default:
      return undefined;
  }
}

/** Only what happened while starting or connecting: a program that runs may well say ENOENT of a file of its own. */
const opening = /^(?:spawn|connect|getaddrinfo)\b/;
const told = /\b(?:spawn \S.* (ENOENT|EACCES|EPERM)|(?:connect|getaddrinfo) ([A-Z_]+))\b/;

/** The machine's code, which libraries wrap in causes or keep in their message only. */
function codeOf(error: unknown, depth = 0): string | undefined {
  if (!isObject(error) && !(error instanceof Error)) return undefined;
  const { code, syscall, cause, message } = error as Record<'code' | 'syscall' | 'cause' | 'message', unknown>; // reason: anything may be thrown
  if (typeof code === 'string' && (code.startsWith('UND_') || (typeof syscall === 'string' && opening.test(syscall))))
    return code;
  const inner = depth < 5 ? codeOf(cause, depth + 1) : undefined;
  const match = typeof message === 'string' ? told.exec(message) : undefined;
  return inner ?? match?.[1] ?? match?.[2];
}
