import * as vscode from 'vscode';
import type { FormField } from '../../core/base/formField';
import { isObject, type Json, type JsonObject } from '../../core/base/json';
import type { CapabilityRegistry, RegisteredTool } from '../../core/registry/registry';
import type { TreeRow } from '../../core/present/treeRow';
import { formInput, inputFields, readWholeInput, typedValue } from '../../core/present/inputForm';
import { meetingAndRisk } from '../../core/present/toolRow';
import type { Mode } from '../../core/vocabulary/decision';
import { askField, askTyped, shown } from '../forms/askField';
import { namedTool } from './namedTool';
import { shownTitle } from '../../core/present/words';
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
    const { name, userDescription } = tool.definition;
    const judged = meetingAndRisk(tool, question.mode, vscode.l10n.t, question.caller);
    return { label: shownTitle(tool.definition), description: `${name} · ${judged}`, detail: userDescription, tool };
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
  const fields = inputFields(inputSchema, given);
  const known = fields.filter(({ name }) => Object.hasOwn(given, name));
  const required = fields.filter((field) => field.required && !known.includes(field));
  const listed = fields.filter((field) => !required.includes(field));
  const answers = new Map<string, Json | undefined>(known.map(({ name }) => [name, given[name]]));
  for (const [index, field] of required.entries()) {
    const step = required.length === 1 ? title : `${title} (${index + 1}/${required.length})`;
    const answer = await askField(field, step, { startsAtFirst: true });
    if (answer === undefined) return undefined;
    answers.set(field.name, answer.value);
  }
  while (listed.length > 0) {
    const picked = await pickOptional(title, listed, answers);
    if (picked === undefined) return undefined;
    if (picked === 'done') break;
    if (picked === 'json') {
      const whole = await askTyped({ title, value: JSON.stringify(formInput(answers)) }, readWholeInput);
      if (whole) return whole.value;
      continue;
    }
    const field = inputFields(inputSchema, formInput(answers)).find(({ name }) => name === picked.name) ?? picked;
    const answer = await askField(field, title, { startsAtFirst: true });
    if (answer) answers.set(field.name, answer.value);
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
      description: shown(typedValue(answers.get(field.name)), 60),
      detail: field.description.slice(0, 200),
      field,
    })),
    { label: `$(json) ${vscode.l10n.t('Write all of it as JSON…')}`, field: 'json' },
  ];
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDetail: true, ignoreFocusOut: true });
  return picked?.field;
}
