import path from 'node:path';
import type { Problem } from '../core/base/problem';
import { worded } from '../core/base/sentence';
import type { SettingsLayers } from '../core/settings/settings';
import { ManagedFile, managedPlaces, type ManagedPlaces } from '../node/managedFile';
import { restingStamp } from '../node/restingStamp';
import { brief } from './problemLines';
import { workspaceSettings } from './workspace';

/** The settings files of a command that stays running, which no editor tells of changes. */
export class FollowedSettings {
  readonly #folder: string;
  readonly #places: ManagedPlaces;
  readonly #tell: (text: string) => void;
  readonly #managed: ManagedFile;
  #seen: string;
  /** What is wrong with the managed file. */
  #faults: string[] = [];
  /** What was wrong with both is told once. */
  #told: string;

  /** @param named the managed file that the command names; one at the fixed place comes before it. */
  constructor(folder: string, named: unknown, tell: (text: string) => void) {
    this.#folder = folder;
    this.#places = managedPlaces(named);
    this.#tell = tell;
    this.#managed = new ManagedFile(this.#places, (said) => this.#faults.push(`error: ${worded(said)}`));
    this.#seen = this.#look();
    // What is wrong now was told when the command read them.
    this.#told = this.#workspace().problems.concat(this.#faults).join('\n');
  }

  /** To be asked before each call: true where a file is another one than when it was read last. */
  isChanged(): boolean {
    return this.#look() !== this.#seen;
  }

  /**
   * The settings as the files say now, each for itself. While one cannot be read, what it said before stays in force,
   * and that is told.
   */
  read(): Pick<SettingsLayers, 'managed'> & Partial<Pick<SettingsLayers, 'workspace'>> {
    this.#seen = this.#look();
    this.#faults = [];
    this.#managed.refresh(true);
    const { settings, problems, isRead } = this.#workspace();
    const said = problems.concat(this.#faults).join('\n');
    if (said !== '' && said !== this.#told) this.#tell(said);
    this.#told = said;
    return { managed: this.#managed.values, ...(isRead ? { workspace: settings } : {}) };
  }

  #workspace() {
    const problems: Problem[] = [];
    const settings = workspaceSettings(this.#folder, problems);
    const isRead = !problems.some(({ severity }) => severity === 'error');
    return { settings, problems: problems.map((one) => brief(one)), isRead };
  }

  #look(): string {
    return [path.join(this.#folder, '.vscode', 'settings.json'), ...this.#places].map(restingStamp).join('\n');
  }
}
