import type { StopSign } from '../base/stopSign';
import type { CallStakes, GateCall } from '../call/gateCall';
import { resolvePath } from '../files/paths';
import { portsOf } from '../files/root';
import type { FileSystem } from '../ports/files';
import type { ToolPorts } from '../ports/toolPorts';
import type { VersionControl } from '../ports/versions';
import type { WorkspacePath } from '../ports/workspacePath';
import { placeholderPattern } from '../secrets/texts';
import { type Access, accessHost, familyOf } from '../vocabulary/access';
import { isToolError } from '../vocabulary/errors';
import type { Removed, Sent, Stake, VersionCounts } from '../vocabulary/stake';
import { type Gone, lookBelow } from './lookBelow';

/** Nobody waits longer for a question than this. */
const mostMs = 1500;

interface StakeFinderOptions {
  readonly ports: ToolPorts;
  /** Nothing is said of versions where it is left out. */
  readonly versions?: (() => Promise<VersionControl>) | undefined;
}

type Asked = Parameters<CallStakes['of']>;

/** Looks up what a call puts at stake, by the accesses that it names and by what its tool foresees. */
export class StakeFinder implements CallStakes {
  readonly #options: StakeFinderOptions;

  constructor(options: StakeFinderOptions) {
    this.#options = options;
  }

  async of(...asked: Asked): Promise<Stake> {
    const [call, accesses, preview] = asked;
    const sends = sentBy(call, accesses, preview.stake?.sends);
    return {
      ...preview.stake,
      ...(await this.#files(...asked)),
      ...(sends ? { sends } : {}),
      ...(preview.undo === undefined ? {} : { undo: preview.undo }),
    };
  }

  async #files(...[call, accesses, preview, keeps]: Asked): Promise<Stake> {
    const { files } = portsOf(this.#options.ports, call.profile);
    const touched = changesOf(accesses, preview.action === 'move');
    // The files of a session go with it, and a database file is known by its rows.
    const isDatabase = call.accesses.some(({ effect }) => familyOf(effect) === 'database');
    if (touched.length === 0 || files.labelPrefix !== undefined || isDatabase) return {};
    const stopped = { aborted: false, reason: undefined };
    const timer = this.#options.ports.clock.schedule(() => (stopped.aborted = true), mostMs);
    try {
      const gone = await lookAt(files, touched, keeps, stopped);
      const versions = await this.#versions(files, gone, stopped);
      return { ...(gone.removes ? { removes: gone.removes } : {}), ...(versions ? { versions } : {}) };
    } catch (error) {
      this.#options.ports.log.debug(`what ${call.tool.id} puts at stake could not be looked up: ${String(error)}`);
      return {};
    } finally {
      timer.dispose();
    }
  }

  async #versions(
    files: FileSystem,
    { changed, folders, removes }: Looked,
    stopped: StopSign,
  ): Promise<VersionCounts | undefined> {
    const { versions: load } = this.#options;
    if (!load || changed.length === 0 || removes?.isPartial || stopped.aborted) return undefined;
    const versions = await load();
    const states = await versions.statesOf(changed, folders, stopped);
    if (stopped.aborted) return undefined;
    const unsaved = await Promise.all(changed.map(async (one) => (await files.stat(one))?.unsaved === true));
    if (states.some((one) => one === undefined)) return undefined;
    const counts = { held: 0, differs: 0, untracked: 0 };
    for (const [at, state] of states.entries())
      if (state) counts[state === 'held' && unsaved[at] === true ? 'differs' : state]++;
    return counts;
  }
}

/** What of the accesses changes files. A move takes nothing away but what stands where it goes. */
function changesOf(accesses: readonly Access[], isMove: boolean): readonly Access[] {
  return accesses.filter(({ effect }) => effect === 'fs.write' || (effect === 'fs.delete' && !isMove));
}

interface Looked {
  readonly removes?: Removed;
  /** Every file that would change or go. */
  readonly changed: readonly WorkspacePath[];
  /** Every folder that would go. */
  readonly folders: readonly WorkspacePath[];
}

async function lookAt(
  files: FileSystem,
  accesses: readonly Access[],
  keeps: (access: Access) => boolean,
  stopped: StopSign,
): Promise<Looked> {
  const seen = new Set<string>();
  const changed: WorkspacePath[] = [];
  const parts: Gone[] = [];
  let isCut = false;
  for (const access of accesses) {
    isCut = stopped.aborted;
    if (isCut) break;
    const place = await placeOf(files, access);
    const key = place && `${place.folder.path}\0${place.path}`;
    if (!place || key === undefined || seen.has(key)) continue;
    seen.add(key);
    const stat = await files.stat(place);
    if (!stat) continue;
    if (access.effect === 'fs.delete') parts.push(await lookBelow(files, place, stat, { access, keeps, stopped }));
    else if (stat.type === 'file') changed.push(place);
  }
  return {
    changed: [...changed, ...parts.flatMap((one) => one.files)],
    folders: parts.flatMap((one) => one.folders),
    ...(parts.length > 0 ? { removes: { ...summed(parts), ...(isCut ? { isPartial: true } : {}) } } : {}),
  };
}

/**
 * The place of the workspace that an access names; undefined for one outside, and for one that cannot be told. What is
 * deleted is the link itself.
 */
async function placeOf(files: FileSystem, { effect, resource }: Access): Promise<WorkspacePath | undefined> {
  if (/^(?:[/\\~]|[a-z]:)|(?:^|\/)\.\.(?:\/|$)/i.test(resource) || resource === '') return undefined;
  try {
    const named = await resolvePath(files, resource === '.' ? '/' : `/${resource}`);
    return await files.canonical(named, effect === 'fs.delete' ? { follow: false } : {});
  } catch (error) {
    if (isToolError(error)) return undefined;
    throw error;
  }
}

function summed(parts: readonly Gone[]): Removed {
  const sum = (of: (one: Gone) => number): number => parts.reduce((total, one) => total + of(one), 0);
  const kept = sum((one) => one.kept);
  return {
    files: sum((one) => one.files.length),
    folders: sum((one) => one.folders.length),
    bytes: sum((one) => one.bytes),
    ...(kept > 0 ? { kept } : {}),
    ...(parts.some((one) => one.isPartial) ? { isPartial: true } : {}),
  };
}

/** Where a call sends something; secrets that its arguments name go along. */
function sentBy(call: GateCall, accesses: readonly Access[], known: Sent | undefined): Sent | undefined {
  const named = JSON.stringify(call.shownInput ?? null).match(placeholderPattern) ?? [];
  const secrets = [...new Set([...(known?.secrets ?? []), ...named.map((one) => one.split(':')[1] ?? '')])];
  const access = accesses.find((one) => accessHost(one) !== undefined);
  const to = known?.to ?? (secrets.length > 0 && access ? accessHost(access) : undefined);
  if (to === undefined) return undefined;
  return { ...known, to, ...(secrets.length > 0 ? { secrets } : {}) };
}
