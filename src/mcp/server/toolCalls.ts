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
import { canonicalJson, isObject } from '../../core/base/json';
import type { Disposable } from '../../core/base/lifecycle';
import { visibleText } from '../../core/base/visible';
import { contentTag } from '../../core/mcp/contents';
import type { Crypto } from '../../core/ports';
import type { RegisteredTool } from '../../core/registry';
import { sourceKey } from '../../core/tool';
import { resultText, type ToolMedia, type ToolPart, type ToolResult } from '../../core/toolResult';
import type { GovernedTools } from './governed';
import { type Caller, PendingCall } from './pendingCall';
import type { RunningCalls } from './runningCalls';
import { structuredOutput } from './toolList';

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
  { readonly type: 'result'; readonly result: ToolResult } | { readonly type: 'asking'; readonly answer: InputRequiredResult };

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
    const outcome = await this.run({ name: params.name, input: params.arguments ?? {}, tool, actor: 'agent' }, server, context);
    if (outcome.type === 'asking') return outcome.answer;
    if (tool?.id === 'cap:capabilities:search_tools') for (const name of foundNames(outcome.result)) this.revealed.add(name);
    // Whoever reads a resource by a tool wants its text; `resources/read` is for the rest.
    const isReading = tool?.definition.tags?.includes(contentTag) === true;
    return toMcpResult(outcome.result, tool, this.#parts.contents === true && !isReading);
  }

  /** Runs one call, or goes on with the one that the client's answers belong to, until it has a result or asks something. */
  async run(request: CallRequest, server: Server, context: ServerContext): Promise<CallOutcome> {
    const key = canonicalJson([request.name, request.input]);
    const resumed = request.mayAsk === false ? undefined : this.#resumed(key, context);
    const pending = resumed ?? this.#start(request, key, server, context);
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
    found.pending.answer(context.mcpReq.inputResponses);
    return found.pending;
  }

  #start({ name, input, tool, actor, mayAsk }: CallRequest, key: string, server: Server, context: ServerContext): PendingCall {
    const { tools, calls, crypto } = this.#parts;
    const known = clientOf(server, context);
    const client = mayAsk === false ? { ...known, canAsk: false, canSample: false } : known;
    const pending = new PendingCall(crypto.randomId(), tool ? sourceKey(tool.source) : '', client, key);
    const held = calls.add(pending);
    const token = context.mcpReq._meta?.progressToken;
    let step = 0;
    pending.result = tools
      .invoke({
        invocationId: pending.invocationId,
        tool: tool?.id ?? name,
        input,
        actor: { type: actor, id: client.name },
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

/** Who calls, and what its user can be asked: from the handshake, or from each request's envelope in the newer protocol. */
export function clientOf(server: Server, context: ServerContext): Caller {
  const envelope: Readonly<Record<string, unknown>> | undefined = context.mcpReq.envelope;
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

/**
 * A result of the gate as MCP content: text for the model, pictures, and structured content where the tool declares its shape. What a governed
 * server embedded or linked stays what it is where the client can read resources from us too (`ownForm`); the editor's agent mode would give its
 * model an address in place of the text, so there it is part of the text.
 */
export function toMcpResult(result: ToolResult, tool: RegisteredTool | undefined, ownForm: boolean): CallToolResult {
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
  const content = ownForm && result.parts ? partsOf(result, result.parts) : flat(result, tool);
  const isStructured = tool !== undefined && structuredOutput(tool) !== undefined && isObject(result.payload);
  return { content, ...(isStructured ? { structuredContent: { ...(result.payload as object) } } : {}) };
}

type Succeeded = Extract<ToolResult, { success: true }>;
type Content = CallToolResult['content'];

function flat(result: Succeeded, tool: RegisteredTool | undefined): Content {
  return [{ type: 'text', text: resultText(result, tool?.definition.contentField) }, ...(result.media ?? []).map(mediaBlock)];
}

function partsOf({ media = [], warnings = [] }: Succeeded, parts: readonly ToolPart[]): Content {
  const content = parts.flatMap((part): Content => {
    switch (part.type) {
      case 'text':
        return [part];
      case 'media':
        return media.slice(part.index, part.index + 1).map(mediaBlock);
      case 'resource':
        return [part];
      case 'blob':
        return [{ type: 'resource' as const, resource: { ...part.resource, blob: part.data } }];
      case 'link':
        return [{ type: 'resource_link' as const, ...part.link }];
    }
  });
  return warnings.length > 0 ? [...content, { type: 'text', text: `[warning: ${warnings.join('; ')}]` }] : content;
}

function mediaBlock({ mimeType, data }: ToolMedia): Content[number] {
  return { type: mimeType.startsWith('audio/') ? 'audio' : 'image', data, mimeType };
}
