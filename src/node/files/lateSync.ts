import { close, fstatSync } from 'node:fs';

interface LateSyncOptions {
  /** Makes sure that what was written through a descriptor is on the disk. */
  readonly sync: (descriptor: number) => Promise<void>;
  /** Told when that fails: the file is as it was written, but may not outlive a power failure. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/**
 * So long after a write the disk is told to keep it, in milliseconds: several changes of one file in a row are then
 * kept once.
 */
const afterMs = 300;
/** So many files are synced together at most, however soon they were written. */
const mostWaiting = 64;
/** So many descriptors are held at most, of those that a process may have; who writes more waits for the disk. */
const mostOpen = 256;

/**
 * Has files synced to the disk soon after they took their names, so that no caller waits for the disk, but for one who
 * writes faster than it takes. What a process wrote outlives the process by itself, even when it is killed; the sync is
 * for a power failure, and closes the time in which one could take the file back to about a third of a second, where
 * the system alone would take up to 30 seconds. A file that has been replaced meanwhile is left out.
 */
export class LateSync {
  readonly #options: LateSyncOptions;
  #waiting: number[] = [];
  #open = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: LateSyncOptions) {
    this.#options = options;
  }

  /** Takes a descriptor over: it is closed once its file is on the disk. Resolves when there is room for another. */
  async add(descriptor: number): Promise<void> {
    this.#waiting.push(descriptor);
    this.#open++;
    if (this.#open >= mostOpen) return this.flush();
    if (this.#waiting.length >= mostWaiting) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), afterMs).unref();
  }

  /** Syncs what is waiting now; resolves when that and all before it is done. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const due = this.#waiting;
    this.#waiting = [];
    this.#running = this.#running.then(async () => {
      for (const descriptor of due) await this.#finish(descriptor);
    });
    return this.#running;
  }

  async #finish(descriptor: number): Promise<void> {
    try {
      if (fstatSync(descriptor).nlink > 0) await this.#options.sync(descriptor);
    } catch (error) {
      this.#options.onFailure?.(error);
    } finally {
      await new Promise<void>((resolve) => close(descriptor, () => resolve()));
      this.#open--;
    }
  }
}
