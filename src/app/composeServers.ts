import { DisposableStore } from '../core/base/lifecycle';
import { portsOf, worksInSession } from '../core/files/root';
import { nobody } from '../core/foreign/serverUser';
import { withoutOwnSecrets } from '../core/ports/ownSecrets';
import type { ToolPorts } from '../core/ports/toolPorts';
import { McpServers } from '../mcp/client/servers';
import type { MadeFrom, Servers } from './coreParts';

type ServersOptions = MadeFrom<
  'http' | 'isTrusted' | 'settings' | 'tools',
  'audit' | 'clock' | 'crypto' | 'environment' | 'files' | 'log' | 'secrets' | 'serverUser' | 'storage'
> & {
  readonly ports: ToolPorts;
};

export function composeServers({ platform, settings, tools, ports, http, isTrusted }: ServersOptions): Servers {
  const { registry, profiles } = tools;
  const { audit, clock, crypto, environment, files, log, secrets, serverUser, storage } = platform;
  const store = new DisposableStore();
  const list = store.add(
    new McpServers({
      registry,
      clock,
      crypto,
      log,
      secrets: withoutOwnSecrets(secrets),
      tokens: secrets,
      files,
      http,
      rooted: () => portsOf(ports, profiles.active()).files,
      trusted: isTrusted,
      storage,
      settings: () => settings.now,
      user: serverUser ?? nobody,
      audit,
      environment: environment ?? {},
    }),
  );
  // A root is made when it is first needed, not for being compared.
  const sessionNow = (): string | undefined => {
    const profile = profiles.active();
    return worksInSession(ports, profile) ? profile.id : undefined;
  };
  let session: { readonly id: string | undefined } | undefined;
  return {
    list,
    own: () =>
      list
        .list()
        .flatMap(({ origin, state, capabilityId }) =>
          origin !== 'workspace' && state !== 'disabled' ? [capabilityId] : [],
        ),
    isOfWorkspace: (id) =>
      list.list().some(({ origin, capabilityId }) => origin === 'workspace' && capabilityId === id),
    isRunning: (name) => {
      const server = list.list().find((one) => one.name === name);
      return server && server.state === 'running';
    },
    followFiles() {
      const before = session;
      session = { id: sessionNow() };
      if (before && before.id !== session.id) list.foldersChanged();
    },
    dispose: () => store.dispose(),
  };
}
