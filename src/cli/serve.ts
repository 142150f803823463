import type { Core } from '../app/compose';
import { type Disposable, DisposableStore, toDisposable } from '../core/base/lifecycle';
import type { Clock } from '../core/ports/platform';
import { GovernedTools } from '../mcp/server/governed';
import { ElicitationApprover } from '../mcp/server/elicitationApprovals';
import type { ServerIdentity } from '../mcp/server/makeServer';
import { RunningCalls } from '../mcp/server/runningCalls';
import { ClientUser } from '../mcp/server/clientUser';
import { systemClock } from '../node/system';
import { type CliArgs, type CliIo, UsageError } from './args';
import { openWorkspace } from './openWorkspace';
import { brief } from './problemLines';
import { readToken } from './readToken';
import type { HttpServeOptions } from './serveHttp';
import { ownVersion } from './ownVersion';

const identity: ServerIdentity = { name: 'agent-capabilities', title: 'Agent Capabilities', version: ownVersion };

/** After how long manifests of channels are read again: nobody tells of their changes. */
export const channelsEveryMs = 5 * 60_000;

/** How long the first list of tools waits for MCP servers that have never been seen before. */
const discoveryWaitMs = 15_000;

/**
 * `serve`: the governed tools of the active profile as an MCP server, on stdio, or on loopback HTTP with `--http PORT
 * --token-file FILE`. Confirmations go to the client's user by elicitation; `--yes` gives them all. What needs the
 * admin token is denied without `--admin-token-file`.
 */
export async function runServe(args: CliArgs, io: CliIo): Promise<number> {
  if (args.words.length > 0) throw new UsageError('usage: serve [--http PORT --token-file FILE]');
  const http = httpOptions(args);
  const calls = new RunningCalls();
  const yes = args.has('yes');
  const { clock = systemClock } = io;
  const user = new ClientUser({ clock, calls, yes, onNote: (text) => io.error(text) });
  let timeoutSeconds = (): number => 300;
  const approver = (isAdmin: () => boolean) =>
    new ElicitationApprover({ calls, clock, yes, isAdmin, timeoutSeconds: () => timeoutSeconds() });
  const opened = await openWorkspace(args, io, { approver, serverUser: user, follows: true });
  const { core } = opened;
  timeoutSeconds = () => core.settings().get('confirmation.timeoutSeconds');
  for (const problem of opened.problems) io.error(brief(problem));
  const tools = new GovernedTools({
    registry: core.tools.registry,
    profiles: core.tools.profiles,
    router: core.gate.router,
    prompt: () => core.agents.runtimeAgent().systemPrompt,
    settled: () => core.servers.list.settled(discoveryWaitMs),
  });
  await tools.preparePrompt();
  const toolCalls = {
    tools,
    calls,
    crypto: core.gate.ports.crypto,
    contents: true,
    isUnproven: !http,
  };
  const discover = (): Promise<unknown> =>
    core.servers.list.discover().catch((error: unknown) => io.error(String(error)));
  const discovered = discover();
  const following = followChanges(core, discover, { discovered, yes, tell: (text) => io.error(text) });
  const channels = followChannels(core, clock);
  try {
    if (http) await (await import('./serveHttp')).serveHttp(opened, { identity, toolCalls, yes, ...http }, io);
    else {
      const { serveOnStdio } = await import('../mcp/server/serveStdio');
      const serving = serveOnStdio({
        identity,
        toolCalls,
        input: io.stdin ?? process.stdin,
        output: io.stdout ?? process.stdout,
        onError: (error) => io.error(error.message),
        onServer: (made) => user.attach(made),
      });
      const stop = (): void => void serving.close();
      io.signal?.addEventListener('abort', stop, { once: true });
      if (io.signal?.aborted) stop();
      await serving.ended;
      await serving.close();
    }
    return 0;
  } finally {
    channels.dispose();
    following.dispose();
    tools.dispose();
    await opened.close();
  }
}

/**
 * Starts servers that the settings name from now on, and tells problems that were not told before. That a profile names
 * what does not exist is known when the servers have answered; with `--yes` every server is about to be approved.
 */
function followChanges(
  core: Core,
  discover: () => Promise<unknown>,
  { discovered, yes, tell }: { readonly discovered: Promise<unknown>; readonly yes: boolean; tell(text: string): void },
): Disposable {
  const store = new DisposableStore();
  store.add(core.onDidChangeSettings((keys) => keys.has('mcp.servers') && void discover()));
  let told = new Set<string>();
  let isSettled = false;
  const tellNew = (): void => {
    const counting = core
      .problems()
      .filter(({ code }) => (isSettled || code !== 'unknown_capability') && !(yes && code === 'mcp_not_approved'));
    const now = new Set(counting.map(brief));
    for (const text of now) if (!told.has(text)) tell(text);
    told = now;
  };
  tellNew();
  store.add(core.onDidChange(tellNew));
  const settle = (): void => {
    isSettled = true;
    tellNew();
  };
  const settled = (): Promise<void> => core.servers.list.settled(discoveryWaitMs);
  // Which servers there are is known once they are approved; where a person is asked, that may be never.
  (yes ? discovered.then(settled) : settled()).then(settle, settle);
  return store;
}

/** Reads the manifests of channels again from time to time, where the settings name any. */
function followChannels(core: Core, clock: Clock): Disposable {
  let timer: Disposable | undefined;
  let isOver = false;
  const again = async (): Promise<void> => {
    if (Object.keys(core.settings().get('channels')).length > 0) await core.definitions.reloadChannels();
    if (!isOver) wait();
  };
  const wait = (): void => {
    timer = clock.schedule(() => void again(), channelsEveryMs);
  };
  wait();
  return toDisposable(() => {
    isOver = true;
    timer?.dispose();
  });
}

function httpOptions(args: CliArgs): HttpServeOptions | undefined {
  const text = args.value('http');
  const file = args.value('token-file');
  const rest = args.value('api-token-file');
  if (text === undefined) {
    if ((file ?? rest) !== undefined) throw new UsageError('a file of tokens needs `--http PORT`');
    return undefined;
  }
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new UsageError(`\`--http\` must be a port (got \`${text}\`)`);
  if (file === undefined)
    throw new UsageError('`--http` needs `--token-file FILE`, so that no other program on this machine can call');
  return {
    port,
    token: readToken(file, '--token-file'),
    restToken: rest === undefined ? undefined : readToken(rest, '--api-token-file'),
  };
}
