import {
  type CompleteResult,
  type GetPromptResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server';
import { isObject, type JsonObject } from '../../core/base/json';
import type { RegisteredTool } from '../../core/registry/registry';
import { type ResourceAbout, resultText, type ToolMedia, type ToolPart } from '../../core/vocabulary/toolResult';
import type { GovernedTools } from './governed';
import type { Incoming } from './clientRequest';
import type { CallRequest, ToolCalls } from './toolCalls';
import { sourceKey } from '../../core/vocabulary/toolSource';

interface Entry {
  /** The key of the server that listed it. */
  readonly source: string;
  readonly item: JsonObject;
}

interface Listed {
  readonly resources: ReadonlyMap<string, Entry>;
  readonly templates: ReadonlyMap<string, Entry>;
}

/**
 * The resources and prompts of governed servers, offered under their own addresses and names; where two servers use the
 * same, the first one's counts. Each request goes through the gate as a call of the tool that stands for it, and to no
 * other server than the one that listed what is wanted. Only servers that the profile has on are asked; one that sleeps
 * answers what it listed when it last ran, and one that takes too long is left out of that one answer.
 */
export class ServedContents {
  readonly #tools: GovernedTools;
  readonly #calls: ToolCalls;
  readonly #waitMs: number;

  constructor(tools: GovernedTools, calls: ToolCalls, waitMs = 8000) {
    this.#waitMs = waitMs;
    this.#tools = tools;
    this.#calls = calls;
  }

  /** Answers the requests of one connection. */
  attach(server: Server): void {
    // What is listed is plain JSON of exactly these shapes; the SDK checks it again before it goes out.
    const itemsOf = (entries: ReadonlyMap<string, Entry>): never =>
      [...entries].map(([name, { item }]) => ({ name, ...item })) as never;
    server.setRequestHandler('resources/list', async (_request, context) => {
      return { resources: itemsOf((await this.#listResources({ server, context })).resources) };
    });
    server.setRequestHandler('resources/templates/list', async (_request, context) => {
      return { resourceTemplates: itemsOf((await this.#listResources({ server, context })).templates) };
    });
    server.setRequestHandler('resources/read', async ({ params: { uri } }, context) =>
      this.#read(uri, { server, context }),
    );
    server.setRequestHandler('prompts/list', async (_request, context) => {
      return { prompts: itemsOf(await this.#listPrompts({ server, context })) };
    });
    server.setRequestHandler('prompts/get', async ({ params }, context) => this.#prompt(params, { server, context }));
    server.setRequestHandler('completion/complete', async ({ params }, context): Promise<CompleteResult> => {
      const { ref, argument } = params;
      const incoming = { server, context };
      const owner =
        ref.type === 'ref/prompt'
          ? (await this.#listPrompts(incoming)).get(ref.name)
          : (await this.#listResources(incoming)).templates.get(ref.uri);
      const tool = owner && this.#tool('complete_argument', owner.source);
      if (!tool) return { completion: { values: [] } };
      const where = ref.type === 'ref/prompt' ? { prompt: ref.name } : { uri: ref.uri };
      const input = { ...where, argument: argument.name, value: argument.value };
      const payload = await this.#list(tool, input, 'user', incoming);
      const values = Array.isArray(payload?.['values']) ? payload['values'] : [];
      return { completion: { values: values.filter((one): one is string => typeof one === 'string'), hasMore: false } };
    });
  }

  #tool(name: string, source: string): RegisteredTool | undefined {
    return this.#tools.contents().find((tool) => tool.definition.name === name && sourceKey(tool.source) === source);
  }

  /**
   * The payload of a call that asks nobody; undefined where it failed, so that one server's failure leaves the others'
   * lists.
   */
  async #list(
    tool: RegisteredTool,
    input: JsonObject,
    actor: CallRequest['actor'],
    incoming: Incoming,
  ): Promise<JsonObject | undefined> {
    const request = { name: tool.id, input, tool, actor, mayAsk: false, withinMs: this.#waitMs };
    const outcome = await this.#calls.run(request, incoming);
    if (outcome.type === 'asking' || !outcome.result.success || !isObject(outcome.result.payload)) return undefined;
    // A payload is JSON.
    return outcome.result.payload as JsonObject;
  }

  async #listAll(
    name: string,
    actor: CallRequest['actor'],
    incoming: Incoming,
  ): Promise<readonly (readonly [string, JsonObject])[]> {
    const tools = this.#tools.contents().filter((tool) => tool.definition.name === name);
    const answers = await Promise.all(
      tools.map(async (tool) => [sourceKey(tool.source), await this.#list(tool, {}, actor, incoming)] as const),
    );
    return answers.flatMap(([source, payload]) => (payload ? [[source, payload] as const] : []));
  }

  async #listResources(incoming: Incoming): Promise<Listed> {
    const answers = await this.#listAll('list_resources', 'agent', incoming);
    return { resources: byKey(answers, 'resources', 'uri'), templates: byKey(answers, 'templates', 'uriTemplate') };
  }

  async #listPrompts(incoming: Incoming): Promise<ReadonlyMap<string, Entry>> {
    return byKey(await this.#listAll('list_prompts', 'user', incoming), 'prompts', 'name');
  }

  async #read(uri: string, incoming: Incoming): Promise<ReadResourceResult | InputRequiredResult> {
    const { resources, templates } = await this.#listResources(incoming);
    const owner = resources.get(uri) ?? [...templates].find(([template]) => mayMatch(template, uri))?.[1];
    const tool = owner && this.#tool('read_resource', owner.source);
    if (!tool) throw new ResourceNotFoundError(uri);
    const outcome = await this.#calls.run({ name: tool.id, input: { uri }, tool, actor: 'agent' }, incoming);
    if (outcome.type === 'asking') return outcome.answer;
    const { result } = outcome;
    if (!result.success)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, resultText(result, undefined), { uri });
    const mimeType = typeof owner.item['mimeType'] === 'string' ? { mimeType: owner.item['mimeType'] } : {};
    if (result.parts)
      return { contents: result.parts.flatMap((part) => contentOf(part, result.media ?? [], { uri, ...mimeType })) };
    const text = isObject(result.payload) ? String(result.payload['text'] ?? '') : '';
    const media = (result.media ?? []).map((one) => ({ uri, mimeType: one.mimeType, blob: one.data }));
    const texts = text === '' && media.length > 0 ? [] : [{ uri, ...mimeType, text }];
    return { contents: [...texts, ...media] };
  }

  async #prompt(
    params: { readonly name: string; readonly arguments?: Readonly<Record<string, string>> | undefined },
    incoming: Incoming,
  ): Promise<GetPromptResult | InputRequiredResult> {
    const owner = (await this.#listPrompts(incoming)).get(params.name);
    const tool = owner && this.#tool('get_prompt', owner.source);
    if (!tool)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `no prompt is called \`${params.name.slice(0, 200)}\``);
    const input = { name: params.name, ...(params.arguments ? { arguments: { ...params.arguments } } : {}) };
    const outcome = await this.#calls.run({ name: tool.id, input, tool, actor: 'user' }, incoming);
    if (outcome.type === 'asking') return outcome.answer;
    const { result } = outcome;
    if (!result.success) throw new ProtocolError(ProtocolErrorCode.InvalidParams, resultText(result, undefined));
    const payload = isObject(result.payload) ? result.payload : {};
    const messages = Array.isArray(payload['messages']) ? payload['messages'] : [];
    const { description } = payload;
    return {
      ...(typeof description === 'string' ? { description } : {}),
      // Our own reading made these messages (`core/foreign/contents.ts`); a picture stands beside them.
      messages: messages.map((message) => withMedia(message, result.media ?? [])) as never,
    };
  }
}

function byKey(
  answers: readonly (readonly [string, JsonObject])[],
  list: string,
  key: string,
): ReadonlyMap<string, Entry> {
  const out = new Map<string, Entry>();
  for (const [source, payload] of answers) {
    const items = payload[list];
    for (const item of Array.isArray(items) ? items : []) {
      const name = isObject(item) ? item[key] : undefined;
      // Objects of a payload are JSON objects.
      if (typeof name === 'string' && !out.has(name)) out.set(name, { source, item: item as JsonObject });
    }
  }
  return out;
}

function withMedia(message: unknown, media: readonly ToolMedia[]): unknown {
  if (!isObject(message) || !isObject(message['content']) || message['content']['type'] !== 'media') return message;
  const one = media[Number(message['content']['media'])];
  if (!one) return { role: message['role'], content: { type: 'text', text: '[left out]' } };
  const type = one.mimeType.startsWith('audio/') ? 'audio' : 'image';
  return { role: message['role'], content: { type, mimeType: one.mimeType, data: one.data } };
}

/**
 * One content of a read resource, as the server described it, else as the list did (`known`); pictures have lost their
 * address and stand under the one that was asked for.
 */
function contentOf(part: ToolPart, media: readonly ToolMedia[], known: ResourceAbout): ReadResourceResult['contents'] {
  if (part.type === 'resource') return [{ ...known, ...part.resource, uri: part.resource.uri || known.uri }];
  if (part.type === 'blob')
    return [{ ...known, ...part.resource, uri: part.resource.uri || known.uri, blob: part.data }];
  if (part.type !== 'media') return [];
  return media
    .slice(part.index, part.index + 1)
    .map(({ mimeType, data }) => ({ uri: known.uri, mimeType, blob: data }));
}

/**
 * Whether an address can come from a template: its fixed parts follow each other in it. The server itself decides what
 * it reads.
 */
function mayMatch(template: string, uri: string): boolean {
  const parts = template.split(/\{[^{}]*\}/);
  const [first = '', ...rest] = parts;
  if (!uri.startsWith(first)) return false;
  let at = first.length;
  const last = rest.pop();
  if (last === undefined) return uri === first;
  for (const part of rest) {
    const found = uri.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return uri.endsWith(last) && uri.length - last.length >= at;
}
