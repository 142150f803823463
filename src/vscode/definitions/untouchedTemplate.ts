import * as vscode from 'vscode';
import type { DefinitionApproval } from '../../core/definitions/approval';
import { definitionTemplates } from '../../core/definitions/templates';
import { definitionUri } from './definitionPlaces';
import { fileTextIfAny } from '../files/fileText';

/**
 * True where the file, and all that the template puts beside it, still stand as *New Capability Definition…* made them.
 */
export async function isUntouchedTemplate({ file, capabilityId }: DefinitionApproval): Promise<boolean> {
  const uri = definitionUri(file);
  if (!uri) return false;
  const text = await fileTextIfAny(uri);
  const template = definitionTemplates.find((one) => one.text(capabilityId) === text);
  if (!template) return false;
  const home = vscode.Uri.joinPath(uri, '..');
  for (const [path, made] of Object.entries(template.files?.(capabilityId) ?? {}))
    if ((await fileTextIfAny(vscode.Uri.joinPath(home, ...path.split('/')))) !== made) return false;
  return true;
}
