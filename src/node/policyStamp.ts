import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { settledMs, stampText } from './fileStamp';

/**
 * Tells whether the files of one folder may have changed, by their names, times and sizes: another text is another
 * stamp. It is asked before every call, so a folder that does not exist costs one look, and one whose own time stands
 * still is not listed again.
 */
export class PolicyStamp {
  readonly #folder: string;
  readonly #accepts: (name: string) => boolean;
  #listed: { readonly time: string; readonly names: readonly string[] } | undefined;

  /** @param accepts picks the files by their names. */
  constructor(folder: string, accepts: (name: string) => boolean) {
    this.#folder = folder;
    this.#accepts = accepts;
  }

  now(): string {
    try {
      const folder = statSync(this.#folder, { throwIfNoEntry: false });
      if (!folder) return '';
      const stamps: string[] = [];
      for (const name of this.#names(folder.mtimeMs, folder.ctimeMs)) {
        const file = statSync(path.join(this.#folder, name), { throwIfNoEntry: false });
        if (file) stamps.push(`${name}:${stampText(file)}`);
      }
      return stamps.join('|');
    } catch {
      return '';
    }
  }

  #names(mtimeMs: number, ctimeMs: number): readonly string[] {
    const time = `${mtimeMs}:${ctimeMs}`;
    if (this.#listed?.time === time) return this.#listed.names;
    const names = readdirSync(this.#folder).filter(this.#accepts).sort();
    this.#listed = Date.now() - Math.max(mtimeMs, ctimeMs) > settledMs ? { time, names } : undefined;
    return names;
  }
}
