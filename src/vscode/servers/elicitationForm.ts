import * as vscode from 'vscode';
import type { JsonSchema } from '../../core/base/schema';
import { steeredPick } from '../steeredPick';
import { type FormAnswer, type FormField, formFields, textFault } from '../../core/foreign/elicitationForm';

/** Asks the fields of a form one after the other. Undefined where the person left it. */
export async function askForm(
  schema: JsonSchema,
  title: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, FormAnswer>> | undefined> {
  const fields = formFields(schema);
  const content: Record<string, FormAnswer> = {};
  for (const [index, field] of fields.entries()) {
    const step = fields.length === 1 ? title : `${title} (${index + 1}/${fields.length})`;
    const answer = await askField(field, step);
    if (answer === undefined || signal.aborted) return undefined;
    if (answer.value !== undefined) content[field.name] = answer.value;
  }
  return content;
}

/** An answer, or none for a field that may be left out; undefined where the person left the form. */
type Asked = { readonly value?: FormAnswer } | undefined;

async function askField(field: FormField, title: string): Promise<Asked> {
  switch (field.type) {
    case 'boolean':
      return pickOne(field, title, [
        { label: vscode.l10n.t('Yes'), value: true, isInitial: field.initial === true },
        { label: vscode.l10n.t('No'), value: false, isInitial: field.initial === false },
      ]);
    case 'choice':
      return pickOne(
        field,
        title,
        field.choices.map(({ label, value }) => ({ label, value, isInitial: value === field.initial })),
      );
    case 'choices':
      return pickMany(field, title);
    case 'text':
    case 'number':
      return typeText(field, title);
  }
}

interface OneItem extends vscode.QuickPickItem {
  readonly value?: string | boolean;
  readonly isInitial: boolean;
}

function pickOne(field: FormField, title: string, items: readonly OneItem[]): Promise<Asked> {
  const none: OneItem = { label: vscode.l10n.t('Leave it out'), isInitial: false, alwaysShow: true };
  const all = field.required ? items : [...items, none];
  return withQuickPick<OneItem>(field, title, (pick, done) => {
    pick.items = all;
    pick.activeItems = all.filter((one) => one.isInitial);
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      if (chosen) done(chosen.value === undefined ? {} : { value: chosen.value });
    });
  });
}

function pickMany(field: FormField & { readonly type: 'choices' }, title: string): Promise<Asked> {
  const items = field.choices.map(({ label, value }) => ({ label, value }));
  const { minItems, maxItems } = field;
  return withQuickPick<(typeof items)[number]>(field, title, (pick, done) => {
    pick.canSelectMany = true;
    pick.items = items;
    pick.selectedItems = items.filter(({ value }) => field.initial.includes(value));
    pick.onDidAccept(() => {
      const chosen = pick.selectedItems.map(({ value }) => value);
      if (chosen.length === 0 && !field.required) return done({});
      if (chosen.length >= minItems && chosen.length <= maxItems) return done({ value: chosen });
      // A quick pick has no place for a fault but its title.
      pick.title = Number.isFinite(maxItems)
        ? vscode.l10n.t('{0}: choose {1} to {2}', title, minItems, maxItems)
        : vscode.l10n.t('{0}: choose at least {1}', title, minItems);
    });
  });
}

function withQuickPick<Item extends vscode.QuickPickItem>(
  field: FormField,
  title: string,
  use: (pick: vscode.QuickPick<Item>, done: (answer: Asked) => void) => void,
): Promise<Asked> {
  return steeredPick<Item, Asked>((pick, done) => {
    pick.title = title;
    pick.placeholder = labelled(field);
    pick.ignoreFocusOut = true;
    use(pick, done);
  });
}

async function typeText(field: FormField & { readonly type: 'text' | 'number' }, title: string): Promise<Asked> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: field.required ? labelled(field) : vscode.l10n.t('{0} (may stay empty)', labelled(field)),
    ignoreFocusOut: true,
    value: field.initial,
    validateInput: (value) => faultWords(field, value),
  });
  if (text === undefined) return undefined;
  if (text === '') return {};
  return { value: field.type === 'number' ? Number(text) : text };
}

function labelled(field: FormField): string {
  return field.description === '' ? field.label : `${field.label}: ${field.description}`;
}

function faultWords(field: FormField & { readonly type: 'text' | 'number' }, text: string): string | undefined {
  const fault = textFault(field, text);
  if (!fault) return undefined;
  const bound = 'bound' in fault ? fault.bound : 0;
  const words: Readonly<Record<typeof fault.type, string>> = {
    missing: vscode.l10n.t('An answer is needed.'),
    number: vscode.l10n.t('A number is expected.'),
    integer: vscode.l10n.t('A whole number is expected.'),
    below: vscode.l10n.t('At least {0} is expected.', bound),
    above: vscode.l10n.t('At most {0} is expected.', bound),
    short: vscode.l10n.t('{0} or more characters are expected.', bound),
    long: vscode.l10n.t('At most {0} characters are expected.', bound),
    email: vscode.l10n.t('An email address is expected.'),
    uri: vscode.l10n.t('An address such as https://example.com is expected.'),
    date: vscode.l10n.t('A date such as 2026-03-14 is expected.'),
    'date-time': vscode.l10n.t('A date with time such as 2026-03-14T09:30:00Z is expected.'),
  };
  return words[fault.type];
}
