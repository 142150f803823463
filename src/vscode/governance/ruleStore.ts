import * as vscode from 'vscode';
import type { Json, JsonObject } from '../../core/base/json';
import { editRuleFile, withoutRule, withRule } from '../../core/policy/rules/ruleList';
import { settingId } from '../../core/settings/settingTable';
import { isLink, isMissing, type WriteText } from '../files/fileText';
import { makeFoldersSeen } from '../files/makeSeen';

/** Where a rule of a person's making is written. */
export type RulePlace = { readonly type: 'user' } | { readonly type: 'workspace'; readonly folder: vscode.Uri };

type ListChange = (list: Json | undefined) => Json | undefined;

/** The user's own rules in their settings. */
export interface OwnRules {
  /** Nothing is written where `change` throws or changes nothing; it may be asked again, with newer rules. */
  changeOwnRules(change: ListChange): Promise<void>;
}

type Rule = JsonObject & { readonly id: string };

/** What rules of a person's making are written with. */
interface RuleFiles {
  readonly ownRules: OwnRules;
  readonly writeText: WriteText;
}

/** Adds a rule to the user's settings or to a folder's `boundaries.json`. */
export const addRule = (files: RuleFiles, place: RulePlace, rule: Rule): Promise<void> =>
  changeRules(files, place, (list) => withRule(list, rule));

/** Takes these out of the user's settings, with one write. */
export const removeOwnRules = (files: RuleFiles, ids: readonly string[]): Promise<void> =>
  changeRules(files, { type: 'user' }, (list) =>
    ids.reduce<Json | undefined>((left, id) => withoutRule(left, id) ?? left, list),
  );

/** Answers false where the rule is gone already. */
export async function removeRule(files: RuleFiles, place: RulePlace, id: string): Promise<boolean> {
  let wasThere = false;
  await changeRules(files, place, (list) => {
    const left = withoutRule(list, id);
    wasThere = left !== undefined;
    return left ?? list;
  });
  return wasThere;
}

/** Nothing is written where the change is none; throws, for a person, where what stands there is no list of rules. */
export async function changeRules(
  { ownRules, writeText }: RuleFiles,
  place: RulePlace,
  how: ListChange,
): Promise<void> {
  if (place.type === 'workspace') return changeFile(place.folder, how, writeText);
  await ownRules.changeOwnRules((before) => {
    const after = how(before);
    if (after === undefined && before !== undefined)
      throw new Error(vscode.l10n.t('`{0}` must be a list of rules; mend it first.', settingId('policy.boundaries')));
    if (JSON.stringify(after) === JSON.stringify(before)) return before;
    return Array.isArray(after) && after.length === 0 ? undefined : after;
  });
}

const policyFolder = '.vscode/capabilities';

export const boundariesFile = (folder: vscode.Uri): vscode.Uri =>
  vscode.Uri.joinPath(folder, policyFolder, 'boundaries.json');

/** Changes the file where it stands, and nowhere else: a repository may have put a link in its place. */
async function changeFile(folder: vscode.Uri, how: ListChange, write: WriteText): Promise<void> {
  const file = boundariesFile(folder);
  for (const part of [vscode.Uri.joinPath(file, '..', '..'), vscode.Uri.joinPath(file, '..'), file])
    if (await isLink(part))
      throw new Error(
        vscode.l10n.t('{0} is a link, so nothing was written through it.', vscode.workspace.asRelativePath(part)),
      );
  const name = vscode.workspace.asRelativePath(file);
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === file.toString() && !one.isClosed);
  if (open?.isDirty) throw new Error(vscode.l10n.t('{0} has changes that are not saved; save it first.', name));
  const text = await textOf(file);
  const changed = editRuleFile(text ?? '', how);
  if (changed === undefined)
    throw new Error(vscode.l10n.t('{0} cannot be read as a list of rules; mend it first.', name));
  if (changed === text) return;
  if (text === undefined) await makeFoldersSeen(folder, policyFolder);
  await write(file, changed);
}

async function textOf(file: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await vscode.workspace.fs.readFile(file));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
