import { isObject } from '../base/json';
import type { GateCall } from '../call/gateCall';
import { plainWayOut, widestWay } from '../policy/rules/wayOut';
import { type Access, isReadOnly } from '../vocabulary/access';
import type { FlowSource, WayOut } from '../vocabulary/flow';
import { sourceKind } from '../vocabulary/toolSource';
import { calleeOf } from './callee';
import type { FlowPlaces } from './places';
import { sendingLinks } from './sendingLinks';
import { tellsOthers } from './tellsOthers';
import { newWords, textsWritten } from './values';
import type { FlowSession } from './session';

/** One way by which a call reaches others. */
interface Exit {
  readonly way: WayOut;
  /** Whom it reaches: an address, a server, a folder. */
  readonly to: string;
}

interface ExitWorld {
  readonly session: FlowSession;
  readonly places: FlowPlaces;
  readonly private: readonly FlowSource[];
}

/** Every way by which accesses of a call reach others, the widest first. */
export function exitsOf(call: GateCall, accesses: readonly Access[], world: ExitWorld): readonly Exit[] {
  const found = accesses.flatMap((access) => exitOf(call, access, world) ?? []);
  if (accesses === call.accesses) {
    const foreign = foreignExit(call, world);
    if (foreign) found.push(foreign);
    if (accesses.some(({ effect }) => effect === 'fs.write')) found.push(...linkExits(call, world));
  }
  const widest = widestWay(found.map(({ way }) => way));
  return [...found].sort((a, b) => Number(b.way === widest) - Number(a.way === widest));
}

function exitOf(call: GateCall, access: Access, { session, places }: ExitWorld): Exit | undefined {
  const { effect, resource } = access;
  const { isOurs } = sourceKind(call.tool.source);
  // The folder that others see.
  if (effect === 'fs.write') return places.isPublic(resource) ? { way: 'data', to: resource } : undefined;
  // What a built-in tool runs is the server of a database that the user named.
  if (effect.startsWith('system.exec') && isOurs) return undefined;
  const way = plainWayOut(access);
  // What a foreign tool only declares is judged with its arguments.
  if (way === undefined || (resource === '' && calleeOf(call))) return undefined;
  const to = resource === '' ? call.tool.modelName : resource;
  // Where a mail goes is said by its receivers, not by the server that takes it.
  if (effect === 'network.socket' && call.accesses.some((one) => one.effect === 'writes-external')) return undefined;
  if (places.isNamed(resource)) return { way: 'plain', to };
  if (effect === 'network.http' && isReadOnly(access)) {
    const carries = hasHeaders(call.input);
    if (!carries && session.links.isPlain(resource)) return { way: 'plain', to };
    // Where a page leads on to, its host decides: nothing of the session is in it.
    if (isOurs && !call.accesses.includes(access) && call.accesses.every((one) => leadsOn(one, session, places)))
      return { way: 'plain', to };
    return { way: 'data', to };
  }
  return { way, to };
}

const leadsOn = (access: Access, { links }: FlowSession, places: FlowPlaces): boolean =>
  access.effect === 'network.http' &&
  isReadOnly(access) &&
  (links.isPlain(access.resource) || places.isNamed(access.resource));

/** Headers of one's own carry what stands in them; the usual ones say nothing. */
function hasHeaders(input: unknown): boolean {
  const headers = isObject(input) ? input['headers'] : undefined;
  return isObject(headers) && Object.keys(headers).some((name) => !/^(?:accept(?:-language)?|user-agent)$/i.test(name));
}

/**
 * The arguments of a tool that others wrote. What came from a server may go back to it, and anything may be said that
 * was said before there was something private.
 */
function foreignExit(call: GateCall, world: ExitWorld): Exit | undefined {
  const callee = calleeOf(call);
  if (!callee) return undefined;
  const { name: to, origin, listener } = callee;
  // What the user said of a server holds for none whose name is a guess.
  if (origin !== undefined && world.places.isNamed(to)) return { way: 'plain', to };
  const { session } = world;
  const words = newWords(call, listener, session);
  if (words.length === 0) return { way: 'plain', to };
  // Where all of it came from there it tells nothing new, but for what the server would tell others.
  const isItsOwn = origin !== undefined && world.private.every((source) => source.origin === origin);
  if (isItsOwn && !tellsOthers(call, words, callee.onlyReads)) return { way: 'plain', to };
  return { way: 'data', to };
}

/** A file that is written can send something when somebody looks at it. */
function linkExits(call: GateCall, { session, places }: ExitWorld): readonly Exit[] {
  const found: Exit[] = [];
  for (const text of textsWritten(call)) {
    const { links, isWhole } = sendingLinks(text);
    for (const link of links)
      if (!session.links.isPlain(link) && !places.isNamed(link)) found.push({ way: 'data', to: link });
    // What is too much to be looked through may hold one.
    const file = call.accesses.find(({ effect }) => effect === 'fs.write')?.resource;
    if (!isWhole && found.length === 0) found.push({ way: 'data', to: file ?? call.tool.modelName });
  }
  return found;
}
