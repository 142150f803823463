import path from 'node:path';
import type { Problem } from '../core/base/problem';
import type { SettingsLayers } from '../core/settings/settings';
import { restingStamp } from '../node/restingStamp';
import { managedFileInForce } from '../node/managedFile';
import { type CliArgs, settingsFromArgs } from './args';
import { brief } from './problemLines';
import { readLayers } from './workspace';

/** The settings files of a command that stays running, which no editor tells of changes. */
export class FollowedSettings {
  readonly #folder: string;
  readonly #args: CliArgs;
  readonly #tell: (text: string) => void;
  #seen: string;

  constructor(folder: string, args: CliArgs, tell: (text: string) => void) {
    this.#folder = folder;
    this.#args = args;
    this.#tell = tell;
    this.#seen = this.#look();
  }

  /** To be asked before each call. True once after a change of a file; it costs a look at each. */
  isChanged(): boolean {
    const now = this.#look();
    if (now === this.#seen) return false;
    this.#seen = now;
    return true;
  }

  /** The settings as the files say now. While one cannot be read, what it said before stays in force, and that is told. */
  read(): SettingsLayers | undefined {
    const problems: Problem[] = [];
    const layers = readLayers(this.#folder, this.#args, problems);
    for (const problem of problems) this.#tell(brief(problem));
    return problems.some(({ severity }) => severity === 'error') ? undefined : layers;
  }

  #look(): string {
    const managed = managedFileInForce(settingsFromArgs(this.#args)['policy.managedFile']);
    return [path.join(this.#folder, '.vscode', 'settings.json'), managed].map(restingStamp).join('\n');
  }
}
