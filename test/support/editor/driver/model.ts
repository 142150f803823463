import * as vscode from 'vscode';

export interface ToolCall {
  tool: string;
  input: object;
}

/** What the model answers to one request. */
export type Step = ToolCall | { tools: ToolCall[]; text?: string } | { text: string } | { error: string };
export type ScriptEntry = Step | ((request: ModelRequest) => Step | Promise<Step>);

export interface RecordedMessage {
  role: 'system' | 'user' | 'assistant';
  text: string;
  toolCalls: { callId: string; name: string; input: object }[];
  toolResults: ToolResult[];
}

export interface ToolResult {
  callId: string;
  text: string;
  /** The kinds of what is no text, such as pictures. */
  media: string[];
}

/** One request as it reached the model. */
export interface ModelRequest {
  messages: RecordedMessage[];
  systemText: string;
  tools: { name: string; description: string; inputSchema: object | undefined }[];
  /** Every tool result of the conversation, oldest first. */
  toolResults: ToolResult[];
}

/** All of a request as it came, bytes as text where they are text: what a provider would send on. */
function bodyOf(messages: readonly vscode.LanguageModelChatRequestMessage[], options: unknown): string {
  return JSON.stringify([messages, options], (_key, value: unknown) =>
    value instanceof Uint8Array ? new TextDecoder().decode(value) : value,
  );
}

/** The editor sends system messages with a number that the stable enum has no name for. */
const SYSTEM_ROLE = 3;

function roleOf(role: number): RecordedMessage['role'] {
  if (role === SYSTEM_ROLE) return 'system';
  return role === vscode.LanguageModelChatMessageRole.Assistant ? 'assistant' : 'user';
}

/** Data parts are newer than the types this project compiles against, so they are known by their shape. */
function dataOf(part: unknown): { mimeType: string; data: Uint8Array } | undefined {
  const { mimeType, data } = (part ?? {}) as { mimeType?: unknown; data?: unknown };
  return typeof mimeType === 'string' && data instanceof Uint8Array ? { mimeType, data } : undefined;
}

function textOf(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  const data = dataOf(part);
  if (data) return data.mimeType.startsWith('text/') ? new TextDecoder().decode(data.data) : '';
  const value = (part as { value?: unknown } | undefined)?.value;
  return typeof value === 'string' ? value : JSON.stringify(value ?? part);
}

function mediaOf(part: unknown): string[] {
  const data = dataOf(part);
  return data && !data.mimeType.startsWith('text/') ? [data.mimeType] : [];
}

function recordMessage(message: vscode.LanguageModelChatRequestMessage): RecordedMessage {
  const recorded: RecordedMessage = { role: roleOf(message.role), text: '', toolCalls: [], toolResults: [] };
  for (const part of message.content) {
    if (part instanceof vscode.LanguageModelToolCallPart)
      recorded.toolCalls.push({ callId: part.callId, name: part.name, input: part.input });
    else if (part instanceof vscode.LanguageModelToolResultPart)
      recorded.toolResults.push({
        callId: part.callId,
        text: part.content.map(textOf).join(''),
        media: part.content.flatMap(mediaOf),
      });
    else recorded.text += textOf(part);
  }
  return recorded;
}

/** A language model that records what it is sent and answers from a script; with no step left it says "DONE". */
export class ScriptedModel implements vscode.LanguageModelChatProvider {
  static readonly vendor = 'scripted';
  static readonly id = 'scripted';

  /** The agent's requests, oldest first. */
  requests: ModelRequest[] = [];
  /** What the editor asks beside the conversation, such as a title for the chat; it takes no step of the script. */
  sideRequests: ModelRequest[] = [];
  /**
   * Is given the whole body of each request, side requests too; they are not kept, because each holds all before it.
   */
  onBody: ((body: string) => void) | undefined;
  /** The steps that no request has taken yet. */
  pending: ScriptEntry[] = [];
  /** Whether the last answer asked for no tool, which is how an agent's turn ends. */
  answered = false;
  private calls = 0;

  /** Forgets what was recorded and lays out the next answers. */
  script(steps: ScriptEntry[]): void {
    this.requests = [];
    this.sideRequests = [];
    this.pending = [...steps];
  }

  provideLanguageModelChatInformation(): vscode.LanguageModelChatInformation[] {
    return [
      {
        id: ScriptedModel.id,
        name: 'Scripted',
        family: 'scripted',
        version: '1',
        maxInputTokens: 200_000,
        maxOutputTokens: 16_000,
        capabilities: { toolCalling: true, imageInput: true },
      },
    ];
  }

  async provideLanguageModelChatResponse(
    _model: vscode.LanguageModelChatInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
  ): Promise<void> {
    this.onBody?.(bodyOf(messages, options));
    const recorded = messages.map(recordMessage);
    const request: ModelRequest = {
      messages: recorded,
      systemText: recorded
        .filter((message) => message.role === 'system')
        .map((message) => message.text)
        .join('\n'),
      tools: (options.tools ?? []).map((tool) => ({
        name: tool.name,
        description: tool.description,
        inputSchema: tool.inputSchema,
      })),
      toolResults: recorded.flatMap((message) => message.toolResults),
    };
    if (isSideRequest(request)) {
      this.sideRequests.push(request);
      progress.report(new vscode.LanguageModelTextPart('Scripted'));
      return;
    }
    this.requests.push(request);
    this.answered = false;
    const entry = this.pending.shift() ?? { text: 'DONE' };
    const step = typeof entry === 'function' ? await entry(request) : entry;
    if ('error' in step) {
      this.answered = true;
      throw new Error(step.error);
    }
    if ('text' in step && step.text !== undefined) progress.report(new vscode.LanguageModelTextPart(step.text));
    const calls = 'tools' in step ? step.tools : 'tool' in step ? [step] : [];
    for (const call of calls) {
      this.calls += 1;
      progress.report(new vscode.LanguageModelToolCallPart(`call_${this.calls}`, call.tool, call.input));
    }
    this.answered = calls.length === 0;
  }

  async provideTokenCount(
    _model: vscode.LanguageModelChatInformation,
    text: string | vscode.LanguageModelChatRequestMessage,
  ): Promise<number> {
    return Math.ceil((typeof text === 'string' ? text : JSON.stringify(text.content)).length / 4);
  }
}

/** Titles and the like come without tools, and their system text says what they are for. */
function isSideRequest(request: ModelRequest): boolean {
  return (
    request.tools.length === 0 &&
    /\b(title|summar|commit message|branch name|progress message)/i.test(request.systemText)
  );
}
