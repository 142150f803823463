import { say, type Sentence } from '../../base/sentence';
import { deny } from '../../call/stepAnswer';
import type { RegisteredTool } from '../../registry/registry';
import type { StepAnswer } from '../../vocabulary/decision';
import { refusal, type ToolError } from '../../vocabulary/errors';
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
  readonly #perTool = new Map<string, number>();

  get size(): number {
    return this.#running.size;
  }

  denial({ id, modelName }: RegisteredTool, layers: readonly LimitSettings[]): StepAnswer | undefined {
    for (const { concurrency } of layers) {
      if (concurrency.perTool !== undefined && (this.#perTool.get(id) ?? 0) >= concurrency.perTool)
        return deny(
          'limits',
          tooManyCalls(say('too_many_calls_of_tool', concurrency.perTool, modelName)),
          'limit.concurrency',
        );
      if (concurrency.all !== undefined && this.#running.size >= concurrency.all)
        return deny('limits', tooManyCalls(say('too_many_calls', concurrency.all)), 'limit.concurrency');
    }
    return undefined;
  }

  started(invocationId: string, running: Running): void {
    this.#running.set(invocationId, running);
    this.#perTool.set(running.toolId, (this.#perTool.get(running.toolId) ?? 0) + 1);
  }

  /** Frees the place of a call; undefined where it has none. */
  finished(invocationId: string): Running | undefined {
    const running = this.#running.get(invocationId);
    if (!running) return undefined;
    this.#running.delete(invocationId);
    const left = (this.#perTool.get(running.toolId) ?? 1) - 1;
    if (left > 0) this.#perTool.set(running.toolId, left);
    else this.#perTool.delete(running.toolId);
    return running;
  }
}

const tooManyCalls = (said: Sentence): ToolError => refusal('too_many_calls', said, { retryable: true });
