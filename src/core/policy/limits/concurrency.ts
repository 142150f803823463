import { say, type Sentence } from '../../base/sentence';
import { deny } from '../../call/stepAnswer';
import type { RegisteredTool } from '../../registry/registry';
import type { StepAnswer } from '../../vocabulary/decision';
import { refusal } from '../../vocabulary/errors';
import type { LimitSettings } from './limitSettings';

/** A counted call that has not ended yet. */
interface Running {
  readonly toolId: string;
  /** What makes another call equal to it; undefined where equality means nothing. */
  readonly callKey: string | undefined;
}

/** How many at once. */
export class RunningCalls {
  readonly #running = new Map<string, Running>();

  get size(): number {
    return this.#running.size;
  }

  denial({ id, modelName }: RegisteredTool, layers: readonly LimitSettings[]): StepAnswer | undefined {
    const own = [...this.#running.values()].filter(({ toolId }) => toolId === id).length;
    for (const { concurrency } of layers) {
      const { perTool, all } = concurrency;
      if (perTool !== undefined && own >= perTool) return tooMany(say('too_many_calls_of_tool', perTool, modelName));
      if (all !== undefined && this.#running.size >= all) return tooMany(say('too_many_calls', all));
    }
    return undefined;
  }

  started(invocationId: string, running: Running): void {
    this.#running.set(invocationId, running);
  }

  /** Frees the place of a call; undefined where it has none. */
  finished(invocationId: string): Running | undefined {
    const running = this.#running.get(invocationId);
    this.#running.delete(invocationId);
    return running;
  }
}

const tooMany = (said: Sentence): StepAnswer =>
  deny('limits', refusal('too_many_calls', said, { retryable: true }), 'limit.concurrency');
