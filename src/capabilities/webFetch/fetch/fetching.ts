import type { ToolContext } from '../../../core/capability/tool';
import type { ToolSettings } from '../../../core/ports/toolPorts';

/** The settings `webFetch.*` as they were when a call began. */
export type WebFetchSettings = Readonly<ReturnType<typeof readWebFetchSettings>>;

export const readWebFetchSettings = (settings: ToolSettings) => ({
  firstByteTimeoutsMs: settings.get('webFetch.firstByteTimeoutMs'),
  bodyTimeoutMs: settings.get('webFetch.bodyTimeoutMs'),
  maxBytes: settings.get('webFetch.maxBytes'),
  maxLength: settings.get('webFetch.maxLength'),
  respectRobots: settings.get('webFetch.respectRobots'),
  reviewResponse: settings.get('webFetch.reviewResponse'),
});

/** What one page is fetched with, from its host's robots.txt to the end of its body. */
export interface Fetching {
  readonly settings: WebFetchSettings;
  readonly context: ToolContext;
  /**
   * Milliseconds until the one deadline for all of it, over all attempts and hops: at least one, so that a request that
   * comes too late is made and ends at once.
   */
  readonly remaining: () => number;
}

/** The time of a page begins now. */
export function beginFetching(settings: WebFetchSettings, context: ToolContext): Fetching {
  const { clock } = context.ports;
  const most = settings.firstByteTimeoutsMs.reduce((sum, ms) => sum + ms, 0) + settings.bodyTimeoutMs;
  const end = clock.monotonic() + most;
  return { settings, context, remaining: () => Math.max(1, end - clock.monotonic()) };
}
