import { lazy } from '../../core/base/lazy';
import { agentChanges, type Burst, burstsOf, type History, type PastChange } from '../../core/changes/history';
import { type ChangedFile, overviewOf } from '../../core/changes/overview';
import { historyOf } from '../../core/changes/undo';
import type { ShownChanges } from './shownChanges';

/** What was kept, read once for all that show it, until it is read anew. What could not be read is read again. */
export class ChangesReading {
  readonly #shown: Pick<ShownChanges, 'changes' | 'files' | 'crypto'>;
  #history: () => Promise<History>;
  /** The files of the bursts that were asked for, from the same reading as the history. */
  readonly #overviews = new Map<string, () => Promise<readonly ChangedFile[]>>();

  constructor(shown: Pick<ShownChanges, 'changes' | 'files' | 'crypto'>) {
    this.#shown = shown;
    this.#history = this.#reading();
  }

  #reading(): () => Promise<History> {
    return lazy(() => historyOf(this.#shown));
  }

  history(): Promise<History> {
    return this.#history();
  }

  /** Reads the history anew, and answers it; the files of bursts stay as they were read. */
  historyNow(): Promise<History> {
    this.#history = this.#reading();
    return this.#history();
  }

  /** Reads anew what was asked for up to now; ends when it is there. */
  async renew(): Promise<void> {
    const asked = [...this.#overviews.keys()];
    this.#overviews.clear();
    await Promise.all([this.historyNow(), ...asked.map((id) => this.filesOfBurst(id))]);
  }

  /** What agents changed, oldest first. */
  async changes(): Promise<readonly PastChange[]> {
    return agentChanges(await this.#history());
  }

  async bursts(): Promise<readonly Burst[]> {
    return burstsOf(await this.changes());
  }

  filesOfBurst(burst: string): Promise<readonly ChangedFile[]> {
    const known = this.#overviews.get(burst) ?? lazy(() => this.filesOf({ kind: 'burst', id: burst }));
    this.#overviews.set(burst, known);
    return known();
  }

  /** The files of a selection as they are now, once each, in the order of their first change. */
  async filesOf(selection: { readonly kind: 'burst' | 'since'; readonly id: string }): Promise<readonly ChangedFile[]> {
    const { changes, files, crypto } = this.#shown;
    const history = await this.#history();
    const bursts = await overviewOf({ store: await changes.store(), files, crypto, history, selection });
    const byPath = new Map<string, ChangedFile>();
    for (const file of bursts.toReversed().flatMap((burst) => burst.files)) {
      const earlier = byPath.get(file.path);
      byPath.set(file.path, earlier ? { ...file, changes: [...earlier.changes, ...file.changes] } : file);
    }
    return [...byPath.values()];
  }
}
