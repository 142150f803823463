import { isObject } from '../../core/base/json';
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
      ? reachWords(code, transport.url)
      : (startWords(code, transport) ?? silentWords(error, transport.command));
  return said === undefined ? error : new Error(said, { cause: error });
}

/** What the protocol's library says of a program that is none of its servers. */
function silentWords(error: unknown, command: string): string | undefined {
  const message = error instanceof Error ? error.message : '';
  const check = 'check `command` and `args` in its entry';
  if (/\bconnection closed\b/i.test(message))
    return `the program \`${command}\` ended before it answered as an MCP server; ${check}`;
  if (/\bnegotiation probe timed out\b/i.test(message) || (isObject(error) && error['code'] === 'REQUEST_TIMEOUT'))
    return `the program \`${command}\` runs and does not answer as an MCP server; ${check}`;
  return undefined;
}

function startWords(
  code: string,
  { command, cwd }: { readonly command: string; readonly cwd?: string | undefined },
): string | undefined {
  const folder = cwd === undefined ? '' : `, or the folder \`${cwd}\` that it starts in`;
  switch (code) {
    case 'ENOENT':
      return `the program \`${command}\` was not found${folder}; check \`command\` in its entry and that the program is installed`;
    case 'EACCES':
    case 'EPERM':
      return `the program \`${command}\` may not be run; check its permissions`;
    default:
      return undefined;
  }
}

function reachWords(code: string, url: string): string | undefined {
  switch (code) {
    case 'ECONNREFUSED':
      return `nothing answers at \`${url}\`; check \`url\` in its entry and that the server runs`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host of \`${url}\` was not found; check \`url\` in its entry and the network`;
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return `\`${url}\` did not answer in time; check the network and that the server runs`;
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
