import { visible } from '../../core/base/visible';
import * as vscode from 'vscode';
import { isObject } from '../../core/base/json';
import { shortName } from '../visible';
import { approvalLines as entryApprovalLines } from '../../core/foreign/entryWords';
import type {
  Elicitation,
  ElicitationAnswer,
  SamplingAnswer,
  SamplingRequest,
  ServerApproval,
  SignInRequest,
  ToolsAnswer,
  ToolsApproval,
} from '../../core/foreign/serverUser';
import { askModel } from '../tools/askModel';
import type { ModalQuestions } from '../confirm/modalQuestions';
import { askForm } from './elicitationForm';
import type { TextButton } from '../confirm/askText';
import type { TextQuestions } from '../confirm/textQuestions';
import { showWarning } from '../notices';

export interface PersonQuestions {
  readonly modal: ModalQuestions;
  /** Asks about what a server wrote; it grants nothing that could not be shown whole. */
  readonly text: TextQuestions;
}

/**
 * Asks about a server of the workspace: all of its entry, what it comes to here, and what changed since an earlier
 * approval.
 */
export function approveServer(
  request: ServerApproval,
  { text }: PersonQuestions,
  signal: AbortSignal,
): Promise<boolean> {
  const lines = entryApprovalLines(request, vscode.l10n.t);
  const title = request.before
    ? vscode.l10n.t('The workspace changed the MCP server "{0}". Allow it as it is now?', shortName(request.server))
    : vscode.l10n.t('Allow this workspace to use the MCP server "{0}"?', shortName(request.server));
  return text.confirms({ title, lines, name: textName(request.server) }, vscode.l10n.t('Allow'), signal);
}

export async function approveTools(
  request: ToolsApproval,
  { text }: PersonQuestions,
  signal: AbortSignal,
): Promise<ToolsAnswer> {
  const buttons = approvalButtons(request);
  const lines = [...(request.diff ?? request.lines)(vscode.l10n.t), ...claimLines(request)];
  const question = {
    title: approvalTitle(request),
    lines,
    name: textName(request.server),
    buttons,
    showFirst: request.approved !== undefined,
  };
  const answer = await text.ask(question, signal);
  return answer ?? 'refuse';
}

function approvalTitle(request: ToolsApproval): string {
  const server = shortName(request.server);
  if (request.diff) return vscode.l10n.t('The MCP server "{0}" changed its tools. Approve the change?', server);
  const isOne = request.count === 1;
  if (request.approved)
    return isOne
      ? vscode.l10n.t('You approved 1 tool of the MCP server "{0}".', server)
      : vscode.l10n.t('You approved {0} tools of the MCP server "{1}".', request.count, server);
  if (isOne) return vscode.l10n.t('Approve 1 tool of the MCP server "{0}"?', server);
  return vscode.l10n.t('Approve {0} tools of the MCP server "{1}"?', request.count, server);
}

/** What the person may answer; what is approved already can be taken back without reading it again. */
function approvalButtons({ readOnly, approved }: ToolsApproval): readonly TextButton<ToolsAnswer>[] {
  const claims = readOnly.length > 0;
  if (!approved)
    return [
      { id: 'approve', label: vscode.l10n.t('Approve') },
      ...(claims
        ? [{ id: 'approve-with-hints', label: vscode.l10n.t('Approve, and Believe What Only Reads') } as const]
        : []),
    ];
  const withdraw: TextButton<ToolsAnswer> = {
    id: 'withdraw',
    label: vscode.l10n.t('Take Back Approval'),
    isAlways: true,
  };
  if (!claims) return [withdraw];
  return approved.hintsConfirmed
    ? [{ id: 'approve', label: vscode.l10n.t('Stop Believing What Only Reads'), isAlways: true }, withdraw]
    : [{ id: 'approve-with-hints', label: vscode.l10n.t('Believe What Only Reads') }, withdraw];
}

/** What the server says of tools that only read, and what believing it does. */
function claimLines({ readOnly, approved }: ToolsApproval): readonly string[] {
  if (readOnly.length === 0) return [];
  const names = readOnly.map(visible).join(', ');
  return [
    '',
    approved?.hintsConfirmed
      ? vscode.l10n.t('You believe that these only read, so agents call them without asking: {0}', names)
      : vscode.l10n.t(
          'It says that these only read; believed, agents may call them without asking, in plan mode too: {0}',
          names,
        ),
  ];
}

export async function elicit(
  request: Elicitation,
  questions: TextQuestions,
  signal: AbortSignal,
): Promise<ElicitationAnswer> {
  const title = vscode.l10n.t('The MCP server "{0}" asks', shortName(request.server));
  const name = textName(request.server);
  if (request.type === 'url') {
    const isMeant = await questions.confirms(
      { title, lines: [request.url, '', request.message], name },
      vscode.l10n.t('Open'),
      signal,
    );
    if (!isMeant || !/^https?:\/\//i.test(request.url)) return { action: 'decline' };
    await vscode.env.openExternal(vscode.Uri.parse(request.url, true));
    return { action: 'accept' };
  }
  const fill = vscode.l10n.t('Answer…');
  const decline = vscode.l10n.t('Decline');
  const first = await questions.ask(
    {
      title,
      lines: [request.message],
      name,
      buttons: [
        // The form that follows is what gives something away, and it names each thing.
        { id: 'fill', label: fill, isAlways: true },
        { id: 'decline', label: decline, isHarmless: true, isAlways: true },
      ],
    },
    signal,
  );
  if (first === 'decline') return { action: 'decline' };
  if (first !== 'fill' || signal.aborted) return { action: 'cancel' };
  const content = await askForm(request.schema, title, signal);
  return content ? { action: 'accept', content } : { action: 'cancel' };
}

export async function signIn(request: SignInRequest, questions: ModalQuestions): Promise<boolean> {
  const page = vscode.Uri.parse(request.url, true);
  const isAllowed = await questions.confirms(
    vscode.l10n.t('Sign in to the MCP server "{0}"?', shortName(request.server)),
    vscode.l10n.t('The browser opens a page of {0}.', visible(page.authority)),
    vscode.l10n.t('Sign In…'),
  );
  if (!isAllowed) return false;
  // Where the extension runs on another machine, the address that the browser comes back to has to be forwarded.
  await vscode.env.asExternalUri(vscode.Uri.parse(request.redirectUrl, true));
  return vscode.env.openExternal(page);
}

export async function sample(
  request: SamplingRequest,
  questions: TextQuestions,
  signal: AbortSignal,
): Promise<SamplingAnswer | undefined> {
  const allow = vscode.l10n.t('Allow Once');
  const system = request.systemPrompt === undefined ? [] : [`system: ${request.systemPrompt}`];
  const question = {
    title: vscode.l10n.t('Let the MCP server "{0}" use your language model?', shortName(request.server)),
    lines: [...system, ...request.messages.map((one) => `${one.role}: ${one.text}`)],
    name: textName(request.server),
  };
  const isMeant = await questions.confirms(question, allow, signal);
  if (!isMeant) return undefined;
  const model = await chooseModel(request);
  if (!model || signal.aborted) return undefined;
  const messages = request.messages.map((one) =>
    one.role === 'user'
      ? vscode.LanguageModelChatMessage.User(one.text)
      : vscode.LanguageModelChatMessage.Assistant(one.text),
  );
  if (request.systemPrompt !== undefined) messages.unshift(vscode.LanguageModelChatMessage.User(request.systemPrompt));
  const justification = vscode.l10n.t('asked by the MCP server {0}', shortName(request.server));
  const text = await askModel(model, { messages, justification, mostCharacters: request.maxTokens * 8 }, signal);
  return { model: model.id, text, stopReason: 'endTurn' };
}

/** The model that the server's hints name, the only one that there is, or the one that the person picks. */
async function chooseModel(request: SamplingRequest): Promise<vscode.LanguageModelChat | undefined> {
  // `auto` is a choice of the editor's own chat, which others cannot use.
  const models = (await vscode.lm.selectChatModels()).filter(({ id }) => id !== 'auto');
  const { modelPreferences } = request.raw;
  const hints = isObject(modelPreferences) && Array.isArray(modelPreferences['hints']) ? modelPreferences['hints'] : [];
  for (const hint of hints) {
    const name = isObject(hint) && typeof hint['name'] === 'string' ? hint['name'].toLowerCase() : '';
    const found =
      name === ''
        ? undefined
        : models.find((one) => `${one.id} ${one.family} ${one.name}`.toLowerCase().includes(name));
    if (found) return found;
  }
  if (models.length <= 1) {
    if (models.length === 0)
      void showWarning(
        vscode.l10n.t(
          'The MCP server "{0}" cannot be answered: there is no language model.',
          shortName(request.server),
        ),
      );
    return models[0];
  }
  const items = models.map((model) => ({ label: model.name, description: model.vendor, model }));
  const title = vscode.l10n.t('Which model answers the MCP server "{0}"?', shortName(request.server));
  return (await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true }))?.model;
}

/** What a text about a server is called when it is shown in an editor. */
function textName(server: string): string {
  return `mcp-${server.replace(/[^\w.-]+/g, '_')}.diff`;
}
