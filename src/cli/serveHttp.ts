import { agentsApiOf } from '../app/agentsApi';
import { ProfileEditor } from '../core/profiles/profileEditor';
import { startLoopback } from '../mcp/server/loopback';
import type { ServerIdentity } from '../mcp/server/makeServer';
import type { ToolCallOptions } from '../mcp/server/toolCalls';
import type { CliIo } from './args';
import type { OpenedWorkspace } from './openWorkspace';

/** Where to listen, and the tokens that callers need. */
export interface HttpServeOptions {
  readonly port: number;
  readonly token: string;
  readonly restToken: string | undefined;
}

interface HttpServing extends HttpServeOptions {
  readonly identity: ServerIdentity;
  readonly toolCalls: ToolCallOptions;
  readonly yes: boolean;
}

/**
 * Serves on loopback until the command is stopped. Without `--yes` an API change that widens is refused, because nobody
 * can be asked.
 */
export async function serveHttp(
  opened: OpenedWorkspace,
  { identity, toolCalls, yes, port, token, restToken }: HttpServing,
  io: CliIo,
): Promise<void> {
  const { core } = opened;
  const editor = new ProfileEditor({
    store: core.tools.profiles,
    settings: opened.profileSettings,
    log: core.gate.ports.log,
  });
  const agents = agentsApiOf(core, editor, {
    approve: async () => yes,
    mend: 'nobody can be asked here: start `serve` with `--yes` to allow it, or make the agent in the editor',
  });
  const server = await startLoopback({
    identity,
    toolCalls,
    port,
    token,
    ...(restToken === undefined ? {} : { api: { token: restToken, agents } }),
    onError: (error) => io.error(error.message),
  });
  io.error(`listening on ${server.url}`);
  try {
    await new Promise<void>((resolve) => {
      if (io.signal?.aborted) resolve();
      io.signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    await server.close();
  }
}
