import * as vscode from 'vscode';
import { nodeCrypto } from '../node/system';
import { type LazyChanges, registerChanges } from '../vscode/changes/register';
import type { EditorParts } from './editorParts';
import { shownTitle } from '../core/present/words';

/** The view "Changes by Agents" with its commands; undefined where changes are not kept. */
export function editorChanges({
  base,
  core,
  outside,
}: Pick<EditorParts, 'base' | 'core' | 'outside'>): LazyChanges | undefined {
  const { asked, commands, keys, log, recent, storage } = base;
  const { changes, ports, router } = core.gate;
  const { registry, profiles } = core.tools;
  if (!changes) return undefined;
  return registerChanges(
    commands,
    {
      changes: changes.port,
      onDidChange: changes.onDidChange,
      files: ports.files,
      crypto: nodeCrypto,
      router,
      storage,
      keys,
      profileName: (id) => profiles.nameOf(id, vscode.l10n.t),
      toolTitle: (id) => {
        const tool = registry.tool(id);
        return tool ? shownTitle(tool.definition) : id;
      },
      pastCall: (call) => recent.find(call),
      decorates: () => core.settings().get('changes.decorations'),
      onDidChangeSettings: core.onDidChangeSettings,
      onProblem: (message) => log.error(message),
    },
    (token) => asked.undoneBy(token),
    (own) => outside.guard(own),
  );
}
