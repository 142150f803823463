import type { Disposable } from '../core/base/lifecycle';
import { addCapabilityCommands } from '../vscode/commands/index';
import type { CommandContext } from '../vscode/commands/context';
import type { EditorParts } from './editorParts';

type CapabilityParts = Pick<EditorParts, 'agentFile' | 'base' | 'core' | 'editor' | 'outside' | 'tree'> &
  Pick<CommandContext, 'auditChannel' | 'runtimeAgentPanel'>;

/** The commands about capabilities and profiles. */
export function editorCapabilities({ base, core, tree, ...parts }: CapabilityParts): Disposable {
  const { commands, texts, textQuestions } = base;
  const { registry, profiles } = core.tools;
  return addCapabilityCommands(commands, {
    registry,
    profiles,
    router: core.gate.router,
    prompts: core.agents.prompts,
    queue: core.policy.queue,
    view: tree.view,
    capabilitySwitch: tree.capabilitySwitch,
    texts,
    textQuestions,
    ...parts,
  });
}
