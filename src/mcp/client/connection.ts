import {
  Client,
  type DiscoverResult,
  type JsonSchemaValidatorResult,
  type jsonSchemaValidator,
  type PriorDiscovery,
  type RequestOptions,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import type { McpServerSpec } from '../../core/foreign/serverSpec';
import { isObject, type JsonObject, sanitizeJson } from '../../core/base/json';
import type { JsonSchema } from '../../core/base/schema';
import { visible } from '../../core/base/visible';
import type { ToolContext } from '../../core/capability/tool';
import type { ServerUser } from '../../core/foreign/serverUser';

const clientInfo = { name: 'agent-capabilities', title: 'Agent Capabilities', version: '0.1.0' };
const mostPages = 200;
/** How long a server may take for one page of a list. */
const listMs = 60_000;
const listMethods = {
  tools: 'tools/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
  prompts: 'prompts/list',
} as const;
/**
 * The gate keeps a call's time, and stops it while a person is asked; the protocol layer's own clock would run on. The
 * longest that it knows.
 */
const neverMs = 2 ** 31 - 1;

/** A folder that a server may be told. */
export interface Root {
  readonly name: string;
  /** A `file:` address. */
  readonly uri: string;
}

export interface ConnectionOptions {
  readonly spec: McpServerSpec;
  readonly transport: Transport;
  readonly user: ServerUser;
  /** The protocol that the server was found to speak; kept, so that it is asked once. */
  readonly known: PriorDiscovery | undefined;
  /** What a server hears that asks for folders to work in; it is not told of the ability where this is left out. */
  readonly roots?: () => readonly Root[];
  readonly startTimeoutMs: number;
  readonly onToolsChanged: () => void;
  readonly onClose: () => void;
  readonly onError: (error: Error) => void;
  readonly onLog: (line: string) => void;
}

/** What a server offers beside tools. */
export interface ServerOffers {
  readonly resources: boolean;
  readonly prompts: boolean;
  readonly completions: boolean;
}

/**
 * One connection to one server. Answers come back as JSON that the caller reads at its edge: neither the SDK's result
 * schemas nor a foreign output schema are compiled here, because foreign schemas are bounded first and checked by the
 * gate.
 */
export class McpConnection {
  readonly #client: Client;
  readonly #options: ConnectionOptions;

  private constructor(client: Client, options: ConnectionOptions) {
    this.#client = client;
    this.#options = options;
  }

  static async open(options: ConnectionOptions): Promise<McpConnection> {
    const { spec, user } = options;
    const client = new Client(clientInfo, {
      // The form shows a field's default, so what comes back without it was left out on purpose and is not filled in
      // behind the person.
      capabilities: {
        elicitation: { form: {}, url: {} },
        ...(user.sample ? { sampling: {} } : {}),
        ...(options.roots ? { roots: { listChanged: true } } : {}),
      },
      jsonSchemaValidator: unchecked,
      // Where the protocol is to be found out, a server that keeps silent is an old one; where it is given, it may take
      // its time.
      versionNegotiation: {
        mode: modeOf(spec),
        probe: {
          timeoutMs: spec.protocol === 'auto' ? Math.min(5000, options.startTimeoutMs) : options.startTimeoutMs,
        },
      },
      listMaxPages: mostPages,
      inputRequired: { maxRounds: 8 },
    });
    // The SDK's client has these two fields and no events.
    Object.assign(client, { onclose: options.onClose, onerror: options.onError });
    answerElicitation(client, spec.name, user);
    answerSampling(client, spec.name, user);
    answerRoots(client, options);
    client.setNotificationHandler('notifications/tools/list_changed', () => options.onToolsChanged());
    client.setNotificationHandler('notifications/message', (notification) => {
      const { level, data, logger } = notification.params;
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      options.onLog(visible(`${level}${logger ? ` ${logger}` : ''}: ${text}`.slice(0, 2000)));
    });
    try {
      const prior = spec.protocol === 'auto' ? options.known : undefined;
      await client.connect(options.transport, { timeout: options.startTimeoutMs, ...(prior ? { prior } : {}) });
    } catch (error) {
      await client.close().catch(() => undefined);
      await options.transport.close().catch(() => undefined);
      throw error;
    }
    const connection = new McpConnection(client, options);
    if (client.getProtocolEra() === 'modern' && client.getServerCapabilities()?.tools?.listChanged)
      // Without a subscription the 60 seconds of the discovery cache find the change.
      client.listen({ toolsListChanged: true }).catch(options.onError);
    return connection;
  }

  /** Tells a server that took part in roots that they are others now; the newer protocol asks when it wants to know. */
  rootsChanged(): void {
    if (this.#options.roots && this.#client.getProtocolEra() !== 'modern')
      this.#client.sendRootsListChanged().catch(() => undefined);
  }

  /** What the server offers beside tools. */
  get offers(): ServerOffers {
    const { resources, prompts, completions } = this.#client.getServerCapabilities() ?? {};
    return {
      resources: resources !== undefined,
      prompts: prompts !== undefined,
      completions: completions !== undefined,
    };
  }

  get instructions(): string | undefined {
    return this.#client.getInstructions();
  }

  get protocol(): string {
    return this.#client.getNegotiatedProtocolVersion() ?? '2025-11-25';
  }

  get known(): PriorDiscovery {
    const discover: DiscoverResult | undefined = this.#client.getDiscoverResult();
    return this.#client.getProtocolEra() === 'modern' && discover ? { kind: 'modern', discover } : { kind: 'legacy' };
  }

  /** All pages of `tools/list` as they came. */
  async listTools(signal: AbortSignal): Promise<readonly unknown[]> {
    if (!this.#client.getServerCapabilities()?.tools) return [];
    return this.list('tools', signal);
  }

  /** One request, answered as it came. */
  async request(
    method: 'prompts/get' | 'resources/read' | 'completion/complete',
    params: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<unknown> {
    return this.#client.request({ method, params }, anyResult, { signal, timeout: neverMs });
  }

  async callTool(
    name: string,
    input: unknown,
    inputSchema: JsonSchema,
    { signal, report }: Pick<ToolContext, 'signal' | 'report'>,
  ): Promise<unknown> {
    const params = { name, arguments: isObject(input) ? input : {} };
    const request: RequestOptions = {
      signal,
      timeout: neverMs,
      onprogress: ({ progress, total, message = '' }) =>
        report({
          message: visible(message.slice(0, 500)),
          ...(total !== undefined && total > 0 ? { fraction: Math.min(1, Math.max(0, progress / total)) } : {}),
        }),
    };
    if (this.#client.getProtocolEra() !== 'modern')
      return this.#client.request({ method: 'tools/call', params }, anyResult, request);
    // The definition lets the SDK mirror arguments into headers; the output is checked by the gate. The schema came as
    // JSON from this server.
    const toolDefinition = { name, inputSchema } as Tool;
    return this.#client.callTool(params, { ...request, toolDefinition });
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.#options.transport.close();
  }

  /** All pages of one of its lists as they came. */
  async list(key: keyof typeof listMethods, signal: AbortSignal): Promise<readonly unknown[]> {
    const method = listMethods[key];
    const items: unknown[] = [];
    let cursor: string | undefined;
    const seen = new Set<string>();
    for (let page = 0; page < mostPages; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const answer: unknown = await this.#client.request({ method, params }, anyResult, { signal, timeout: listMs });
      if (!isObject(answer) || !Array.isArray(answer[key])) throw new Error(`the answer of ${method} is not a list`);
      items.push(...answer[key]);
      const next = answer['nextCursor'];
      if (typeof next !== 'string' || next === '') return items;
      if (seen.has(next)) throw new Error(`the pages of ${method} never end`);
      seen.add(next);
      cursor = next;
    }
    throw new Error(`${method} has more than ${mostPages} pages`);
  }
}

/** A result schema that takes any JSON: answers are read, and bounded, by our own code (`core/foreign`). */
const anyResult = {
  '~standard': {
    version: 1 as const,
    vendor: 'agent-capabilities',
    validate: (value: unknown): { value: unknown } => ({ value }),
  },
};

/**
 * Keeps the SDK from compiling schemas that servers send: they are bounded and compiled by the gate, with a linear
 * engine for patterns.
 */
const unchecked: jsonSchemaValidator = {
  getValidator<T>() {
    // Nothing is checked here on purpose; the type parameter belongs to the SDK's interface.
    return (input: unknown): JsonSchemaValidatorResult<T> => ({
      valid: true,
      data: input as T,
      errorMessage: undefined,
    });
  },
};

function modeOf(spec: McpServerSpec): 'legacy' | 'auto' | { pin: string } {
  if (spec.protocol === '2026-07-28') return { pin: '2026-07-28' };
  return spec.protocol === '2025-11-25' ? 'legacy' : 'auto';
}

/** What a server asks goes to the person, with its name in front and its text made visible. */
function answerElicitation(client: Client, server: string, user: ServerUser): void {
  client.setRequestHandler('elicitation/create', async (request, context) => {
    const params: Record<string, unknown> = { ...request.params };
    const message = visible(String(params['message'] ?? '').slice(0, 4000));
    const { signal } = context.mcpReq;
    const answer =
      params['mode'] === 'url'
        ? await user.elicit({ type: 'url', server, message, url: String(params['url'] ?? '') }, signal)
        : await user.elicit({ type: 'form', server, message, schema: formSchema(params['requestedSchema']) }, signal);
    if (answer.action !== 'accept') return { action: answer.action };
    const content: Record<string, string | number | boolean | string[]> = {};
    for (const [key, value] of Object.entries(answer.content ?? {}))
      content[key] = typeof value === 'object' ? [...value] : value;
    return { action: 'accept', content };
  });
}

function formSchema(raw: unknown): JsonSchema {
  const clean = isObject(raw) ? sanitizeJson(raw, 12) : {};
  return isObject(clean) ? clean : {};
}

function answerRoots(client: Client, { roots, onLog }: ConnectionOptions): void {
  if (!roots) return;
  client.setRequestHandler('roots/list', async () => {
    const told = roots();
    onLog(`was told the folders: ${told.map(({ uri }) => uri).join(', ') || 'none'}`);
    return { roots: told.map(({ name, uri }) => ({ name, uri })) };
  });
}

function answerSampling(client: Client, server: string, user: ServerUser): void {
  if (!user.sample) return;
  client.setRequestHandler('sampling/createMessage', async (request, context) => {
    const { params } = request;
    const messages = params.messages.map((message) => {
      const blocks = Array.isArray(message.content) ? message.content : [message.content];
      const text = blocks.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
      return { role: message.role, text: visible(text) };
    });
    // The parameters came as JSON.
    const raw = sanitizeJson(params) as JsonObject;
    const { systemPrompt, maxTokens } = params;
    const answer = await user.sample?.(
      { server, messages, maxTokens, raw, ...(systemPrompt === undefined ? {} : { systemPrompt }) },
      context.mcpReq.signal,
    );
    if (!answer) throw new Error('the user declined');
    return {
      role: 'assistant' as const,
      model: answer.model,
      content: { type: 'text' as const, text: answer.text },
      ...(answer.stopReason === undefined ? {} : { stopReason: answer.stopReason }),
    };
  });
}
