import * as vscode from 'vscode';
import { cut } from '../../core/base/figures';
import { visible } from '../visible';
import { isObject, type Json, type JsonObject } from '../../core/base/json';
import type { CapabilityRegistry, RegisteredTool } from '../../core/registry/registry';
import type { TreeRow } from '../../core/present/treeRow';
import { type FormField, formFields, formInput, readField, readWholeInput } from '../../core/present/inputForm';
import { meetingAndRisk } from '../../core/present/toolRow';
import type { Mode } from '../../core/vocabulary/decision';
import { namedTool } from './namedTool';
import type { ActorType } from '../../core/vocabulary/toolDefinition';

/**
 * The tool that a command is for: the one that a program named, that of the first row which is one, else a picked one.
 */
export async function chosenTool(
  registry: Pick<CapabilityRegistry, 'tool' | 'toolNames'>,
  named: unknown,
  rows: readonly TreeRow[],
  question: {
    readonly tools: () => readonly RegisteredTool[];
    readonly caller: ActorType;
    /** That of the active profile. */
    readonly mode: Mode;
    readonly title: string;
    readonly placeHolder?: string;
  },
): Promise<RegisteredTool | undefined> {
  if (typeof named === 'string') return namedTool(registry, named);
  for (const row of rows) if (row.kind === 'tool') return row.tool;
  const items = question.tools().map((tool) => {
    const { name, title, userDescription } = tool.definition;
    const judged = meetingAndRisk(tool, question.mode, vscode.l10n.t, question.caller);
    return { label: title, description: `${name} · ${judged}`, detail: userDescription, tool };
  });
  const picked = await vscode.window.showQuickPick(items, {
    title: question.title,
    ...(question.placeHolder === undefined ? {} : { placeHolder: question.placeHolder }),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.tool;
}

/**
 * What a tool is to be called with: what a program passes beside its name, else what the person enters. With `true` as
 * third argument what was passed is where the form begins.
 */
export async function toolInput(tool: RegisteredTool, args: readonly unknown[]): Promise<JsonObject | undefined> {
  const given = typeof args[0] === 'string' && isObject(args[1]) ? (args[1] as JsonObject) : undefined; // reason: commands carry JSON
  if (given && args[2] !== true) return given;
  return askInput(tool, given);
}

/**
 * Asks for what a tool needs, one property after the other, and then offers the rest, which may be left out: a tool of
 * nine optional properties runs with one key. What is given is not asked for; it stands in the list, which is shown in
 * any case then, and can be changed. Escape ends the form with nothing done.
 */
async function askInput(tool: RegisteredTool, given: JsonObject = {}): Promise<JsonObject | undefined> {
  const { title, inputSchema } = tool.definition;
  const fields = formFields(inputSchema, given);
  const known = fields.filter(({ name }) => Object.hasOwn(given, name));
  const required = fields.filter((field) => field.required && !known.includes(field));
  const listed = fields.filter((field) => !required.includes(field));
  const answers = new Map<string, Json | undefined>(known.map(({ name }) => [name, given[name]]));
  for (const [index, field] of required.entries()) {
    const answer = await askField(field, required.length === 1 ? title : `${title} (${index + 1}/${required.length})`);
    if (answer === undefined) return undefined;
    answers.set(field.name, answer.value);
  }
  while (listed.length > 0) {
    const picked = await pickOptional(title, listed, answers);
    if (picked === undefined) return undefined;
    if (picked === 'done') break;
    if (picked === 'json') {
      const whole = await askWhole(title, formInput(answers));
      if (whole) return whole;
      continue;
    }
    const answer = await askField({ ...picked, initial: written(answers.get(picked.name)) || picked.initial }, title);
    if (answer) answers.set(picked.name, answer.value);
  }
  return formInput(answers);
}

/** A value as it is typed. */
const written = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** What somebody else may have written, in one line that hides nothing. */
const shown = (text: string, most: number): string => cut(visible(text).replace(/\s+/g, ' '), most);

/**
 * The rest of the form as a list: going on comes first, then each property that may be left out, with what it holds.
 */
async function pickOptional(
  title: string,
  fields: readonly FormField[],
  answers: ReadonlyMap<string, Json | undefined>,
): Promise<FormField | 'done' | 'json' | undefined> {
  const items: (vscode.QuickPickItem & { readonly field: FormField | 'done' | 'json' })[] = [
    {
      label: `$(play) ${vscode.l10n.t('Go on')}`,
      description: shown(JSON.stringify(formInput(answers)), 100),
      field: 'done',
    },
    {
      label: fields.some(({ required }) => required)
        ? vscode.l10n.t('Can be changed')
        : vscode.l10n.t('May be left out'),
      kind: vscode.QuickPickItemKind.Separator,
      field: 'done',
    },
    ...fields.map((field) => ({
      label: field.name,
      description: shown(written(answers.get(field.name)), 60),
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
  if (field.kind === 'path') {
    const { pickPath } = await import('./pickPath');
    const path = await pickPath({ title: `${title} · ${name}`, placeHolder, value: field.initial });
    const answer = path === undefined ? undefined : readField(field, path);
    return answer?.ok ? { value: answer.value } : undefined;
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
