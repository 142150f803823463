import type { ToolSettings } from '../../../core/ports/toolPorts';

/** The settings `webFetch.*`, with the shipped values where one is missing or of another kind. */
export interface WebFetchSettings {
  readonly firstByteTimeoutsMs: readonly number[];
  readonly bodyTimeoutMs: number;
  readonly maxBytes: number;
  readonly maxLength: number;
  readonly respectRobots: boolean;
  readonly reviewResponse: boolean;
}

export function readWebFetchSettings(settings: ToolSettings): WebFetchSettings {
  const number = (key: string, fallback: number): number => {
    const value = settings.get(`webFetch.${key}`);
    return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : fallback;
  };
  const firstByte = settings.get('webFetch.firstByteTimeoutMs');
  const list = (Array.isArray(firstByte) ? firstByte : [firstByte]).filter(
    (one): one is number => typeof one === 'number' && one > 0,
  );
  return {
    firstByteTimeoutsMs: list.length > 0 ? list : [1_000, 3_000, 9_000],
    bodyTimeoutMs: number('bodyTimeoutMs', 30_000),
    maxBytes: number('maxBytes', 10_485_760),
    maxLength: number('maxLength', 7_000),
    respectRobots: settings.get('webFetch.respectRobots') !== false,
    reviewResponse: settings.get('webFetch.reviewResponse') === true,
  };
}
