import * as vscode from 'vscode';
import { didYouMean } from '../../core/base/nearest';
import type { Json, JsonObject } from '../../core/base/json';
import { isObject } from '../../core/base/json';
import type { RegisteredTool } from '../../core/registry/registry';
import { type FormField, formFields, formInput, readField, readWholeInput } from '../../core/present/inputForm';
import { riskAndPermission } from '../../core/present/words';
import type { CommandContext, CommandHandler } from './context';
import { rowsOf } from './rows';

/**
 * Runs a tool as the user, through the same gate as an agent's call, and shows its result (features.md, "try a tool by
 * hand").
 */
export const runTool: CommandHandler<'profiles' | 'registry' | 'router' | 'texts' | 'view'> = async (
  context,
  ...args
) => {
  const tool = await chosenTool(context, args);
  if (!tool) return undefined;
  const input = typeof args[0] === 'string' && isObject(args[1]) ? (args[1] as JsonObject) : await askInput(tool);
  if (input === undefined) return undefined;
  const result = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Running {0}', tool.definition.title),
      cancellable: true,
    },
    (progress, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      return context.router.invoke({
        tool: tool.id,
        input,
        actor: { type: 'user', id: 'user' },
        surface: 'palette',
        signal: controller.signal,
        onProgress: ({ message }) => progress.report({ message }),
      });
    },
  );
  await context.texts.open(
    `${tool.definition.name} ${new Date().toISOString().slice(11, 19).replaceAll(':', '.')}.json`,
    `${JSON.stringify(result, null, 2)}\n`,
  );
  return result;
};

async function chosenTool(
  context: Pick<CommandContext, 'profiles' | 'registry' | 'view'>,
  args: readonly unknown[],
): Promise<RegisteredTool | undefined> {
  const { registry, profiles } = context;
  const [first] = args;
  if (typeof first === 'string') {
    const named = registry.tool(first);
    if (!named) throw new Error(`there is no tool \`${first}\`${didYouMean(first, registry.toolNames())}`);
    return named;
  }
  const row = first === undefined ? undefined : (await rowsOf(context, args)).find((one) => one.kind === 'tool');
  if (row?.kind === 'tool') return row.tool;
  const items = profiles
    .active()
    .tools.filter((tool) => tool.definition.agentOnly !== true)
    .map((tool) => ({
      label: tool.definition.title,
      description: `${tool.definition.name} · ${riskAndPermission(tool.definition.riskLevel, tool.definition.permissions.user, vscode.l10n.t)}`,
      detail: tool.definition.userDescription,
      tool,
    }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Run a tool'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.tool;
}

/**
 * Asks for what a tool needs, one property after the other, and then offers the rest, which may be left out: a tool of
 * nine optional properties runs with one key. Escape ends the form with nothing done.
 */
export async function askInput(tool: RegisteredTool): Promise<JsonObject | undefined> {
  const { title, inputSchema } = tool.definition;
  const fields = formFields(inputSchema);
  const required = fields.filter((field) => field.required);
  const optional = fields.filter((field) => !field.required);
  const answers = new Map<string, Json | undefined>();
  for (const [index, field] of required.entries()) {
    const answer = await askField(field, required.length === 1 ? title : `${title} (${index + 1}/${required.length})`);
    if (answer === undefined) return undefined;
    answers.set(field.name, answer.value);
  }
  while (optional.length > 0) {
    const picked = await pickOptional(title, optional, answers);
    if (picked === undefined) return undefined;
    if (picked === 'done') break;
    if (picked === 'json') {
      const whole = await askWhole(title, formInput(answers));
      if (whole) return whole;
      continue;
    }
    const answer = await askField(picked, title);
    if (answer) answers.set(picked.name, answer.value);
  }
  return formInput(answers);
}

/**
 * The rest of the form as a list: going on comes first, then each property that may be left out, with what it holds.
 */
async function pickOptional(
  title: string,
  fields: readonly FormField[],
  answers: ReadonlyMap<string, Json | undefined>,
): Promise<FormField | 'done' | 'json' | undefined> {
  const shown = (value: Json | undefined): string =>
    value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const items: (vscode.QuickPickItem & { readonly field: FormField | 'done' | 'json' })[] = [
    {
      label: `$(play) ${vscode.l10n.t('Go on')}`,
      description: JSON.stringify(formInput(answers)).slice(0, 100),
      field: 'done',
    },
    { label: vscode.l10n.t('May be left out'), kind: vscode.QuickPickItemKind.Separator, field: 'done' },
    ...fields.map((field) => ({
      label: field.name,
      description: shown(answers.get(field.name)).slice(0, 60),
      detail: field.description.slice(0, 200),
      field,
    })),
    { label: `$(json) ${vscode.l10n.t('Write all of it as JSON…')}`, field: 'json' },
  ];
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDetail: true, ignoreFocusOut: true });
  return picked?.field;
}

async function askWhole(title: string, input: JsonObject): Promise<JsonObject | undefined> {
  const typed = await vscode.window.showInputBox({
    title,
    value: JSON.stringify(input),
    ignoreFocusOut: true,
    validateInput: (text) => {
      const answer = readWholeInput(text);
      return answer.ok ? undefined : answer.message;
    },
  });
  const answer = typed === undefined ? undefined : readWholeInput(typed);
  return answer?.ok && isObject(answer.value) ? (answer.value as JsonObject) : undefined; // reason: the text was JSON
}

async function askField(field: FormField, title: string): Promise<{ readonly value: Json | undefined } | undefined> {
  const name = field.required ? field.name : vscode.l10n.t('{0} (optional)', field.name);
  const placeHolder = field.description.slice(0, 200);
  if (field.kind === 'choice' || field.kind === 'boolean') {
    const values: readonly Json[] = field.kind === 'boolean' ? [true, false] : field.choices;
    const items: { label: string; description?: string; value: Json | undefined }[] = values.map((value) => ({
      label: typeof value === 'string' ? value : JSON.stringify(value),
      ...(String(value) === field.initial ? { description: vscode.l10n.t('default') } : {}),
      value,
    }));
    if (!field.required) items.unshift({ label: vscode.l10n.t('Leave out'), value: undefined });
    const picked = await vscode.window.showQuickPick(items, {
      title: `${title} · ${name}`,
      placeHolder,
      ignoreFocusOut: true,
    });
    return picked && { value: picked.value };
  }
  const typed = await vscode.window.showInputBox({
    title: `${title} · ${name}`,
    prompt: placeHolder,
    value: field.initial,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const answer = readField(field, text);
      return answer.ok ? undefined : answer.message;
    },
  });
  if (typed === undefined) return undefined;
  const answer = readField(field, typed);
  return answer.ok ? { value: answer.value } : undefined;
}
