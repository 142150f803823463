import { type Disposable, toDisposable } from '../../core/base/lifecycle';
import type { JsonSchema } from '../../core/base/schema';
import type { ElicitationAnswer, SamplingAnswer, SamplingRequest } from '../../core/foreign/serverUser';

/**
 * One client from its handshake to its end. What its user allowed for the session belongs to this object: a client that
 * comes back is another one, and a request that belongs to no connection can have nothing remembered.
 */
export class ClientConnection {
  /** What the user allowed, each with the reasons that were shown: another reason is another question. */
  readonly allowed = new Map<string, ReadonlySet<string>>();
}

/** Something that a person has to answer before a call can go on. */
export interface Question {
  /** What the protocol calls the question; chosen where it does not matter. */
  readonly key?: string;
  readonly message: string;
  readonly schema: JsonSchema;
}

/** A call that an MCP client made and that has not ended: through it the person behind the client can be asked. */
export interface RunningCall {
  readonly invocationId: string;
  /** The client that made it; undefined where each request stands for itself. */
  readonly connection: ClientConnection | undefined;
  /** The key of the tool's source, such as `mcp:files`. */
  readonly source: string;
  /** False where the client said nothing about elicitation. */
  readonly canAsk: boolean;
  /** False where the client lends no language model. */
  readonly canSample: boolean;
  ask(question: Question, signal: AbortSignal): Promise<ElicitationAnswer>;
  sample(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer>;
}

/**
 * Knows the calls of all clients, so that a confirmation or a server's question finds the client whose call it belongs
 * to.
 */
export class RunningCalls {
  readonly #calls = new Map<string, RunningCall>();

  add(call: RunningCall): Disposable {
    this.#calls.set(call.invocationId, call);
    return toDisposable(() => this.#calls.delete(call.invocationId));
  }

  /** The call with this id, or the one on whose behalf it was made. */
  of(invocationId: string, parentId: string | undefined): RunningCall | undefined {
    return this.#calls.get(invocationId) ?? (parentId === undefined ? undefined : this.#calls.get(parentId));
  }

  /**
   * The only running call of a source; undefined where there are none or several, because a question must never reach
   * the wrong person.
   */
  onlyOf(source: string): RunningCall | undefined {
    const found = [...this.#calls.values()].filter((call) => call.source === source);
    return found.length === 1 ? found[0] : undefined;
  }
}
