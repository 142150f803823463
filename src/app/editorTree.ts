import * as vscode from 'vscode';
import { DisposableStore } from '../core/base/lifecycle';
import { systemClock } from '../node/system';
import { governanceInTree } from '../vscode/governance/register';
import { ProtectionInTree } from '../vscode/protection/register';
import { allRows, serversInTree } from '../vscode/servers/serversInTree';
import { ExtensionTools } from '../vscode/tools/extensionTools';
import { CapabilitySwitch } from '../vscode/tree/capabilitySwitch';
import { CapabilityView } from '../vscode/tree/capabilityView';
import { channelsInTree, pollWhileSeen } from '../vscode/tree/channelsInTree';
import { LeftOut } from '../vscode/tree/leftOut';
import { NoModel } from '../vscode/tree/noModel';
import type { EditorParts, EditorTree } from './editorParts';

export function editorTree({ base, core, editor }: Pick<EditorParts, 'base' | 'core' | 'editor'>): EditorTree {
  const { context, keys, recent, log } = base;
  const store = new DisposableStore();
  const { registry, profiles, discovery } = core.tools;
  const { onDidChange, onDidChangeSettings, problems, settings } = core;
  const { engine: policy, grants, plans, queue } = core.policy;
  const extensionTools = store.add(
    new ExtensionTools({
      registry,
      ownId: context.extension.id,
      log,
      files: core.gate.ports.files,
      judgements: () => settings().get('extensionTools'),
      onDidChangeSettings,
    }),
  );
  const protection = store.add(new ProtectionInTree());
  const more = allRows(
    serversInTree({ servers: core.servers.list, registry, profiles }),
    extensionTools,
    channelsInTree(core.definitions.poller),
    governanceInTree({
      policy,
      grants,
      plans,
      queue,
      resolver: core.gate.resolver,
      recent,
      profile: () => profiles.active(),
      settings,
      registry,
      clock: systemClock,
      log,
    }),
    store.add(new LeftOut()),
    protection,
    store.add(new NoModel(systemClock)),
  );
  const capabilitySwitch = new CapabilitySwitch(registry, profiles, editor);
  const view = store.add(
    new CapabilityView({
      registry,
      profiles,
      found: discovery.found,
      problems,
      basePrompt: core.agents.basePrompt,
      onDidChange,
      editor,
      capabilitySwitch,
      keys,
      otherTools: () => otherTools().length,
      more,
      isDeveloper: context.extensionMode !== vscode.ExtensionMode.Production,
    }),
  );
  store.add(pollWhileSeen(core.definitions.poller, view.view));
  return { view, capabilitySwitch, protection, otherTools, dispose: () => store.dispose() };
}

/**
 * Our run-time tools come back to the editor from our own MCP server, by a name that it makes of the server's label.
 */
function otherTools(): readonly vscode.LanguageModelToolInformation[] {
  return vscode.lm.tools.filter(
    ({ name, tags }) => !tags.includes('agent-capabilities') && !/^mcp_agent[-_. ]capab/i.test(name),
  );
}
