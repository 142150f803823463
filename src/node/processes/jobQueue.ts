/** Starts jobs in their order while fewer than `most` run; the others wait. */
export class JobQueue<Job> {
  readonly #most: number;
  readonly #running: () => number;
  readonly #start: (job: Job) => void;
  readonly #waiting: Job[] = [];

  /** @param start runs a job, or rejects one that is cancelled by then; `next` is to be called when it has ended. */
  constructor(most: number, running: () => number, start: (job: Job) => void) {
    this.#most = most;
    this.#running = running;
    this.#start = start;
  }

  add(job: Job): void {
    this.#waiting.push(job);
    this.next();
  }

  next(): void {
    while (this.#running() < this.#most) {
      const job = this.#waiting.shift();
      if (!job) return;
      this.#start(job);
    }
  }

  /** Those that wait, which run no more. */
  end(): readonly Job[] {
    return this.#waiting.splice(0);
  }
}
