import type { SettingValues } from '../settings/settingTable';
import type { AgentFileTerm } from './agentFile';

/** Where the agent of a window is written. */
interface AgentFilePlan {
  /** Among the user's own agents, which every workspace and other programs read: only what the user's own parts say. */
  readonly user: boolean;
  /** Into the workspace, with everything that it brings. */
  readonly workspace: AgentFileTerm | undefined;
}

export interface AgentFileSituation {
  /** The setting `customAgent.location`. */
  readonly location: SettingValues['customAgent.location'];
  readonly isTrusted: boolean;
  readonly hasFolder: boolean;
  /** True where the workspace changes a single character of the agent. */
  readonly isWorkspacePart: boolean;
  /** True where this window wrote the agent into the workspace before: the chat may have it chosen. */
  readonly wasWritten: boolean;
}

/**
 * Decides where the agent goes. The user-wide file is made of the user's own parts alone, and it stays, whichever
 * profile is active: a chat that chose it would fall back to the editor's own agent without it. What the workspace
 * brings goes into the workspace, and in one that is not trusted nowhere.
 */
export function planAgentFile(situation: AgentFileSituation): AgentFilePlan {
  const { location, isWorkspacePart, wasWritten } = situation;
  const canWrite = situation.isTrusted && situation.hasFolder;
  switch (location) {
    case 'user':
      return { user: true, workspace: canWrite && (isWorkspacePart || wasWritten) ? 'passing' : undefined };
    case 'workspace':
      return { user: false, workspace: canWrite ? 'lasting' : undefined };
    case 'off':
      return { user: false, workspace: undefined };
  }
}
