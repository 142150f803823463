import type { ResolvedProfile } from '../profiles/profile';
import type { ToolPorts } from '../ports/toolPorts';

/** The capability whose configuration says in which files a profile works. */
const fileCapability = 'file_system';

/**
 * What decides where the files of a call lie. Either of both is enough, so that a workspace can isolate and never open
 * up.
 */
interface RootChoice {
  /** The configuration of the capability `file_system` in the profile. */
  readonly config: { readonly root?: unknown };
  readonly profileId: string;
}

function isSession({ settings }: Pick<ToolPorts, 'settings'>, { root }: RootChoice['config']): boolean {
  return root === 'session' || settings.get('fileSystem.root') === 'session';
}

/**
 * The ports of a call, with the files that it works on: the workspace's, or the session's own. The only place that
 * chooses between them. The gate hands nothing else to a handler, so that tools, code in the sandbox, modules, programs
 * and databases all see the same files.
 */
export function rootedPorts(ports: ToolPorts, { config, profileId }: RootChoice): ToolPorts {
  return isSession(ports, config) ? { ...ports, files: ports.files.session(profileId) } : ports;
}

/** The same for the calls of a profile. */
export function portsOf(ports: ToolPorts, profile: ResolvedProfile): ToolPorts {
  return rootedPorts(ports, { config: profile.config(fileCapability), profileId: profile.id });
}

/** True for a profile whose calls see the session's files and not the workspace's. */
export function worksInSession(ports: Pick<ToolPorts, 'settings'>, profile: ResolvedProfile): boolean {
  return isSession(ports, profile.config(fileCapability));
}
