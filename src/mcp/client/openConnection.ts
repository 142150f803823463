import { pathToFileURL } from 'node:url';
import type { Transport } from '@modelcontextprotocol/client';
import { fillIn, fillInAll } from '../../core/foreign/fillIn';
import type { McpServerSpec } from '../../core/foreign/serverSpec';
import { type ConnectionOptions, McpConnection, type Root } from './connection';
import { guardedFetch, maxMessageBytes } from './guardedFetch';
import { httpTransport, tellingEnd } from './httpTransport';
import type { Launch } from './launch';
import { openFault } from './openFault';
import type { McpClientPorts } from './clientPorts';
import { entryValues, serverFolder } from './serverFolder';
import { SignIn } from './signIn';
import { StdioTransport } from './stdioTransport';

/** What of the host's environment a server sees, beside what its entry names: enough to run, nothing secret. */
const inherited = [
  ...'HOME LOGNAME PATH SHELL TERM USER LANG LC_ALL TMPDIR TZ APPDATA HOMEDRIVE'.split(' '),
  ...'HOMEPATH LOCALAPPDATA PROCESSOR_ARCHITECTURE SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE PROGRAMFILES PROGRAMDATA COMSPEC PATHEXT'.split(
    ' ',
  ),
];

export interface Opened {
  readonly connection: McpConnection;
  /** Ends everything at once, without waiting. */
  kill(): void;
}

interface OpenOptions {
  /** Aborts when the connection is no longer wanted, also while a person signs in. */
  readonly signal: AbortSignal;
  /** What was approved to be started; left out for the user's own entries, which start what they say. */
  readonly launch?: Launch;
  /** The server ended the session, or nobody can sign in any more: nothing more can be asked in this connection. */
  readonly onOver: (why: Error) => void;
}

/** Starts or contacts a server as its entry says. Loaded on first use: it brings the SDK with it. */
export async function openConnection(
  ports: McpClientPorts,
  spec: McpServerSpec,
  options: Omit<ConnectionOptions, 'spec' | 'transport' | 'user' | 'roots'> & OpenOptions,
): Promise<Opened> {
  let { known } = options;
  for (let signIns = 0; ; signIns++) {
    const { transport, kill, signIn } = await makeTransport(ports, spec, options).catch((error: unknown) => {
      throw openFault(error, spec);
    });
    try {
      const roots = spec.roots ? { roots: () => rootsOf({ files: ports.rooted(), trusted: ports.trusted }) } : {};
      const connection = await McpConnection.open({ ...options, ...roots, known, spec, transport, user: ports.user });
      if (signIn) signIn.isConnected = true;
      return { connection, kill };
    } catch (error) {
      if (signIn?.isWaiting && signIns < mostSignIns) await signIn.finish(options.signal);
      else {
        const fault = signIn?.refused ?? openFault(error, spec);
        // A server that answers may speak another protocol by now than when it was asked.
        if (!known || fault !== error) throw fault;
        known = undefined;
      }
    } finally {
      signIn?.dispose();
    }
  }
}

/** The folders that a server is told: those of this machine, in a workspace that the person trusts. */
export function rootsOf({ files, trusted }: Pick<McpClientPorts, 'files' | 'trusted'>): readonly Root[] {
  if (!trusted()) return [];
  return files
    .folders()
    .flatMap(({ name, path, scheme }) => (scheme === 'file' ? [{ name, uri: pathToFileURL(path).href }] : []));
}

/** A server that is never content asks for more scopes each time. */
const mostSignIns = 2;

async function makeTransport(
  ports: McpClientPorts,
  spec: McpServerSpec,
  { onLog, onOver, launch }: Pick<OpenOptions, 'launch' | 'onOver'> & Pick<ConnectionOptions, 'onLog'>,
): Promise<{ transport: Transport; signIn?: SignIn; kill(): void }> {
  const fill = entryValues(ports);
  if (spec.transport.type === 'http') {
    const url = new URL(await fillIn(spec.transport.url, fill));
    const fetch = guardedFetch(ports.http);
    const { oauth } = spec.transport;
    const signIn = oauth
      ? new SignIn({
          server: spec.name,
          serverUrl: url,
          options: await fillInAll({ ...oauth }, fill),
          ...(oauth.scope === undefined ? {} : { scope: oauth.scope }),
          secrets: ports.tokens,
          crypto: ports.crypto,
          user: ports.user,
          fetch,
          onLog,
          onRefused: onOver,
        })
      : undefined;
    const transport = httpTransport(url, {
      requestInit: { headers: await fillInAll(spec.transport.headers, fill) },
      fetch: tellingEnd(signIn?.fetch ?? fetch, onOver),
    });
    return { transport, ...(signIn ? { signIn } : {}), kill: () => void transport.close() };
  }
  const { command, args, env, cwd } = spec.transport;
  const base: Record<string, string> = {};
  for (const name of inherited) {
    const value = ports.environment[name];
    if (value !== undefined && !value.startsWith('()')) base[name] = value;
  }
  const folder = launch ? launch.folder : serverFolder(cwd, ports);
  const transport = new StdioTransport({
    command: launch ? programOf(launch, command) : await fillIn(command, fill),
    args: await Promise.all(args.map((one) => fillIn(one, fill))),
    env: { ...base, ...(await fillInAll(env, fill)) },
    ...(folder === undefined ? {} : { cwd: folder }),
    maxMessageBytes,
    onLog,
  });
  return { transport, kill: () => transport.kill() };
}

/** The very file that was shown: another look for it might find another. */
function programOf({ program }: Launch, command: string): string {
  if (program !== undefined) return program;
  throw Object.assign(new Error(`spawn ${command} ENOENT`), { code: 'ENOENT', syscall: `spawn ${command}` });
}
