import { timeFacts } from './timeFormats';
import { loadTemporal } from './temporal';
import { resolveZone } from './zones';
import { noAccesses, type ToolHandler } from '../../core/capability/tool';
import type { GetCurrentTimeInput } from './inputs';

export const getCurrentTime: ToolHandler<GetCurrentTimeInput> = {
  accesses: noAccesses,
  async run(input, { ports }) {
    const zone = resolveZone(input.timezone, ports.clock.timeZone());
    const Temporal = await loadTemporal();
    const now = Temporal.Instant.fromEpochMilliseconds(Math.trunc(ports.clock.now())).toZonedDateTimeISO(zone);
    return { payload: timeFacts(now, input.format) };
  },
};
