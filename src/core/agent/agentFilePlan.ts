import type { SettingValues } from '../settings/settingTable';

/** Where the agent of a window is written. */
type AgentFilePlan =
  | { readonly place: 'none' }
  /** Among the user's own agents, which every workspace and other programs read: only what the user's own parts say. */
  | { readonly place: 'user'; readonly parts: 'own' }
  /** Into the workspace: to stay, where the user wants it there, else for as long as the window is open. */
  | { readonly place: 'workspace'; readonly term: 'lasting' | 'window'; readonly parts: 'effective' };

export interface AgentFileSituation {
  /** The setting `customAgent.location`. */
  readonly location: SettingValues['customAgent.location'];
  readonly isTrusted: boolean;
  readonly hasFolder: boolean;
  /** The file as the user's own parts make it; undefined where the active profile is not the user's own. */
  readonly own: string | undefined;
  /** The file as it is with everything that the workspace brings. */
  readonly effective: string;
}

/**
 * Decides where the agent goes. The user-wide file is made of the user's own parts alone: what differs from them by a
 * single character because of the workspace goes into the workspace, and in one that is not trusted nowhere.
 */
export function planAgentFile({ location, isTrusted, hasFolder, own, effective }: AgentFileSituation): AgentFilePlan {
  const userWide: AgentFilePlan = own === undefined ? { place: 'none' } : { place: 'user', parts: 'own' };
  switch (location) {
    case 'user':
      if (own === effective || !isTrusted || !hasFolder) return userWide;
      return { place: 'workspace', term: 'window', parts: 'effective' };
    case 'workspace':
      return hasFolder && isTrusted ? { place: 'workspace', term: 'lasting', parts: 'effective' } : { place: 'none' };
    case 'off':
      return { place: 'none' };
  }
}
