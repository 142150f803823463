import * as vscode from 'vscode';
import type { ToolRouter } from '../../core/gate/router';
import { canonicalJson, defined } from '../../core/base/json';
import type { ApprovalRequest, CallApprover, ChatConfirmation, GateCall, GatePreview } from '../../core/call/gateCall';
import type { RegisteredTool } from '../../core/registry/registry';
import type { ToolResult } from '../../core/vocabulary/toolResult';
import { describeApproval } from '../../core/present/approvalText';
import { confirmationWords } from '../../core/present/chatWords';
import type { SettingValues } from '../../core/settings/settingTable';
import type { CallPreview } from '../../core/capability/tool';
import { adviceOf } from '../../core/vocabulary/decision';
import { setLast } from '../../core/base/maps';
import { abortSignal } from '../cancellation';
import { type CallLink, chatLine, type ComingCall, type NextCall } from './chatLine';

export interface ToolHost {
  readonly router: ToolRouter;
  tool(reference: string): RegisteredTool | undefined;
  /** The address under which a call is explained, for a link; undefined where nothing leads there. */
  why?(tool: string, input: object): CallLink;
  /** The id for a call that is to come, and the addresses that lead back to it. */
  next?(): NextCall;
  /** Hears of a call that will ask when the editor makes it. */
  readonly coming?: CallApprover['coming'];
  /** `confirmation.surface`. */
  surface(): SettingValues['confirmation.surface'];
}

/** What was found out about a call that may run. */
type Foreseen = Awaited<ReturnType<ToolRouter['foreseen']>>;

/** What the editor's inline confirmation says of an input, until the call that follows it. */
type Offered = Omit<ChatConfirmation, 'waitedMs' | 'autoApprovedBy'> & { readonly at: number };

const inputsKept = 100;
/** An answer that comes later than this is one to another question. */
const confirmationLifeMs = 30 * 60 * 1000;

/**
 * One built-in tool as a language-model tool. `prepareInvocation` asks the gate for a preview; `invoke` passes the
 * gate, which decides again, because a hidden tool can still be called by name.
 */
export class GovernedTool implements vscode.LanguageModelTool<object> {
  readonly #name: string;
  readonly #host: () => Promise<ToolHost>;
  readonly #offered = new LastByInput<Offered>();
  /** The invocation ids of calls whose line in the chat leads back to them. */
  readonly #ids = new LastByInput<string>();

  /** @param host resolves once the system is composed; registering a tool costs nothing until it is called. */
  constructor(name: string, host: () => Promise<ToolHost>) {
    this.#name = name;
    this.#host = host;
  }

  async prepareInvocation(
    options: vscode.LanguageModelToolInvocationPrepareOptions<object>,
    token: vscode.CancellationToken,
  ): Promise<vscode.PreparedToolInvocation> {
    const host = await this.#host();
    const tool = host.tool(this.#name);
    const signal = abortSignal(token);
    const preview = await host.router.preview({ ...this.#invocation(options.input), signal });
    const name = tool?.definition.localTitle ?? tool?.definition.title ?? this.#name;
    const foreseen =
      preview.effect !== 'deny' && preview.call ? await host.router.foreseen(preview.call, preview.reasons) : undefined;
    const coming = this.#comingCall(host, name, options.input, preview, foreseen);
    if (coming.next) {
      // Of two calls alike the second takes the place of the first, which then has an id of its own.
      const first = this.#ids.put(options.input, coming.next.call);
      if (first !== undefined) host.coming?.delete(first);
      if (coming.waits) host.coming?.add(coming.next.call);
    }
    const invocationMessage = chatLine(coming);
    if (host.surface() === 'modal' || preview.effect !== 'ask' || !preview.call || !foreseen)
      return { invocationMessage };
    // A call that cannot succeed is not asked about: it goes on to the gate, which tells the model why.
    if (foreseen.error) return { invocationMessage };
    const text = describeApproval(approvalOf(preview.call, preview, foreseen.preview), vscode.l10n.t);
    const { title, message } = confirmationWords(name, text, vscode.l10n.t);
    const { accesses, reasons } = preview;
    this.#offered.put(options.input, { accesses, reasons, preview: foreseen.preview, at: performance.now() });
    return { invocationMessage, confirmationMessages: { title, message: new vscode.MarkdownString(message) } };
  }

  async invoke(
    options: vscode.LanguageModelToolInvocationOptions<object>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const host = await this.#host();
    const offered = this.#takeOffered(options.input);
    const invocationId = this.#ids.take(options.input);
    const confirmedInChat = host.surface() === 'chat' ? offered : undefined;
    const result = await host.router.invoke({
      ...this.#invocation(options.input),
      signal: abortSignal(token),
      ...defined({ invocationId, confirmedInChat }),
    });
    return toEditorResult(result, host.tool(this.#name));
  }

  /** What the line of a call in the chat is made of. */
  #comingCall(
    host: ToolHost,
    title: string,
    input: object,
    preview: GatePreview,
    foreseen: Foreseen | undefined,
  ): ComingCall {
    const error = foreseen?.error;
    const failure = error && { ...error.data, said: error.said };
    const why = preview.effect === 'deny' || failure ? host.why?.(this.#name, input) : undefined;
    const waits = preview.effect === 'ask' && !failure && host.surface() !== 'chat';
    const canUndo = !why && foreseen?.preview.undo === 'possible';
    const next = waits || canUndo ? host.next?.() : undefined;
    return { title, preview, waits, canUndo, ...defined({ failure, why, next }) };
  }

  #invocation(input: object) {
    return { tool: this.#name, input, actor: { type: 'agent', id: 'editor-chat' }, surface: 'chat' } as const;
  }

  /** What was offered for this input, once. */
  #takeOffered(input: object): ChatConfirmation | undefined {
    const offered = this.#offered.take(input);
    if (!offered) return undefined;
    const { at, ...shown } = offered;
    const waitedMs = performance.now() - at;
    if (waitedMs >= confirmationLifeMs) return undefined;
    return { ...shown, waitedMs, ...defined({ autoApprovedBy: autoApprovingSetting() }) };
  }
}

/** What was said of an input last, until the call with that input comes. */
class LastByInput<Value> {
  readonly #values = new Map<string, Value>();

  /** Answers what was said of it before and nobody has taken. */
  put(input: object, value: Value): Value | undefined {
    const key = canonicalJson(input);
    const before = this.#values.get(key);
    setLast(this.#values, key, value, inputsKept);
    return before;
  }

  /** Answers it once. */
  take(input: object): Value | undefined {
    const key = canonicalJson(input);
    const value = this.#values.get(key);
    this.#values.delete(key);
    return value;
  }
}

/** The editor's setting that lets calls through without a confirmation, for the record; nothing is decided by it. */
function autoApprovingSetting(): string | undefined {
  const chat = vscode.workspace.getConfiguration('chat');
  if (chat.get<unknown>('tools.global.autoApprove') === true) return 'chat.tools.global.autoApprove';
  const level = chat.get<unknown>('permissions.default');
  return level === 'autoApprove' || level === 'autopilot' ? `chat.permissions.default: ${level}` : undefined;
}

/**
 * Answers denials and tool errors as text for the model; only a fault of ours is thrown, because the editor adds advice
 * to what is thrown.
 */
async function toEditorResult(
  result: ToolResult,
  tool: RegisteredTool | undefined,
): Promise<vscode.LanguageModelToolResult> {
  if (!result.success && result.error.code === 'internal_error') throw new Error(result.error.message);
  const { modelText } = await import('../../core/registry/modelText');
  const parts: vscode.LanguageModelTextPart[] = [new vscode.LanguageModelTextPart(await modelText(result, tool))];
  for (const media of result.success ? (result.media ?? []) : []) parts.push(mediaPart(media.data, media.mimeType));
  return new vscode.LanguageModelToolResult(parts);
}

interface ImageParts {
  image(data: Uint8Array, mime: string): unknown;
}

function isImageParts(value: unknown): value is ImageParts {
  return typeof value === 'function' && 'image' in value && typeof value.image === 'function';
}

/**
 * Pictures as data parts, which editors older than the types that we compile against do not have: they hear of the
 * picture in words.
 */
function mediaPart(data: string, mimeType: string): vscode.LanguageModelTextPart {
  const parts: unknown = Reflect.get(vscode, 'LanguageModelDataPart');
  // The types of the oldest supported editor know no data part; every editor that has the class takes its instances in
  // a result.
  if (isImageParts(parts)) return parts.image(Buffer.from(data, 'base64'), mimeType) as vscode.LanguageModelTextPart;
  return new vscode.LanguageModelTextPart(
    `[a ${mimeType} of ${Math.floor((data.length * 3) / 4)} bytes, which this editor cannot hand over]`,
  );
}

/** What the gate would ask a person, for the confirmation of the editor that comes before the gate. */
function approvalOf(call: GateCall, { accesses, reasons, steps }: GatePreview, preview: CallPreview): ApprovalRequest {
  return {
    id: 'chat',
    call,
    accesses,
    reasons,
    advice: adviceOf(steps),
    preview,
    needsAdmin: reasons.some((reason) => reason.admin),
  };
}
