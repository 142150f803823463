import type { GateCall } from '../call/gateCall';
import type { Access } from '../vocabulary/access';
import type { FlowKind, FlowLabel, FlowSource } from '../vocabulary/flow';
import { sourceKind } from '../vocabulary/toolSource';
import { calleeOf, isPersonal } from './callee';
import { bringsStrangers } from './commands';
import type { FlowPlaces } from './places';

/** What sources are told by. */
interface SourceWorld {
  readonly places: FlowPlaces;
  readonly isTrusted: () => boolean;
  readonly now: () => number;
}

/** What a call reads that gives its session a label, by what it touches and by who runs it. */
export function sourcesOf(call: GateCall, accesses: readonly Access[], world: SourceWorld): readonly FlowSource[] {
  const { places } = world;
  const found: FlowSource[] = [];
  const callee = calleeOf(call);
  // Whatever a server hands out, it had.
  const by = callee?.origin === undefined ? {} : { origin: callee.origin };
  const add = (label: FlowLabel, kind: FlowKind, resource: string): void => {
    found.push({ label, kind, resource: resource.slice(0, 300), tool: call.tool.modelName, at: world.now(), ...by });
  };
  for (const { effect, resource } of accesses) {
    if (effect === 'fs.read' && resource !== '') {
      const isPlain = places.isPlain(resource);
      const kind = isPlain ? undefined : privateFile(resource, places);
      if (kind) add('private', kind, resource);
      if (!isPlain && places.isInstalled(resource)) add('untrusted', 'installed_file', resource);
      else if (!world.isTrusted()) add('untrusted', 'untrusted_workspace', resource);
    } else if (effect === 'database.read') add('private', 'database', resource || call.tool.modelName);
    else if (effect === 'system.env') add('private', 'environment', resource);
    else if (effect === 'cloud.key_read') add('private', 'cloud_key', resource);
    // The headers of an answer are a stranger's words too, and all that HEAD brings.
    else if (effect === 'network.http') add('untrusted', 'web', resource || call.tool.modelName);
    else if (effect === 'system.exec' && bringsStrangers(resource)) add('untrusted', 'web', resource);
    else if (effect === 'network.socket' && !sourceKind(call.tool.source).isOurs) add('untrusted', 'web', resource);
  }
  if (callee) {
    add('untrusted', 'foreign_result', callee.name);
    if (isPersonal(call.tool.definition.name, callee.name)) add('private', 'private_service', callee.name);
  } else if (found.length === 0 && searchesWeb(call)) add('untrusted', 'web', call.tool.modelName);
  return found;
}

/** What a call itself carries from one place to another: private files that it reads and sends in one go. */
export function carriedSources(call: GateCall, world: SourceWorld): readonly FlowSource[] {
  const { places } = world;
  return call.accesses.flatMap(({ effect, resource }): readonly FlowSource[] => {
    if ((effect !== 'fs.read' && effect !== 'fs.delete') || resource === '') return [];
    const kind = privateFile(resource, places);
    if (!kind) return [];
    return [{ label: 'private', kind, resource: resource.slice(0, 300), tool: call.tool.modelName, at: world.now() }];
  });
}

function privateFile(path: string, places: FlowPlaces): FlowKind | undefined {
  if (places.isSecret(path)) return 'secret_file';
  if (places.isChosen(path)) return 'chosen_path';
  if (places.isInstalled(path)) return undefined;
  return places.isOutside(path) ? 'outside_file' : undefined;
}

/** Agents search the web by tools that name no host. */
function searchesWeb({ tool }: GateCall): boolean {
  return sourceKind(tool.source).runsElsewhere === true && /web_?search|web_?fetch/i.test(tool.definition.name);
}
