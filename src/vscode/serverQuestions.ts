import * as vscode from 'vscode';
import { isObject } from '../core/base/json';
import { visibleText } from '../core/base/visible';
import type {
  Elicitation,
  ElicitationAnswer,
  SamplingAnswer,
  SamplingRequest,
  ServerApproval,
  SignInRequest,
  ToolsAnswer,
  ToolsApproval,
} from '../core/ports/serverUser';
import { cancellationOf } from './cancellation';
import type { ModalQuestions } from './modalConfirmer';
import { askForm } from './elicitationForm';

const mostLines = 16;
const longestLine = 120;

export interface EditorServerUserParts {
  /** Shows a long text beside the question. */
  readonly showText: (name: string, text: string) => unknown;
  readonly questions: ModalQuestions;
}

/** Asks about a server of the workspace: what it starts and which secrets it is given. */
export function approveServer(request: ServerApproval, { questions }: EditorServerUserParts): Promise<boolean> {
  const secrets = request.secrets.length > 0 ? `\n${vscode.l10n.t('It is given the secrets: {0}', request.secrets.join(', '))}` : '';
  return questions.confirms(
    vscode.l10n.t('Allow this workspace to use the MCP server "{0}"?', plain(request.server)),
    `${plain(request.what)}${secrets}`,
    vscode.l10n.t('Allow'),
  );
}

export async function approveTools(request: ToolsApproval, parts: EditorServerUserParts, signal: AbortSignal): Promise<ToolsAnswer> {
  const show = vscode.l10n.t('Show in Editor');
  const title = approvalTitle(request);
  const answers = approvalButtons(request);
  const lines = (request.diff ?? request.tools).map(plain);
  const shown = lines.slice(0, mostLines).map((line) => (line.length <= longestLine ? line : `${line.slice(0, longestLine)}…`));
  const detail = [
    ...shown,
    ...(lines.length <= mostLines ? [] : [vscode.l10n.t('… {0} more, shown by Show in Editor', lines.length - mostLines)]),
    ...claimLines(request),
  ];
  for (;;) {
    if (signal.aborted) return 'refuse';
    const decide = [...answers.keys()].map((label) => ({ id: label, label }));
    const look = { id: show, label: show, isHarmless: true };
    // The first button has the keyboard: for what is approved already it changes nothing.
    const buttons = request.approved ? [look, ...decide] : [...decide, look];
    const answer = await parts.questions.ask({ title, detail: detail.join('\n'), buttons }, signal);
    if (answer !== show) return (answer === undefined ? undefined : answers.get(answer)) ?? 'refuse';
    await parts.showText(`mcp-${request.server.replace(/[^\w.-]+/g, '_')}.diff`, [title, '', ...lines, ...claimLines(request)].join('\n'));
    const again = await vscode.window.showInformationMessage(title, vscode.l10n.t('Decide…'));
    if (again === undefined) return 'refuse';
  }
}

function approvalTitle(request: ToolsApproval): string {
  const server = plain(request.server);
  if (request.diff) return vscode.l10n.t('The MCP server "{0}" changed its tools. Approve the change?', server);
  if (request.approved) return vscode.l10n.t('You approved {0} tools of the MCP server "{1}".', request.tools.length, server);
  return vscode.l10n.t('Approve {0} tools of the MCP server "{1}"?', request.tools.length, server);
}

/** What the person may answer, by the button's text. */
function approvalButtons(request: ToolsApproval): ReadonlyMap<string, ToolsAnswer> {
  const claims = request.readOnly.length > 0;
  const believe = vscode.l10n.t('Approve, and Believe What Only Reads');
  if (!request.approved)
    return new Map([[vscode.l10n.t('Approve'), 'approve'], ...(claims ? ([[believe, 'approve-with-hints']] as const) : [])]);
  const change: readonly (readonly [string, ToolsAnswer])[] = request.approved.hintsConfirmed
    ? [[vscode.l10n.t('Stop Believing What Only Reads'), 'approve']]
    : [[vscode.l10n.t('Believe What Only Reads'), 'approve-with-hints']];
  return new Map([...(claims ? change : []), [vscode.l10n.t('Take Back Approval'), 'withdraw']]);
}

/** What the server says of tools that only read, and what believing it does. */
function claimLines({ readOnly, approved }: ToolsApproval): readonly string[] {
  if (readOnly.length === 0) return [];
  const names = readOnly.map(plain).join(', ');
  return [
    '',
    approved?.hintsConfirmed
      ? vscode.l10n.t('You believe that these only read, so agents call them without asking: {0}', names)
      : vscode.l10n.t('It says that these only read; believed, agents may call them without asking, in plan mode too: {0}', names),
  ];
}

export async function elicit(request: Elicitation, questions: ModalQuestions, signal: AbortSignal): Promise<ElicitationAnswer> {
  const title = vscode.l10n.t('The MCP server "{0}" asks', plain(request.server));
  if (request.type === 'url') {
    const isMeant = await questions.confirms(title, `${plain(request.message)}\n\n${plain(request.url)}`, vscode.l10n.t('Open'), signal);
    if (!isMeant || !/^https?:\/\//i.test(request.url)) return { action: 'decline' };
    await vscode.env.openExternal(vscode.Uri.parse(request.url, true));
    return { action: 'accept' };
  }
  const fill = vscode.l10n.t('Answer…');
  const decline = vscode.l10n.t('Decline');
  const first = await questions.ask(
    {
      title,
      detail: plain(request.message),
      buttons: [
        { id: 'fill', label: fill },
        { id: 'decline', label: decline, isHarmless: true },
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
    vscode.l10n.t('Sign in to the MCP server "{0}"?', plain(request.server)),
    vscode.l10n.t('The browser opens a page of {0}.', plain(page.authority)),
    vscode.l10n.t('Sign In…'),
  );
  if (!isAllowed) return false;
  // Where the extension runs on another machine, the address that the browser comes back to has to be forwarded.
  await vscode.env.asExternalUri(vscode.Uri.parse(request.redirectUrl, true));
  return vscode.env.openExternal(page);
}

export async function sample(
  request: SamplingRequest,
  questions: ModalQuestions,
  signal: AbortSignal,
): Promise<SamplingAnswer | undefined> {
  const allow = vscode.l10n.t('Allow Once');
  const system = request.systemPrompt === undefined ? [] : [`system: ${request.systemPrompt}`];
  const whole = [...system, ...request.messages.map((one) => `${one.role}: ${one.text}`)].join('\n');
  const detail = whole.length <= 2000 ? whole : `${whole.slice(0, 2000)}\n${vscode.l10n.t('… {0} characters more', whole.length - 2000)}`;
  const isMeant = await questions.confirms(
    vscode.l10n.t('Let the MCP server "{0}" use your language model?', plain(request.server)),
    plain(detail),
    allow,
    signal,
  );
  if (!isMeant) return undefined;
  const model = await chooseModel(request);
  if (!model || signal.aborted) return undefined;
  const messages = request.messages.map((one) =>
    one.role === 'user' ? vscode.LanguageModelChatMessage.User(one.text) : vscode.LanguageModelChatMessage.Assistant(one.text),
  );
  if (request.systemPrompt !== undefined) messages.unshift(vscode.LanguageModelChatMessage.User(request.systemPrompt));
  const source = cancellationOf(signal);
  try {
    const response = await model.sendRequest(
      messages,
      { justification: vscode.l10n.t('asked by the MCP server {0}', plain(request.server)) },
      source.token,
    );
    let text = '';
    for await (const part of response.text) {
      text += part;
      if (text.length > request.maxTokens * 8) break;
    }
    return { model: model.id, text, stopReason: 'endTurn' };
  } finally {
    source.dispose();
  }
}

/** The model that the server's hints name, the only one that there is, or the one that the person picks. */
async function chooseModel(request: SamplingRequest): Promise<vscode.LanguageModelChat | undefined> {
  // `auto` is a choice of the editor's own chat, which others cannot use.
  const models = (await vscode.lm.selectChatModels()).filter(({ id }) => id !== 'auto');
  const { modelPreferences } = request.raw;
  const hints = isObject(modelPreferences) && Array.isArray(modelPreferences['hints']) ? modelPreferences['hints'] : [];
  for (const hint of hints) {
    const name = isObject(hint) && typeof hint['name'] === 'string' ? hint['name'].toLowerCase() : '';
    const found = name === '' ? undefined : models.find((one) => `${one.id} ${one.family} ${one.name}`.toLowerCase().includes(name));
    if (found) return found;
  }
  if (models.length <= 1) {
    if (models.length === 0)
      void vscode.window.showWarningMessage(
        vscode.l10n.t('The MCP server "{0}" cannot be answered: there is no language model.', plain(request.server)),
      );
    return models[0];
  }
  const items = models.map((model) => ({ label: model.name, description: model.vendor, model }));
  const title = vscode.l10n.t('Which model answers the MCP server "{0}"?', plain(request.server));
  return (await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true }))?.model;
}

function plain(text: string): string {
  return visibleText(text).text;
}
