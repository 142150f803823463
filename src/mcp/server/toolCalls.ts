import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
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
import { visibleText } from '../../core/base/visible';
import { contentTag } from '../../core/vocabulary/contentTag';
import type { Invocation } from '../../core/call/gateCall';
import type { Crypto } from '../../core/ports/platform';
import type { PayloadText } from '../../core/base/payloadText';
import type { RegisteredTool } from '../../core/registry/registry';
import { sourceKey } from '../../core/vocabulary/toolDefinition';
import type { ToolResult } from '../../core/vocabulary/toolResult';
import { type AnswerForm, mcpResultText, toMcpResult } from './answers';
import type { GovernedTools } from './governed';
import { type Caller, PendingCall } from './pendingCall';
import { ClientConnection, type RunningCalls } from './runningCalls';

/** A call whose question nobody answers is given up after so long. */
const suspendedLifeMs = 15 * 60_000;

export interface ToolCallParts {
  readonly tools: GovernedTools;
  readonly calls: RunningCalls;
  readonly crypto: Crypto;
  /** True where the resources and prompts of governed servers are offered as such too, not only as tools. */
  readonly contents?: boolean;
  /** How long a list of resources or prompts waits for a server, in milliseconds; 8 s where it is left out. */
  readonly listWaitMs?: number;
  readonly payloadText?: PayloadText;
}

export interface CallRequest {
  readonly name: string;
  readonly input: unknown;
  readonly tool: RegisteredTool | undefined;
  /** Prompts are chosen by people, everything else is called by agents. */
  readonly actor: 'agent' | 'user';
  /** False where the protocol lets the answer carry no questions. */
  readonly mayAsk?: boolean;
  /** A call that takes longer is given up, in milliseconds. */
  readonly withinMs?: number;
}

export type CallOutcome =
  | { readonly type: 'result'; readonly result: ToolResult }
  | { readonly type: 'asking'; readonly answer: InputRequiredResult };

/**
 * Answers `tools/call` of one client through the gate. Questions go back to the client and their answers find the call
 * that waits for them.
 */
export class ToolCalls implements Disposable {
  readonly #parts: ToolCallParts;
  readonly #suspended = new Map<string, { readonly pending: PendingCall; readonly timer: NodeJS.Timeout }>();
  /** Calls that were started outside of `run` and have to ask something, by the ids of their requests. */
  readonly #begun = new Map<string | number, PendingCall>();

  /** The names that `search_tools` has found for this client. */
  readonly revealed = new Set<string>();

  readonly #onRevealed: (() => void) | undefined;
  #connection: ClientConnection | undefined;

  /** @param onRevealed is told before the answer that names new tools goes out. */
  constructor(parts: ToolCallParts, onRevealed?: () => void) {
    this.#parts = parts;
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
    const tool = this.#parts.tools.find(params.name);
    const outcome = await this.run(
      { name: params.name, input: params.arguments ?? {}, tool, actor: 'agent' },
      server,
      context,
    );
    return outcome.type === 'asking' ? outcome.answer : this.answer(outcome.result, tool);
  }

  /** What a client is told of a call that has ended. */
  answer(result: ToolResult, tool: RegisteredTool | undefined): CallToolResult {
    return toMcpResult(result, tool, this.#formOf(result, tool));
  }

  /** The same as JSON. */
  answerText(result: ToolResult, tool: RegisteredTool | undefined): string {
    return mcpResultText(result, tool, this.#formOf(result, tool));
  }

  #formOf(result: ToolResult, tool: RegisteredTool | undefined): AnswerForm {
    if (tool?.id === 'cap:capabilities:search_tools') {
      const known = this.revealed.size;
      for (const name of foundNames(result)) this.revealed.add(name);
      if (this.revealed.size > known) this.#onRevealed?.();
    }
    // Whoever reads a resource by a tool wants its text; `resources/read` is for the rest.
    const isReading = tool?.definition.tags?.includes(contentTag) === true;
    const { contents, payloadText } = this.#parts;
    return { ownForm: contents === true && !isReading, ...(payloadText ? { payloadText } : {}) };
  }

  /**
   * Runs one call, or goes on with the one that the client's answers belong to, until it has a result or asks
   * something.
   */
  async run(request: CallRequest, server: Server, context: ServerContext): Promise<CallOutcome> {
    const known =
      this.#takeBegun(request, context) ?? (request.mayAsk === false ? undefined : this.#resumed(request, context));
    const pending = known ?? this.begin(request, callerOf(request, server, context), progressOf(context));
    const { signal } = context.mcpReq;
    const cancel = (): void => pending.stop.abort();
    const late = request.withinMs === undefined ? undefined : setTimeout(cancel, request.withinMs);
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const next = await Promise.race([
        (pending.result ?? Promise.reject(new Error('the call was never started'))).then((result) => ({ result })),
        pending.questions().then(() => undefined),
      ]);
      return next ? { type: 'result', result: next.result } : { type: 'asking', answer: this.#suspend(pending) };
    } finally {
      clearTimeout(late);
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Starts a call. Its result, its questions and its end are in what is answered. */
  begin(
    { name, input, tool, actor }: CallRequest,
    caller: Caller,
    onProgress?: (progress: CallProgress) => void,
    stop?: AbortController,
  ): PendingCall {
    const { tools, calls, crypto } = this.#parts;
    const pending = new PendingCall(
      crypto.randomId(),
      tool ? sourceKey(tool.source) : '',
      { ...caller, connection: this.#connection },
      { name, input },
      stop,
    );
    const held = calls.add(pending);
    pending.result = tools
      .invoke({
        invocationId: pending.invocationId,
        tool: tool?.id ?? name,
        input,
        actor: { type: actor, id: caller.name },
        surface: 'mcp',
        signal: pending.stop.signal,
        ...(onProgress ? { onProgress: numbered(onProgress) } : {}),
      })
      .finally(() => held.dispose());
    return pending;
  }

  /** Leaves a call that was begun to the one `run` whose request has this id; nobody else may go on with it. */
  handOver(id: string | number, pending: PendingCall): void {
    this.#begun.set(id, pending);
  }

  dispose(): void {
    for (const { pending, timer } of this.#suspended.values()) {
      clearTimeout(timer);
      pending.stop.abort();
    }
    this.#suspended.clear();
    for (const pending of this.#begun.values()) pending.stop.abort();
    this.#begun.clear();
  }

  #takeBegun({ name, input }: CallRequest, context: ServerContext): PendingCall | undefined {
    if (this.#begun.size === 0) return undefined;
    const { id } = context.mcpReq;
    const found = this.#begun.get(id);
    if (!found?.isCallOf(name, input)) return undefined;
    this.#begun.delete(id);
    return found;
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
    const state = `${this.#parts.crypto.randomId()}${this.#parts.crypto.randomId()}`;
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

/** What `notifications/progress` says beside the token. */
export interface CallProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

type Report = NonNullable<Invocation['onProgress']>;

/** The protocol wants a number that grows with every message; a tool may give none. */
function numbered(send: (progress: CallProgress) => void): Report {
  let step = 0;
  return ({ message, fraction }) => {
    step++;
    const progress =
      fraction === undefined ? { progress: step } : { progress: Math.max(fraction * 100, step / 1000), total: 100 };
    send({ ...progress, ...(message ? { message } : {}) });
  };
}

/** Undefined where the client did not ask for progress. */
function progressOf(context: ServerContext): ((progress: CallProgress) => void) | undefined {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress) => {
    // A client that has gone away takes no more progress; the call's own end tells.
    context.mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, ...progress } })
      .catch(() => undefined);
  };
}

function callerOf({ mayAsk }: CallRequest, server: Server, context: ServerContext): Caller {
  const known = clientOf(server, context);
  return mayAsk === false ? { ...known, canAsk: false, canSample: false } : known;
}

/**
 * Who calls, and what its user can be asked: from each request's envelope in the newer protocol, else from the
 * handshake.
 */
export function clientOf(server: Server, context?: ServerContext): Caller {
  const envelope: Readonly<Record<string, unknown>> | undefined = context?.mcpReq.envelope;
  const info: unknown = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  const capabilities: unknown = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const name = isObject(info) && typeof info['name'] === 'string' ? visibleText(info['name']).text.slice(0, 80) : '';
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined;
  const canAsk =
    isObject(elicitation) &&
    (Object.keys(elicitation).length === 0 || elicitation['form'] !== undefined || elicitation['url'] === undefined);
  const canSample = isObject(capabilities) && isObject(capabilities['sampling']);
  return { name: name === '' ? 'mcp-client' : name, canAsk, canSample };
}
