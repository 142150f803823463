import type { Event } from '../base/event';
import type { FoundTools } from '../registry/foundTools';
import type { ToolRouter } from './router';
import type { Problem } from '../base/problem';
import type { ProfileStore } from '../profiles/profileStore';
import type { CapabilityRegistry } from '../registry/registry';
import type { RuntimeAgent } from '../profiles/runtimeAgent';
import type { Settings } from '../settings/settings';

/** The running system as surfaces see it; made by the composition root. */
export interface AgentSystem {
  readonly registry: CapabilityRegistry;
  readonly profiles: ProfileStore;
  readonly router: ToolRouter;
  /** The tools that searches found, for profiles that offer search instead of all. */
  readonly found: FoundTools;
  settings(): Settings;
  runtimeAgent(profileId?: string): RuntimeAgent;
  /**
   * The base prompt of the active profile, read from its file where it stands in one; empty while it is not read yet.
   */
  basePrompt(): string;
  problems(): readonly Problem[];
  /** Fires when settings, profiles or the registry changed: everything shown has to be read again. */
  readonly onDidChange: Event<void>;
}
