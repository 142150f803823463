import path from 'node:path';
import { composeSoloGate, type SoloGate, type SoloOptions } from '../app/composeSoloGate';
import type { Problem } from '../core/base/problem';
import { namesBundles } from '../core/bundles/namesBundles';
import type { Log } from '../core/ports/platform';
import type { SettingsLayers } from '../core/settings/settings';
import { type HookSettings, readHookSettings } from '../node/hooks/hookSettings';
import { countsBy, depthIn } from '../node/hooks/hookWorkspace';
import { ManagedFile, managedPlaces, ownSettings } from '../node/managedFile';
import { memoryStore } from '../node/memory';
import { stateFolder } from '../node/stateFolder';
import { systemClock } from '../node/system';
import { readJsonFile } from './workspace';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** What an editor left for hooks, and the gates that are made by it. */
export class LeftByEditor {
  readonly #folder: string;
  readonly #settings: HookSettings;
  /** True for a folder that counts as a workspace of its own. */
  readonly counts: (folder: string) => boolean;

  /** @param folder the user's private folder. Throws where what was left cannot be believed or read. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#settings = readHookSettings(folder);
    this.counts = countsBy(this.#settings.modes);
  }

  /** True where the innermost folder that was open in an editor and holds the place was in plan mode. */
  isPlanned(place: string): boolean {
    return this.#openAround(place).at(-1)?.[1] === 'plan';
  }

  /** The outermost folder that was open in an editor and holds the place: what an editor shows lies in there. */
  outermostOpen(place: string): string | undefined {
    return this.#openAround(place)[0]?.[0];
  }

  /** The gate of a workspace; what is kept, counted and recorded is left to `own`. */
  async gateIn(workspace: string, mode: 'plan' | 'execute', own: Partial<SoloOptions> = {}): Promise<SoloGate> {
    const { user } = this.#settings;
    const faults: Problem[] = [];
    const managed = new ManagedFile(managedPlaces(user['policy.managedFile']), () => undefined);
    const settings = readJsonFile(path.join(workspace, '.vscode', 'settings.json'), faults, workspace);
    const bundles = stateFolder('bundles', process.env);
    return composeSoloGate({
      folder: workspace,
      layers: await bundled({ managed: managed.values, user, workspace: ownSettings(settings) }, workspace, bundles),
      mode,
      limits: memoryStore(),
      own: bundles === undefined ? [this.#folder] : [this.#folder, bundles],
      audit: { record() {} },
      log: silent,
      ...own,
    });
  }

  /** Those that were open with their modes, the outermost first. */
  #openAround(place: string): readonly (readonly [string, string])[] {
    const holding = Object.entries(this.#settings.modes).filter(([open]) => depthIn(open, place) >= 0);
    return holding.sort(([a], [b]) => a.length - b.length);
  }
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
