import { canonicalJson } from '../../core/base/json';
import type { Pin } from '../../core/foreign/pins';
import type { McpServerSpec } from '../../core/foreign/serverSpec';
import type { Crypto } from '../../core/ports/platform';
import type { Provenance } from '../../core/vocabulary/provenance';

/**
 * The name under which approved tools are kept: a workspace's server is never taken for the user's server of that name.
 * Names of servers hold no colon.
 */
export function pinName({ name, origin }: McpServerSpec): string {
  return origin === 'workspace' ? `workspace:${name}` : name;
}

/**
 * Who brought a server's tools, and what was approved of them: the whole entry where a workspace wrote it, how the
 * server is reached where the user did, who may judge their own tools anew, and the whole list of tools.
 */
export function provenanceOf(spec: McpServerSpec, pin: Pin | undefined, crypto: Crypto): Provenance {
  const isForeign = spec.origin === 'workspace';
  const entry = isForeign ? spec.content : { transport: spec.transport, roots: spec.roots };
  const hash = pin && crypto.sha256(canonicalJson({ entry, tools: pin.hash }));
  return { by: isForeign ? 'workspace' : 'user', from: `server:${spec.name}`, ...(hash === undefined ? {} : { hash }) };
}
