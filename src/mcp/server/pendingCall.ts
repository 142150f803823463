import { inputRequired, type InputRequest, inputResponse } from '@modelcontextprotocol/server';
import { canonicalJson, isObject } from '../../core/base/json';
import { visible } from '../../core/base/visible';
import type { ElicitationAnswer, SamplingAnswer, SamplingRequest } from '../../core/foreign/serverUser';
import type { ToolResult } from '../../core/vocabulary/toolResult';
import type { Caller } from './clientRequest';
import type { ClientConnection, Question, RunningCall } from './runningCalls';

interface Open {
  readonly request: InputRequest;
  /** Takes what the client answered under this question's key; false where it is no answer to it. */
  readonly take: (responses: Readonly<Record<string, unknown>> | undefined, key: string) => boolean;
}

/** A call as a client made it. */
interface ClientCall extends Pick<RunningCall, 'invocationId' | 'source' | 'connection'> {
  readonly caller: Caller;
  /** The tool, by the name that the client used. */
  readonly name: string;
  readonly input: unknown;
}

/**
 * A call on its way through the gate. It outlives one request where the protocol carries questions back in the answer;
 * several may be open at once, and what a client left unanswered is asked again.
 */
export class PendingCall implements RunningCall {
  readonly invocationId: string;
  readonly source: string;
  readonly connection: ClientConnection | undefined;
  readonly canAsk: boolean;
  readonly canSample: boolean;
  readonly stop = new AbortController();
  readonly result: Promise<ToolResult>;
  readonly #open = new Map<string, Open>();
  readonly #call: ClientCall;
  #asked = 0;
  #wake: (() => void) | undefined;

  /** @param run runs the call to its end. */
  constructor(call: ClientCall, run: (pending: PendingCall) => Promise<ToolResult>) {
    const { caller } = call;
    this.#call = call;
    this.invocationId = call.invocationId;
    this.source = call.source;
    this.connection = call.connection;
    this.canAsk = caller.canAsk;
    this.canSample = caller.canSample;
    this.result = run(this);
  }

  /** Whether this is a call of the same tool with the same arguments: an answer counts only for that. */
  isCallOf(name: string, input: unknown): boolean {
    return name === this.#call.name && canonicalJson(input) === canonicalJson(this.#call.input);
  }

  ask(question: Question, signal: AbortSignal): Promise<ElicitationAnswer> {
    // The schema is one of ours, or one that a server sent and that was bounded at the edge.
    const requestedSchema = question.schema as never;
    return this.#put(
      question.key,
      inputRequired.elicit({ message: question.message, requestedSchema }),
      signal,
      (responses, key) => {
        const view = inputResponse(responses, key);
        return view.kind === 'elicit' ? readAnswer(view) : undefined;
      },
    );
  }

  sample(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer> {
    // What the server sent was read as JSON at the edge; the SDK checks it once more before it goes out.
    const params = request.raw as never;
    return this.#put(request.key, inputRequired.createMessage(params), signal, (responses, key) =>
      readSampling(responses?.[key]),
    );
  }

  /** Resolves when at least one question is open, with those that were asked in the same breath. */
  async questions(): Promise<void> {
    if (this.#open.size === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** The open questions as the protocol carries them. */
  requests(): Record<string, InputRequest> {
    return Object.fromEntries([...this.#open].map(([key, { request }]) => [key, request]));
  }

  answer(responses: Readonly<Record<string, unknown>> | undefined): void {
    for (const [key, open] of this.#open) if (open.take(responses, key)) this.#open.delete(key);
  }

  #put<T>(
    wantedKey: string | undefined,
    request: InputRequest,
    signal: AbortSignal,
    read: (responses: Readonly<Record<string, unknown>> | undefined, key: string) => T | undefined,
  ): Promise<T> {
    if (signal.aborted) return Promise.reject(new Error('this question cannot be asked now'));
    this.#asked++;
    const key = wantedKey !== undefined && !this.#open.has(wantedKey) ? wantedKey : `question_${this.#asked}`;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#open.delete(key);
        reject(new Error('the question is of no use any more'));
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#open.set(key, {
        request,
        take: (responses, at) => {
          const answer = read(responses, at);
          if (answer === undefined) return false;
          signal.removeEventListener('abort', onAbort);
          resolve(answer);
          return true;
        },
      });
      this.#wake?.();
    });
  }
}

function readAnswer(view: {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Record<string, unknown>;
}): ElicitationAnswer {
  if (view.action !== 'accept') return { action: view.action };
  const content: Record<string, string | number | boolean | readonly string[]> = {};
  for (const [name, value] of Object.entries(view.content ?? {})) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') content[name] = value;
    else if (Array.isArray(value)) content[name] = value.filter((item): item is string => typeof item === 'string');
  }
  return { action: 'accept', content };
}

function readSampling(response: unknown): SamplingAnswer | undefined {
  if (!isObject(response) || response['role'] !== 'assistant') return undefined;
  const blocks: readonly unknown[] = Array.isArray(response['content']) ? response['content'] : [response['content']];
  const text = blocks
    .map((block) => (isObject(block) && typeof block['text'] === 'string' ? block['text'] : ''))
    .join('\n');
  const { model, stopReason } = response;
  return {
    model: typeof model === 'string' ? visible(model).slice(0, 200) : 'unknown',
    text,
    ...(typeof stopReason === 'string' ? { stopReason: stopReason.slice(0, 80) } : {}),
  };
}
