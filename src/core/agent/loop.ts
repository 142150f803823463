import { untilAborted } from '../base/pause';
import { modelSchema } from '../vocabulary/modelSchema';
import type { JsonObject } from '../base/json';
import type { ToolRouter } from '../gate/router';
import { type Access, isReadOnly } from '../vocabulary/access';
import { sourceKind } from '../vocabulary/toolSource';
import type { RegisteredTool } from '../registry/registry';
import { modelText } from '../registry/modelText';
import type { ToolMedia, ToolResult } from '../vocabulary/toolResult';
import type { JsonSchema } from '../base/schema';
import type { Mode } from '../vocabulary/decision';

/** One call that a model asked for. */
interface ModelCall {
  readonly callId: string;
  readonly name: string;
  readonly input: object;
}

/** The conversation as a model sees it; the surface turns it into the editor's messages. */
export type LoopMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ModelCall[] }
  | { readonly role: 'results'; readonly results: readonly CallAnswer[] };

export type ModelPart =
  { readonly type: 'text'; readonly text: string } | { readonly type: 'call'; readonly call: ModelCall };

interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/** The chosen language model. Throws with words for a person where it cannot answer. */
export interface LoopModel {
  send(messages: readonly LoopMessage[], tools: readonly OfferedTool[], signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** What a surface shows while the loop runs. */
export interface LoopView {
  text(text: string): void;
  /** A tool starts, with what it touches; told before its confirmation is asked. */
  started(tool: RegisteredTool | undefined, call: ModelCall, accesses: readonly Access[]): void;
  progress(message: string): void;
  finished(call: ModelCall, tool: RegisteredTool | undefined, result: ToolResult): void;
  /** The limit of rounds is reached: true to go on for as many again. */
  goOn(rounds: number): Promise<boolean>;
}

export interface LoopOptions {
  readonly router: ToolRouter;
  readonly model: LoopModel;
  readonly view: LoopView;
  /** Read before each round, so that a tool that is switched off meanwhile is not offered again. */
  readonly tools: () => readonly RegisteredTool[];
  readonly find: (name: string) => RegisteredTool | undefined;
  readonly messages: readonly LoopMessage[];
  readonly mode?: Mode;
  /** Names what the person asked, so that what the calls change is told together. */
  readonly prompt?: string;
  readonly maxRounds: number;
  readonly signal: AbortSignal;
}

type LoopEnd = 'answered' | 'cancelled' | 'limit';

interface LoopResult {
  readonly end: LoopEnd;
  readonly rounds: number;
  /** The text of the last answer. */
  readonly text: string;
  readonly messages: readonly LoopMessage[];
}

/** At most so many calls of one round run at the same time. */
const mostParallel = 8;

/**
 * Asks the model, passes every call that it wants through the gate, hands the results back, until the model asks for
 * none. Calls that only read run side by side; a call that changes something waits for those before it and runs alone.
 * Denied and failed calls are results like others: the loop goes on and the model reads why.
 */
export async function runAgentLoop(options: LoopOptions): Promise<LoopResult> {
  const { model, view, signal } = options;
  const messages: LoopMessage[] = [...options.messages];
  let limit = options.maxRounds;
  let rounds = 0;
  let text = '';
  const end = (how: LoopEnd): LoopResult => ({ end: how, rounds, text, messages });
  for (;;) {
    if (signal.aborted) return end('cancelled');
    if (rounds >= limit) {
      const goOn = await untilAborted(view.goOn(rounds), signal);
      if (goOn === undefined) return end('cancelled');
      if (!goOn) return end('limit');
      limit += options.maxRounds;
      continue;
    }
    rounds++;
    const offered = await Promise.all(options.tools().map((tool) => offeredTool(options.router, tool)));
    const calls: ModelCall[] = [];
    text = '';
    try {
      for await (const part of model.send(messages, offered, signal)) {
        if (signal.aborted) return end('cancelled');
        if (part.type === 'call') calls.push(part.call);
        else {
          text += part.text;
          view.text(part.text);
        }
      }
    } catch (error) {
      if (signal.aborted) return end('cancelled');
      throw error;
    }
    messages.push({ role: 'assistant', text, calls });
    if (calls.length === 0) return end('answered');
    const results = await runCalls(options, calls);
    messages.push({ role: 'results', results });
  }
}

/** What a model is told of a tool; what others say of theirs may hold a secret. */
async function offeredTool(
  router: ToolRouter,
  { modelName, definition, source }: RegisteredTool,
): Promise<OfferedTool> {
  const { modelDescription: description } = definition;
  const inputSchema = modelSchema(definition);
  if (sourceKind(source).isOurs) return { name: modelName, description, inputSchema };
  return { name: modelName, ...(await router.hideInText({ description, inputSchema })) };
}

interface CallAnswer {
  readonly callId: string;
  readonly text: string;
  readonly media: readonly ToolMedia[];
}

async function runCalls(options: LoopOptions, calls: readonly ModelCall[]): Promise<readonly CallAnswer[]> {
  const answers = new Map<ModelCall, CallAnswer>();
  let together: ModelCall[] = [];
  const flush = async (): Promise<void> => {
    for (let at = 0; at < together.length; at += mostParallel)
      await Promise.all(
        together.slice(at, at + mostParallel).map(async (call) => answers.set(call, await runOne(options, call))),
      );
    together = [];
  };
  for (const call of calls) {
    const tool = options.find(call.name);
    if (tool && mayOnlyRead(tool)) together.push(call);
    else {
      await flush();
      answers.set(call, await runOne(options, call));
    }
  }
  await flush();
  return calls.map((call) => answers.get(call) ?? { callId: call.callId, text: 'the call was not run', media: [] });
}

/**
 * True where the tool's own declaration holds nothing that changes anything; `network.http` decides by its method, so
 * such a tool runs alone unless it only answers data.
 */
function mayOnlyRead(tool: RegisteredTool): boolean {
  const { kind, sideEffects } = tool.definition;
  if (kind === 'action' || kind === 'control' || kind === 'state') return false;
  return sideEffects.every((effect) => isReadOnly({ effect, resource: '', method: 'GET' }));
}

async function runOne(options: LoopOptions, call: ModelCall): Promise<CallAnswer> {
  const { router, view, signal } = options;
  const tool = options.find(call.name);
  const base = {
    tool: call.name,
    input: call.input as JsonObject,
    actor: { type: 'agent', id: 'participant' },
    surface: 'participant',
    signal,
    ...(options.mode ? { mode: options.mode } : {}),
    ...(options.prompt === undefined ? {} : { prompt: options.prompt }),
  } as const;
  const preview = await router.preview(base);
  view.started(tool, call, preview.accesses);
  const result = await router.invoke({ ...base, onProgress: ({ message }) => view.progress(message) });
  view.finished(call, tool, result);
  return {
    callId: call.callId,
    text: await modelText(result, tool),
    media: result.success ? (result.media ?? []) : [],
  };
}
