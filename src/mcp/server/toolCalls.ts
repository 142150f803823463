import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { canonicalJson, isObject } from '../../core/base/json';
import type { Disposable } from '../../core/base/lifecycle';
import { visibleText } from '../../core/base/visible';
import type { Crypto } from '../../core/ports';
import type { ElicitationAnswer } from '../../core/ports/serverUser';
import type { RegisteredTool } from '../../core/registry';
import { sourceKey } from '../../core/tool';
import { resultText, type ToolResult } from '../../core/toolResult';
import type { GovernedTools } from './governed';
import type { Question, RunningCall, RunningCalls } from './runningCalls';
import { structuredOutput } from './toolList';

const questionKey = 'question';
/** A call whose question nobody answers is given up after so long. */
const suspendedLifeMs = 15 * 60_000;

export interface ToolCallParts {
  readonly tools: GovernedTools;
  readonly calls: RunningCalls;
  readonly crypto: Crypto;
}

/** A call on its way through the gate. It outlives one request where the protocol carries a question back in the answer. */
class PendingCall implements RunningCall {
  readonly invocationId: string;
  readonly source: string;
  readonly canAsk: boolean;
  readonly key: string;
  readonly stop = new AbortController();
  result: Promise<ToolResult> | undefined;
  #question: { readonly question: Question; readonly settle: (answer: ElicitationAnswer) => void } | undefined;
  #wake: (() => void) | undefined;

  constructor(invocationId: string, source: string, canAsk: boolean, key: string) {
    this.invocationId = invocationId;
    this.source = source;
    this.canAsk = canAsk;
    this.key = key;
  }

  ask(question: Question, signal: AbortSignal): Promise<ElicitationAnswer> {
    if (signal.aborted || this.#question) return Promise.reject(new Error('this question cannot be asked now'));
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#question = undefined;
        reject(new Error('the question is of no use any more'));
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#question = {
        question,
        settle: (answer) => {
          signal.removeEventListener('abort', onAbort);
          this.#question = undefined;
          resolve(answer);
        },
      };
      this.#wake?.();
    });
  }

  /** Resolves with the open question as soon as there is one. */
  question(): Promise<Question> {
    if (this.#question) return Promise.resolve(this.#question.question);
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        if (this.#question) resolve(this.#question.question);
      };
    });
  }

  answer(answer: ElicitationAnswer): void {
    this.#question?.settle(answer);
  }
}

/** Answers `tools/call` of one client through the gate. Questions go back to the client and their answers find the call that waits for them. */
export class ToolCalls implements Disposable {
  readonly #parts: ToolCallParts;
  readonly #suspended = new Map<string, { readonly pending: PendingCall; readonly timer: NodeJS.Timeout }>();

  /** The names that `search_tools` has found for this client. */
  readonly revealed = new Set<string>();

  constructor(parts: ToolCallParts) {
    this.#parts = parts;
  }

  async call(
    params: { readonly name: string; readonly arguments?: unknown; readonly _meta?: unknown },
    server: Server,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const tool = this.#parts.tools.find(params.name);
    const key = canonicalJson([params.name, params.arguments ?? {}]);
    const pending = this.#resumed(key, context) ?? this.#start(params.name, params.arguments ?? {}, tool, key, server, context);
    const { signal } = context.mcpReq;
    const cancel = (): void => pending.stop.abort();
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const next = await Promise.race([
        (pending.result ?? Promise.reject(new Error('the call was never started'))).then((result) => ({ result })),
        pending.question().then((question) => ({ question })),
      ]);
      if ('result' in next) {
        if (tool?.id === 'cap:capabilities:search_tools') for (const name of foundNames(next.result)) this.revealed.add(name);
        return toMcpResult(next.result, tool);
      }
      return this.#suspend(pending, next.question);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  dispose(): void {
    for (const { pending, timer } of this.#suspended.values()) {
      clearTimeout(timer);
      pending.stop.abort();
    }
    this.#suspended.clear();
  }

  /** The call that the client's answer belongs to. The state names it; it counts only for the same tool with the same arguments. */
  #resumed(key: string, context: ServerContext): PendingCall | undefined {
    const state = context.mcpReq.requestState<string>();
    if (state === undefined) return undefined;
    const found = this.#suspended.get(state);
    if (!found || found.pending.key !== key) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState');
    clearTimeout(found.timer);
    this.#suspended.delete(state);
    const view = inputResponse(context.mcpReq.inputResponses, questionKey);
    found.pending.answer(view.kind === 'elicit' ? readAnswer(view) : { action: 'cancel' });
    return found.pending;
  }

  #start(name: string, input: unknown, tool: RegisteredTool | undefined, key: string, server: Server, context: ServerContext): PendingCall {
    const { tools, calls, crypto } = this.#parts;
    const client = clientOf(server, context);
    const pending = new PendingCall(crypto.randomId(), tool ? sourceKey(tool.source) : '', client.canAsk, key);
    const held = calls.add(pending);
    const token = context.mcpReq._meta?.progressToken;
    let step = 0;
    pending.result = tools
      .invoke({
        invocationId: pending.invocationId,
        tool: tool?.id ?? name,
        input,
        actor: { type: 'agent', id: client.name },
        surface: 'mcp',
        signal: pending.stop.signal,
        ...(token === undefined
          ? {}
          : {
              onProgress: ({ message, fraction }) => {
                step++;
                const progress =
                  fraction === undefined ? { progress: step } : { progress: Math.max(fraction * 100, step / 1000), total: 100 };
                // A client that has gone away takes no more progress; the call's own end tells.
                context.mcpReq
                  .notify({
                    method: 'notifications/progress',
                    params: { progressToken: token, ...progress, ...(message ? { message } : {}) },
                  })
                  .catch(() => undefined);
              },
            }),
      })
      .finally(() => held.dispose());
    return pending;
  }

  #suspend(pending: PendingCall, question: Question): InputRequiredResult {
    const state = `${this.#parts.crypto.randomId()}${this.#parts.crypto.randomId()}`;
    const timer = setTimeout(() => {
      this.#suspended.delete(state);
      pending.stop.abort();
    }, suspendedLifeMs);
    timer.unref();
    this.#suspended.set(state, { pending, timer });
    // The schema is one of ours, or one that a server sent and that was bounded at the edge.
    const requestedSchema = question.schema as never;
    return inputRequired({
      inputRequests: { [questionKey]: inputRequired.elicit({ message: question.message, requestedSchema }) },
      requestState: state,
    });
  }
}

function foundNames(result: ToolResult): readonly string[] {
  const tools = result.success && isObject(result.payload) ? result.payload['tools'] : undefined;
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => (isObject(tool) && typeof tool['name'] === 'string' ? [tool['name']] : []));
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

/** Who calls, and whether its user can be asked: from the handshake, or from each request's envelope in the newer protocol. */
export function clientOf(server: Server, context: ServerContext): { readonly name: string; readonly canAsk: boolean } {
  const envelope: Readonly<Record<string, unknown>> | undefined = context.mcpReq.envelope;
  const info: unknown = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  const capabilities: unknown = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const name = isObject(info) && typeof info['name'] === 'string' ? visibleText(info['name']).text.slice(0, 80) : '';
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined;
  const canAsk =
    isObject(elicitation) &&
    (Object.keys(elicitation).length === 0 || elicitation['form'] !== undefined || elicitation['url'] === undefined);
  return { name: name === '' ? 'mcp-client' : name, canAsk };
}

/** A result of the gate as MCP content: text for the model, pictures, and structured content where the tool declares its shape. */
export function toMcpResult(result: ToolResult, tool: RegisteredTool | undefined): CallToolResult {
  if (!result.success) {
    const { code, retryable, retryAfterMs } = result.error;
    return {
      isError: true,
      content: [{ type: 'text', text: resultText(result, undefined) }],
      _meta: {
        'agent-capabilities/error': { code, retryable, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
      },
    };
  }
  const content: CallToolResult['content'] = [{ type: 'text', text: resultText(result, tool?.definition.contentField) }];
  for (const media of result.media ?? []) {
    const type = media.mimeType.startsWith('audio/') ? 'audio' : 'image';
    content.push({ type, data: media.data, mimeType: media.mimeType });
  }
  const isStructured = tool !== undefined && structuredOutput(tool) !== undefined && isObject(result.payload);
  return { content, ...(isStructured ? { structuredContent: { ...(result.payload as object) } } : {}) };
}
