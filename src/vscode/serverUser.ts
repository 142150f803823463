import * as vscode from 'vscode';
import { isObject } from '../core/base/json';
import { visibleText } from '../core/base/visible';
import type {
  Elicitation,
  ElicitationAnswer,
  SamplingAnswer,
  SamplingRequest,
  ServerApproval,
  ServerUser,
  SignInRequest,
  ToolsAnswer,
  ToolsApproval,
} from '../core/ports/serverUser';
import { cancellationOf } from './cancellation';

const mostLines = 18;

export interface EditorServerUserParts {
  /** Shows a long text beside the question. */
  readonly showText: (name: string, text: string) => unknown;
}

/** The person in front of the editor answers for MCP servers: modals for what allows something, inputs for what servers ask. */
export function editorServerUser(parts: EditorServerUserParts): ServerUser {
  return {
    async approveServer(request: ServerApproval) {
      const allow = vscode.l10n.t('Allow');
      const secrets = request.secrets.length > 0 ? `\n${vscode.l10n.t('It is given the secrets: {0}', request.secrets.join(', '))}` : '';
      const answer = await vscode.window.showWarningMessage(
        vscode.l10n.t('Allow this workspace to use the MCP server "{0}"?', plain(request.server)),
        { modal: true, detail: `${plain(request.what)}${secrets}` },
        allow,
      );
      return answer === allow;
    },
    approveTools: (request, signal) => approveTools(request, parts, signal),
    elicit,
    signIn,
    sample,
  };
}

async function approveTools(request: ToolsApproval, parts: EditorServerUserParts, signal: AbortSignal): Promise<ToolsAnswer> {
  const approve = vscode.l10n.t('Approve');
  const withHints = vscode.l10n.t('Approve, and Believe What Only Reads');
  const show = vscode.l10n.t('Show in Editor');
  const title = request.diff
    ? vscode.l10n.t('The MCP server "{0}" changed its tools. Approve the change?', plain(request.server))
    : vscode.l10n.t('Approve {0} tools of the MCP server "{1}"?', request.tools.length, plain(request.server));
  const lines = (request.diff ?? request.tools).map(plain);
  const whole = lines.length <= mostLines;
  const detail = [
    ...lines.slice(0, mostLines),
    ...(whole ? [] : [vscode.l10n.t('… {0} more, shown by Show in Editor', lines.length - mostLines)]),
  ];
  for (;;) {
    if (signal.aborted) return 'refuse';
    const buttons = [approve, ...(request.readOnly.length > 0 ? [withHints] : []), show];
    const answer = await vscode.window.showWarningMessage(title, { modal: true, detail: detail.join('\n') }, ...buttons);
    if (answer === approve) return 'approve';
    if (answer === withHints) return 'approve-with-hints';
    if (answer !== show) return 'refuse';
    const only =
      request.readOnly.length > 0 ? ['', vscode.l10n.t('It says that these only read: {0}', request.readOnly.map(plain).join(', '))] : [];
    await parts.showText(`mcp-${request.server}.diff`, [title, '', ...lines, ...only].join('\n'));
    const again = await vscode.window.showInformationMessage(title, vscode.l10n.t('Decide…'));
    if (again === undefined) return 'refuse';
  }
}

async function elicit(request: Elicitation, signal: AbortSignal): Promise<ElicitationAnswer> {
  const title = vscode.l10n.t('The MCP server "{0}" asks', plain(request.server));
  if (request.type === 'url') {
    const open = vscode.l10n.t('Open');
    const answer = await vscode.window.showWarningMessage(
      title,
      { modal: true, detail: `${plain(request.message)}\n\n${plain(request.url)}` },
      open,
    );
    if (answer !== open || !/^https?:\/\//i.test(request.url)) return { action: 'decline' };
    await vscode.env.openExternal(vscode.Uri.parse(request.url, true));
    return { action: 'accept' };
  }
  const fill = vscode.l10n.t('Answer…');
  const decline = vscode.l10n.t('Decline');
  const first = await vscode.window.showWarningMessage(title, { modal: true, detail: plain(request.message) }, fill, decline);
  if (first === decline) return { action: 'decline' };
  if (first !== fill || signal.aborted) return { action: 'cancel' };
  const content: Record<string, string | number | boolean | readonly string[]> = {};
  const required = new Set(request.schema.required ?? []);
  for (const [name, schema] of Object.entries(request.schema.properties ?? {})) {
    const value = await askField(name, schema, title, required.has(name));
    if (value === undefined || signal.aborted) return { action: 'cancel' };
    if (value !== '') content[name] = value;
  }
  return { action: 'accept', content };
}

async function signIn(request: SignInRequest): Promise<boolean> {
  const open = vscode.l10n.t('Sign In…');
  const page = vscode.Uri.parse(request.url, true);
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t('Sign in to the MCP server "{0}"?', plain(request.server)),
    { modal: true, detail: vscode.l10n.t('The browser opens a page of {0}.', plain(page.authority)) },
    open,
  );
  if (answer !== open) return false;
  // Where the extension runs on another machine, the address that the browser comes back to has to be forwarded.
  await vscode.env.asExternalUri(vscode.Uri.parse(request.redirectUrl, true));
  return vscode.env.openExternal(page);
}

type FieldSchema = Readonly<Record<string, unknown>>;

async function askField(
  name: string,
  schema: FieldSchema,
  title: string,
  isRequired: boolean,
): Promise<string | number | boolean | undefined> {
  const label = plain(typeof schema['title'] === 'string' ? schema['title'] : name);
  const prompt = plain(typeof schema['description'] === 'string' ? schema['description'] : label);
  const choices = choicesOf(schema);
  if (choices) {
    const picked = await vscode.window.showQuickPick(choices, { title, placeHolder: prompt, ignoreFocusOut: true });
    return picked?.value;
  }
  const isNumber = schema['type'] === 'number' || schema['type'] === 'integer';
  const text = await vscode.window.showInputBox({
    title,
    prompt: `${label}: ${prompt}`,
    ignoreFocusOut: true,
    value: typeof schema['default'] === 'string' || typeof schema['default'] === 'number' ? String(schema['default']) : '',
    validateInput: (value) => {
      if (value === '') return isRequired ? vscode.l10n.t('An answer is needed.') : undefined;
      if (isNumber && !Number.isFinite(Number(value))) return vscode.l10n.t('This must be a number.');
      return undefined;
    },
  });
  return text === undefined || text === '' || !isNumber ? text : Number(text);
}

interface Choice extends vscode.QuickPickItem {
  readonly value: string | boolean;
}

function choicesOf(schema: FieldSchema): readonly Choice[] | undefined {
  if (schema['type'] === 'boolean')
    return [
      { label: vscode.l10n.t('Yes'), value: true },
      { label: vscode.l10n.t('No'), value: false },
    ];
  if (Array.isArray(schema['enum']))
    return schema['enum'].filter((one): one is string => typeof one === 'string').map((one) => ({ label: plain(one), value: one }));
  if (Array.isArray(schema['oneOf']))
    return schema['oneOf'].flatMap((one: unknown): Choice[] =>
      isObject(one) && typeof one['const'] === 'string'
        ? [{ label: plain(typeof one['title'] === 'string' ? one['title'] : one['const']), value: one['const'] }]
        : [],
    );
  return undefined;
}

async function sample(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer | undefined> {
  const allow = vscode.l10n.t('Allow Once');
  const detail = request.messages
    .map((one) => `${one.role}: ${one.text}`)
    .join('\n')
    .slice(0, 2000);
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Let the MCP server "{0}" use your language model?', plain(request.server)),
    { modal: true, detail: plain(detail) },
    allow,
  );
  if (answer !== allow || signal.aborted) return undefined;
  const [model] = await vscode.lm.selectChatModels();
  if (!model) return undefined;
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

function plain(text: string): string {
  return visibleText(text).text;
}
