import type { ToolSettings } from '../../../core/ports/toolPorts';

/** The settings `webFetch.*` as they were when a call began. */
export interface WebFetchSettings {
  readonly firstByteTimeoutsMs: readonly number[];
  readonly bodyTimeoutMs: number;
  readonly maxBytes: number;
  readonly maxLength: number;
  readonly respectRobots: boolean;
  readonly reviewResponse: boolean;
}

export function readWebFetchSettings(settings: ToolSettings): WebFetchSettings {
  return {
    firstByteTimeoutsMs: settings.get('webFetch.firstByteTimeoutMs'),
    bodyTimeoutMs: settings.get('webFetch.bodyTimeoutMs'),
    maxBytes: settings.get('webFetch.maxBytes'),
    maxLength: settings.get('webFetch.maxLength'),
    respectRobots: settings.get('webFetch.respectRobots'),
    reviewResponse: settings.get('webFetch.reviewResponse'),
  };
}
