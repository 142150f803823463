import { AgentsApi, type AgentsApiOptions } from '../mcp/server/agentsApi';
import type { Core } from './compose';

/** The agents' API over the profiles of a system. */
export function agentsApiOf(
  { tools, gate }: Pick<Core, 'tools' | 'gate'>,
  editor: AgentsApiOptions['editor'],
  asking: Pick<AgentsApiOptions, 'approve' | 'mend'>,
): AgentsApi {
  return new AgentsApi({
    registry: tools.registry,
    profiles: tools.profiles,
    crypto: gate.ports.crypto,
    editor,
    ...asking,
  });
}
