import * as vscode from 'vscode';
import { isObject } from '../../core/base/json';

/** The language that the editor's extensions declare for files of a name; plain text where none does. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  let best = { id: 'plaintext', length: 0 };
  for (const { packageJSON } of vscode.extensions.all) {
    for (const { id, endings } of declaredLanguages(packageJSON)) {
      for (const ending of endings)
        if (ending.length > best.length && name.endsWith(ending)) best = { id, length: ending.length };
    }
  }
  return best.id;
}

function declaredLanguages(manifest: unknown): readonly { readonly id: string; readonly endings: readonly string[] }[] {
  const contributes = isObject(manifest) ? manifest['contributes'] : undefined;
  const languages = isObject(contributes) ? contributes['languages'] : undefined;
  if (!Array.isArray(languages)) return [];
  return languages.flatMap((one: unknown) => {
    if (!isObject(one) || typeof one['id'] !== 'string') return [];
    const endings = [one['extensions'], one['filenames']].flatMap((list: unknown) => (Array.isArray(list) ? list : []));
    return [
      { id: one['id'], endings: endings.filter((text) => typeof text === 'string').map((text) => text.toLowerCase()) },
    ];
  });
}
