import { visibleLine } from '../../core/base/visible';
import * as vscode from 'vscode';
import { cut } from '../../core/base/figures';
import {
  type ChoicesField,
  type FieldFault,
  type FormField,
  readField,
  type TypedField,
} from '../../core/base/formField';
import type { Json } from '../../core/base/json';
import { steeredPick } from '../steeredPick';

/** An answer, or none for a field that may be left out; undefined where the person left the form. */
type Asked = { readonly value?: Json } | undefined;

/**
 * Asks one field of a form.
 * @param startsAtFirst whether Enter takes the first choice where none is proposed; somebody else's question gets no
 * answer that the person did not choose.
 */
export async function askField(
  field: FormField,
  title: string,
  { startsAtFirst = false }: { readonly startsAtFirst?: boolean } = {},
): Promise<Asked> {
  switch (field.type) {
    case 'boolean':
      return pickOne(
        field,
        title,
        [
          { label: vscode.l10n.t('Yes'), value: true, isInitial: field.initial === true },
          { label: vscode.l10n.t('No'), value: false, isInitial: field.initial === false },
        ],
        startsAtFirst,
      );
    case 'choice':
      return pickOne(
        field,
        title,
        field.choices.map(({ label, value }) => ({
          label: shown(label, 500),
          value,
          isInitial: value === field.initial,
        })),
        startsAtFirst,
      );
    case 'choices':
      return pickMany(field, title);
    case 'path': {
      const { pickPath } = await import('./pickPath');
      const path = await pickPath({ title, placeHolder: promptOf(field), value: field.initial });
      return path === undefined ? undefined : { value: path };
    }
    case 'text':
    case 'number':
    case 'json':
      return typeText(field, title);
  }
}

/** What somebody else may have written, in one line that hides nothing. */
export const shown = (text: string, most: number): string => cut(visibleLine(text), most);

interface OneItem extends vscode.QuickPickItem {
  readonly value?: Json;
  readonly isInitial: boolean;
}

function pickOne(field: FormField, title: string, items: readonly OneItem[], startsAtFirst: boolean): Promise<Asked> {
  const none: OneItem = { label: vscode.l10n.t('Leave it out'), isInitial: false, alwaysShow: true };
  const all = field.required ? items : [...items, none];
  return withQuickPick<OneItem>(field, title, (pick, done) => {
    pick.items = all;
    const proposed = all.filter((one) => one.isInitial);
    pick.activeItems = proposed.length === 0 && startsAtFirst ? all.slice(0, 1) : proposed;
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      if (chosen) done(chosen.value === undefined ? {} : { value: chosen.value });
    });
  });
}

function pickMany(field: ChoicesField, title: string): Promise<Asked> {
  const items = field.choices.map(({ label, value }) => ({ label: shown(label, 500), value }));
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
    pick.placeholder = promptOf(field);
    pick.ignoreFocusOut = true;
    use(pick, done);
  });
}

async function typeText(field: TypedField, title: string): Promise<Asked> {
  const prompt = promptOf(field);
  const typed = await askTyped(
    {
      title,
      prompt: field.required ? prompt : vscode.l10n.t('{0} (may stay empty)', prompt),
      value: field.initial,
    },
    (text) => readField(field, text),
  );
  return typed && (typed.value === undefined ? {} : { value: typed.value });
}

type Reading<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly fault: FieldFault };

/** Asks for a text until it reads as what is wanted; undefined where the person left. */
export async function askTyped<Value>(
  box: Pick<vscode.InputBoxOptions, 'title' | 'prompt' | 'value'>,
  read: (typed: string) => Reading<Value>,
): Promise<{ readonly value: Value } | undefined> {
  const typed = await vscode.window.showInputBox({
    ...box,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const reading = read(text);
      return reading.ok ? undefined : faultWords(reading.fault);
    },
  });
  const reading = typed === undefined ? undefined : read(typed);
  return reading?.ok ? { value: reading.value } : undefined;
}

const promptOf = ({ label, description }: FormField): string =>
  description === '' ? shown(label, 500) : `${shown(label, 500)}: ${shown(description, 500)}`;

function faultWords(fault: FieldFault): string {
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
    json: vscode.l10n.t('JSON such as ["a", 1] is expected; a text stands in double quotes.'),
    object: vscode.l10n.t('A JSON object such as {"path": "README.md"} is expected.'),
  };
  return words[fault.type];
}
