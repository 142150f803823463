import { comparePaths } from '../../../core/files/paths';
import { WalkFilter } from '../../../core/files/walk';
import { isTemporaryName } from '../temporaryNames';
import { type SearchJob, walkFiles } from './engine';

/** The files that may be searched, collected while another program searches. */
export class Candidates {
  /** In the order of `comparePaths`. */
  readonly allowed: string[] = [];
  readonly #denied = new Set<string>();
  readonly #filter: WalkFilter;
  readonly #job: SearchJob;
  readonly #small: number;
  #count = 0;
  #grown: (() => void) | undefined;

  constructor(job: SearchJob, small: number) {
    this.#job = job;
    this.#small = small;
    this.#filter = new WalkFilter({ ...job, start: job.query.root.path });
  }

  /** Resolves as soon as there are more files than a small folder has, or all are known. */
  async isLarge(listing: Promise<void>): Promise<boolean> {
    const grown = new Promise<void>((resolve) => {
      this.#grown = resolve;
      if (this.#count > this.#small) resolve();
    });
    await Promise.race([grown, listing]);
    return this.#count > this.#small;
  }

  async collect(signal: AbortSignal): Promise<void> {
    const { query } = this.#job;
    const take = async (files: readonly string[]): Promise<void> => {
      this.#count += files.length;
      if (this.#count > this.#small) this.#grown?.();
      const verdicts = await query.judge(files);
      for (const [index, file] of files.entries()) {
        if (verdicts[index] === true) this.allowed.push(file);
        else this.#denied.add(file);
      }
      query.onProgress?.(this.#count);
    };
    await walkFiles(this.#job, take, signal);
  }

  /** Tells of a file by its path, once the walk is done. */
  isAllowed(file: string): boolean {
    let [low, high] = [0, this.allowed.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const order = comparePaths(this.allowed[middle] ?? '', file);
      if (order === 0) return true;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return false;
  }

  /**
   * The files of a result that the walk would have met and that may be searched; to be asked once the walk is done. To
   * look up every file of a large folder by its path costs more than to ask again about the few that matched; one made
   * since the walk is judged here.
   */
  async admit<T extends { readonly path: string }>(found: readonly T[]): Promise<T[]> {
    const met: T[] = [];
    for (const file of found) {
      const { path } = file;
      if (this.#denied.has(path) || isTemporaryName(path.slice(path.lastIndexOf('/') + 1))) continue;
      if (await this.#filter.meets(path)) met.push(file);
    }
    const verdicts = await this.#job.query.judge(met.map((file) => file.path));
    return met.filter((_file, index) => verdicts[index] === true);
  }
}
