import type * as vscode from 'vscode';
import type { PromptFiles } from '../../core/agent/promptFiles';
import type { ToolRouter } from '../../core/gate/router';
import type { ProfileStore } from '../../core/profiles/profileStore';
import type { CapabilityRegistry } from '../../core/registry/registry';
import type { ApprovalQueue } from '../../core/policy/approvals/approvals';
import type { ProfileEditor } from '../../core/profiles/profileEditor';
import type { AgentFileWriter } from '../agent/agentFileWriter';
import type { CapabilityView } from '../tree/capabilityView';
import type { CapabilitySwitch } from '../tree/capabilitySwitch';
import type { OutsideCalls } from '../confirm/outsideCalls';
import type { RuntimeAgentPanel } from '../agent/runtimeAgentPanel';
import type { ReadOnlyText } from '../files/readOnlyText';
import type { TextQuestions } from '../confirm/textQuestions';

/** What the commands work with, all of them together. */
export interface CommandContext {
  readonly registry: CapabilityRegistry;
  readonly profiles: ProfileStore;
  readonly router: ToolRouter;
  readonly prompts: PromptFiles;
  readonly editor: ProfileEditor;
  readonly view: CapabilityView;
  readonly capabilitySwitch: CapabilitySwitch;
  readonly texts: ReadOnlyText;
  /** Asks before something is granted. */
  readonly textQuestions: TextQuestions;
  /** Asks before an argument of somebody else takes effect. */
  readonly outside: OutsideCalls;
  /** The confirmations that wait. */
  readonly queue: ApprovalQueue | undefined;
  readonly agentFile: AgentFileWriter;
  readonly runtimeAgentPanel: Pick<RuntimeAgentPanel, 'show'>;
  readonly auditChannel: vscode.LogOutputChannel;
}

/** One command, which names what of a context it needs: gets what the editor passes, or nothing from the palette. */
export type ContextCommand<Context, Needs extends keyof Context> = (
  context: Pick<Context, Needs>,
  ...args: readonly unknown[]
) => Promise<unknown> | unknown;

export type CommandHandler<Needs extends keyof CommandContext> = ContextCommand<CommandContext, Needs>;
