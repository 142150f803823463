import { noteChange } from '../core/audit/noteChange';
import path from 'node:path';
import { composeSoloGate } from '../app/composeSoloGate';
import { say } from '../core/base/sentence';
import type { Problem } from '../core/base/problem';
import { hookInvocation, type HookVerdict, hookVerdict, ranElsewhere } from '../core/gate/hookCall';
import { namesBundles } from '../core/bundles/namesBundles';
import { mayAsk } from '../core/hooks/answers';
import type { HostEvent } from '../core/hooks/hostEvent';
import type { Log } from '../core/ports/platform';
import type { SettingsLayers } from '../core/settings/settings';
import { fileStore } from '../node/fileStore';
import { readHookSettings } from '../node/hooks/hookSettings';
import { depthIn, hookWorkspaces } from '../node/hooks/hookWorkspace';
import { readLastAnswers } from '../node/hooks/lastAnswers';
import { spoolSink } from '../node/hooks/spool';
import { ManagedFile, managedPlaces, ownSettings } from '../node/managedFile';
import { memoryStore } from '../node/memory';
import { stateFolder } from '../node/stateFolder';
import { nodeCrypto, systemClock } from '../node/system';
import { readJsonFile } from './workspace';

/** Looking at all files takes so much of the time for an answer, and not more than so long, in milliseconds. */
const partForLooking = 0.6;
const mostLookingMs = 20_000;

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Judges one call without an editor: by the user's settings as an editor left them, and the rules of every workspace
 * that the agent works in. The strictest of them counts. Throws where any cannot be read: the caller denies.
 * @param limitMs how long the answer may take.
 */
export async function judgeAlone(folder: string, event: HostEvent, limitMs: number): Promise<HookVerdict> {
  const cwd = event.cwd ?? process.cwd();
  noteAlone(folder, event);
  const [nearest, ...outer] = hookWorkspaces(cwd);
  // What is changed anywhere in the outermost of them may be taken back there.
  const root = outer.at(-1) ?? nearest;
  const mostLookMs = Math.min(mostLookingMs, Math.round(limitMs * partForLooking));
  const at = { folder, cwd, root, mostLookMs };
  let asked: HookVerdict | undefined;
  // Those around it say no or nothing; what happens is counted and recorded once.
  for (const workspace of event.kind === 'before' ? outer : []) {
    const verdict = await judgeIn({ ...at, workspace, isCounted: false }, event);
    if (verdict.effect === 'deny') return judgeIn({ ...at, workspace, isCounted: true }, event);
    if (verdict.effect === 'ask') asked ??= verdict;
  }
  const verdict = await judgeIn({ ...at, workspace: nearest, isCounted: true }, event);
  return verdict.effect === 'allow' ? (asked ?? verdict) : verdict;
}

/** Records that no editor answers an agent any more, once until one does again. */
function noteAlone(folder: string, { agent, kind }: HostEvent): void {
  if (kind !== 'before' || readLastAnswers(folder).find((one) => one.agent === agent)?.by === 'alone') return;
  const told = { audit: spoolSink(folder, () => undefined), clock: systemClock };
  noteChange(told, 'settings', `protection:${agent}`, say('fault_editor_closed'), { type: 'agent', id: agent });
}

interface Place {
  /** The user's private folder. */
  readonly folder: string;
  readonly workspace: string;
  readonly cwd: string;
  /** True where limits are counted and the call is recorded. */
  readonly isCounted: boolean;
  /** The outermost folder of whose files is kept what stands there before a call. */
  readonly root: string;
  /** So long a look at all of them may take, in milliseconds. */
  readonly mostLookMs: number;
}

async function judgeIn(place: Place, event: HostEvent): Promise<HookVerdict> {
  const { folder, workspace, cwd, isCounted, root, mostLookMs } = place;
  const { user, modes } = readHookSettings(folder);
  const faults: Problem[] = [];
  const managed = new ManagedFile(managedPlaces(user['policy.managedFile']), () => undefined);
  const settings = readJsonFile(path.join(workspace, '.vscode', 'settings.json'), faults, workspace);
  const bundles = stateFolder('bundles', process.env);
  const gate = await composeSoloGate({
    folder: workspace,
    layers: await bundled({ managed: managed.values, user, workspace: ownSettings(settings) }, workspace, bundles),
    mode: modeAt(modes, cwd) === 'plan' ? 'plan' : 'execute',
    limits: isCounted ? fileStore(path.join(folder, 'limits'), () => undefined) : memoryStore(),
    own: bundles === undefined ? [folder] : [folder, bundles],
    ...(isCounted ? { keeps: { privateFolder: folder, root: outermostOpen(modes, cwd) ?? root, mostLookMs } } : {}),
    audit: isCounted ? spoolSink(folder, () => undefined) : { record() {} },
    log: silent,
  });
  try {
    const invocation = hookInvocation(event, nodeCrypto);
    if (event.kind === 'after') {
      await gate.router.finishedElsewhere(invocation, ranElsewhere(event));
      return { effect: 'allow', reason: '' };
    }
    const verdict = hookVerdict(await gate.router.invoke(invocation));
    if (verdict.effect !== 'ask') return verdict;
    if (gate.needsAdmin()) return { ...verdict, effect: 'deny' };
    if (isCounted && mayAsk(event.agent)) await gate.keep(invocation);
    return verdict;
  } finally {
    await gate.close();
  }
}

/** The outermost folder that was open in an editor and holds the place: what an editor shows lies in there. */
function outermostOpen(modes: Readonly<Record<string, string>>, place: string): string | undefined {
  return Object.keys(modes)
    .filter((open) => depthIn(open, place) >= 0)
    .sort((a, b) => a.length - b.length)[0];
}

/** The mode of the innermost folder that was open in an editor and holds the place. */
function modeAt(modes: Readonly<Record<string, string>>, place: string): string | undefined {
  const holding = Object.entries(modes).map(([open, mode]) => ({ depth: depthIn(open, place), mode }));
  return holding.filter(({ depth }) => depth >= 0).sort((a, b) => b.depth - a.depth)[0]?.mode;
}

/** A hook fetches nothing: what an editor or a command took last is in force, and files as they are. */
async function bundled(layers: SettingsLayers, workspace: string, folder: string | undefined): Promise<SettingsLayers> {
  if (!namesBundles(layers)) return layers;
  const { HeldBundles } = await import('../node/bundles/heldBundles');
  const held = new HeldBundles({ folder, workspace: () => workspace, clock: systemClock, onError: () => undefined });
  try {
    return held.apply(layers);
  } finally {
    held.dispose();
  }
}
