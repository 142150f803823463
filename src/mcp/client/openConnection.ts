import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { fillIn, fillInAll } from '../../core/mcp/fillIn';
import type { McpServerSpec } from '../../core/mcp/serverSpec';
import { type ConnectionOptions, McpConnection } from './connection';
import { guardedFetch } from './guardedFetch';
import type { McpParts } from './parts';
import { serverFolder } from './serverFolder';
import { StdioTransport } from './stdioTransport';

/** The most bytes of one message from a server. */
export const maxMessageBytes = 16 * 1024 * 1024;

/** What of the host's environment a server sees, beside what its entry names: enough to run, nothing secret. */
const inherited = [
  'HOME',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'USER',
  'LANG',
  'LC_ALL',
  'TMPDIR',
  'TZ',
  'APPDATA',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PROCESSOR_ARCHITECTURE',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'USERNAME',
  'USERPROFILE',
  'PROGRAMFILES',
  'PROGRAMDATA',
  'COMSPEC',
  'PATHEXT',
];

export interface Opened {
  readonly connection: McpConnection;
  /** Ends everything at once, without waiting. */
  kill(): void;
}

/** Starts or contacts a server as its entry says. Loaded on first use: it brings the SDK with it. */
export async function openConnection(
  parts: McpParts,
  spec: McpServerSpec,
  options: Omit<ConnectionOptions, 'spec' | 'transport' | 'user'>,
): Promise<Opened> {
  const { transport, kill } = await makeTransport(parts, spec, options.onLog);
  const connection = await McpConnection.open({ ...options, spec, transport, user: parts.user });
  return { connection, kill };
}

async function makeTransport(
  parts: McpParts,
  spec: McpServerSpec,
  onLog: (line: string) => void,
): Promise<{ transport: Transport; kill(): void }> {
  const workspaceFolder = parts.files.folders().find((folder) => folder.scheme === 'file')?.path;
  const fill = { secrets: parts.secrets, workspaceFolder, environment: parts.environment };
  if (spec.transport.type === 'http') {
    const url = new URL(await fillIn(spec.transport.url, fill));
    const transport = new StreamableHTTPClientTransport(url, {
      requestInit: { headers: await fillInAll(spec.transport.headers, fill) },
      fetch: guardedFetch({
        allowedPrivateHosts: () => parts.settings().strings('network.allowedPrivateHosts'),
        maxBytes: maxMessageBytes,
      }),
    });
    return { transport, kill: () => void transport.close() };
  }
  const { command, args, env, cwd } = spec.transport;
  const base: Record<string, string> = {};
  for (const name of inherited) {
    const value = parts.environment[name];
    if (value !== undefined && !value.startsWith('()')) base[name] = value;
  }
  const folder = serverFolder(await fillIn(cwd ?? '', fill), workspaceFolder);
  const transport = new StdioTransport({
    command: await fillIn(command, fill),
    args: await Promise.all(args.map((one) => fillIn(one, fill))),
    env: { ...base, ...(await fillInAll(env, fill)) },
    ...(folder === undefined ? {} : { cwd: folder }),
    maxMessageBytes,
    onLog,
  });
  return { transport, kill: () => transport.kill() };
}
