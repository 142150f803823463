import * as vscode from 'vscode';
import { isObject } from '../../core/base/json';
import type { Disposable } from '../../core/base/lifecycle';
import { editorSwitches } from '../../core/protection/agents';
import type { SwitchedOff } from '../../core/protection/switchOffs';

/** The settings in force in this window, of whoever, that keep its agent mode from asking the user's hooks. */
export function hooksSwitchedOff(): readonly SwitchedOff[] {
  const settings = vscode.workspace.getConfiguration();
  return editorSwitches.flatMap(([name = '', ...below]) => {
    const value = below.reduce<unknown>((found, key) => (isObject(found) ? found[key] : undefined), settings.get(name));
    return value === false ? [{ path: 'settings.json', key: [name, ...below].join('.'), of: 'user' }] : [];
  });
}

/** Tells when one of them may have changed. */
export const onHookSettings = (changed: () => void): Disposable =>
  vscode.workspace.onDidChangeConfiguration((event) => {
    if (editorSwitches.some(([name = '']) => event.affectsConfiguration(name))) changed();
  });
