import { ProfileEditor } from '../core/profiles/profileEditor';
import { AgentsApi } from '../mcp/server/agentsApi';
import { startLoopback } from '../mcp/server/loopback';
import type { ToolCallOptions } from '../mcp/server/toolCalls';
import type { CliIo } from './args';
import type { OpenedWorkspace } from './platform';
import { type HttpServeOptions, identity } from './serveOptions';

/**
 * Serves on loopback until the command is stopped. Without `--yes` an API change that widens is refused, because nobody
 * can be asked.
 */
export async function serveHttp(
  opened: OpenedWorkspace,
  parts: ToolCallOptions,
  options: HttpServeOptions & { readonly yes: boolean },
  io: CliIo,
): Promise<void> {
  const { core } = opened;
  const editor = new ProfileEditor({
    store: core.tools.profiles,
    settings: opened.profileSettings,
    log: core.gate.ports.log,
  });
  const agents = new AgentsApi({
    registry: core.tools.registry,
    profiles: core.tools.profiles,
    crypto: core.gate.ports.crypto,
    save: (profile, label) => editor.put(profile, label),
    approve: async () => options.yes,
  });
  const server = await startLoopback({
    identity,
    parts,
    port: options.port,
    token: options.token,
    ...(options.restToken === undefined ? {} : { api: { token: options.restToken, agents } }),
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
