import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isObject } from '../../core/base/json';
import type { Disposable } from '../../core/base/lifecycle';
import { contentTag } from '../../core/vocabulary/contentTag';
import type { Crypto } from '../../core/ports/platform';
import type { RegisteredTool } from '../../core/registry/registry';
import type { ToolResult } from '../../core/vocabulary/toolResult';
import { toMcpResult } from './answers';
import { callerOf, type Incoming, progressOf, promptOf } from './clientRequest';
import type { GovernedTools } from './governed';
import { PendingCall } from './pendingCall';
import { ClientConnection, type RunningCalls } from './runningCalls';
import { sourceKey } from '../../core/vocabulary/toolSource';

/** A call whose question nobody answers is given up after so long. */
const suspendedLifeMs = 15 * 60_000;

export interface ToolCallOptions {
  readonly tools: GovernedTools;
  readonly calls: RunningCalls;
  readonly crypto: Crypto;
  /** True where the resources and prompts of governed servers are offered as such too, not only as tools. */
  readonly contents?: boolean;
  /** How long a list of resources or prompts waits for a server, in milliseconds; 8 s where it is left out. */
  readonly listWaitMs?: number;
  /** True where nothing proves who calls, as over stdio; over HTTP the token does. */
  readonly isUnproven?: boolean;
}

export interface CallRequest {
  readonly name: string;
  readonly input: unknown;
  readonly tool: RegisteredTool | undefined;
  /** Prompts are chosen by people, everything else is called by agents. */
  readonly actor: 'agent' | 'user';
  /** The prompt that the client's agent works on, where the client tells it. */
  readonly prompt?: string | undefined;
  /** False where the protocol lets the answer carry no questions. */
  readonly mayAsk?: boolean;
  /** A call that takes longer is given up, in milliseconds. */
  readonly withinMs?: number;
}

type CallOutcome =
  | { readonly type: 'result'; readonly result: ToolResult }
  | { readonly type: 'asking'; readonly answer: InputRequiredResult };

/**
 * Answers `tools/call` of one client through the gate. Questions go back to the client and their answers find the call
 * that waits for them.
 */
export class ToolCalls implements Disposable {
  readonly #options: ToolCallOptions;
  readonly #suspended = new Map<string, { readonly pending: PendingCall; readonly timer: NodeJS.Timeout }>();

  /** The names that `search_tools` has found for this client. */
  readonly revealed = new Set<string>();

  readonly #onRevealed: (() => void) | undefined;
  #connection: ClientConnection | undefined;

  /** @param onRevealed is told before the answer that names new tools goes out. */
  constructor(options: ToolCallOptions, onRevealed?: () => void) {
    this.#options = options;
    this.#onRevealed = onRevealed;
  }

  /**
   * From here on one client calls, and nothing that another's user allowed counts; without this each request stands for
   * itself.
   */
  startConnection(): void {
    this.#connection = new ClientConnection();
  }

  async call(
    params: { readonly name: string; readonly arguments?: unknown; readonly _meta?: unknown },
    server: Server,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const tool = await this.#options.tools.findSettled(params.name);
    const { name, arguments: input = {}, _meta: meta } = params;
    const request: CallRequest = { name, input, tool, actor: 'agent', prompt: promptOf(meta) };
    const outcome = await this.run(request, { server, context });
    return outcome.type === 'asking' ? outcome.answer : this.answer(outcome.result, tool);
  }

  /** What a client is told of a call that has ended. */
  answer(result: ToolResult, tool: RegisteredTool | undefined): CallToolResult {
    if (tool?.id === 'cap:capabilities:search_tools') {
      const known = this.revealed.size;
      for (const name of foundNames(result)) this.revealed.add(name);
      if (this.revealed.size > known) this.#onRevealed?.();
    }
    // Whoever reads a resource by a tool wants its text; `resources/read` is for the rest.
    const isReading = tool?.definition.tags?.includes(contentTag) === true;
    return toMcpResult(result, tool, { ownForm: this.#options.contents === true && !isReading });
  }

  /**
   * Runs one call, or goes on with the one that the client's answers belong to, until it has a result or asks
   * something.
   */
  async run(request: CallRequest, incoming: Incoming): Promise<CallOutcome> {
    const { context } = incoming;
    const resumed = request.mayAsk === false ? undefined : this.#resumed(request, context);
    const pending = resumed ?? this.#start(request, incoming);
    const { signal } = context.mcpReq;
    const cancel = (): void => pending.stop.abort();
    const late = request.withinMs === undefined ? undefined : setTimeout(cancel, request.withinMs);
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const next = await Promise.race([
        pending.result.then((result) => ({ result })),
        pending.questions().then(() => undefined),
      ]);
      return next ? { type: 'result', result: next.result } : { type: 'asking', answer: this.#suspend(pending) };
    } finally {
      clearTimeout(late);
      signal.removeEventListener('abort', cancel);
    }
  }

  #start({ name, input, tool, actor, prompt, mayAsk }: CallRequest, incoming: Incoming): PendingCall {
    const { tools, calls, crypto } = this.#options;
    const caller = callerOf(incoming);
    const onProgress = progressOf(incoming);
    return new PendingCall(
      {
        invocationId: crypto.randomId(),
        source: tool ? sourceKey(tool.source) : '',
        connection: this.#connection,
        caller: mayAsk === false ? { ...caller, canAsk: false, canSample: false } : caller,
        name,
        input,
      },
      async (pending) => {
        const held = calls.add(pending);
        try {
          return await tools.invoke({
            invocationId: pending.invocationId,
            tool: tool?.id ?? name,
            input,
            actor: { type: actor, id: caller.name, ...(this.#options.isUnproven === true ? { isUnproven: true } : {}) },
            surface: 'mcp',
            signal: pending.stop.signal,
            ...(prompt === undefined ? {} : { prompt }),
            ...(onProgress ? { onProgress } : {}),
          });
        } finally {
          held.dispose();
        }
      },
    );
  }

  dispose(): void {
    for (const { pending, timer } of this.#suspended.values()) {
      clearTimeout(timer);
      pending.stop.abort();
    }
    this.#suspended.clear();
  }

  /**
   * The call that the client's answer belongs to. The state names it; it counts only for the same tool with the same
   * arguments.
   */
  #resumed({ name, input }: CallRequest, context: ServerContext): PendingCall | undefined {
    const state = context.mcpReq.requestState<string>();
    if (state === undefined) return undefined;
    const found = this.#suspended.get(state);
    if (!found?.pending.isCallOf(name, input))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState');
    clearTimeout(found.timer);
    this.#suspended.delete(state);
    found.pending.answer(context.mcpReq.inputResponses);
    return found.pending;
  }

  #suspend(pending: PendingCall): InputRequiredResult {
    const state = `${this.#options.crypto.randomId()}${this.#options.crypto.randomId()}`;
    const timer = setTimeout(() => {
      this.#suspended.delete(state);
      pending.stop.abort();
    }, suspendedLifeMs);
    timer.unref();
    this.#suspended.set(state, { pending, timer });
    return inputRequired({ inputRequests: pending.requests(), requestState: state });
  }
}

function foundNames(result: ToolResult): readonly string[] {
  const tools = result.success && isObject(result.payload) ? result.payload['tools'] : undefined;
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => (isObject(tool) && typeof tool['name'] === 'string' ? [tool['name']] : []));
}
