import { type HostAgent, hostAgents } from '../hooks/hostEvent';
import { hostToolRow, type HostToolRow, knownHostTools } from '../hooks/hostToolTable';
import type { Act, RuleFormat } from './statement';

/**
 * The tools of an agent that are known here, for each act that its rules can be about.
 * @param named the tool of each act that its rules name; it comes first, and those that its rules reach by it follow.
 */
export function toolsOfActs(agent: HostAgent, named: Readonly<Partial<Record<Act, string>>>): RuleFormat['tools'] {
  const known = knownHostTools(agent);
  return Object.fromEntries(
    Object.entries(named).map(([act, first]) => [
      act,
      [first, ...known.filter((name) => name !== first && actOf(hostToolRow(agent, name)) === act)],
    ]),
  );
}

/** A glob for every known tool that is given a command line, or text for a program that runs. */
export const lineTools = `host:*:{${[
  ...new Set(
    hostAgents.flatMap((agent) =>
      knownHostTools(agent).filter((name) => /^(?:shell|type)$/.test(hostToolRow(agent, name)?.does ?? '')),
    ),
  ),
].join()}}`;

function actOf(row: HostToolRow | undefined): Act | undefined {
  switch (row?.does) {
    case 'search':
      return 'read';
    case 'patch':
      return 'write';
    case 'fetch':
      return 'fetch';
    case 'shell':
      // What is said of a shell says nothing of the other one.
      return row.language === 'powershell' ? undefined : 'run';
    case 'files':
      if (row.effects.includes('fs.write')) return 'write';
      return row.effects.includes('fs.delete') ? undefined : 'read';
    default:
      return undefined;
  }
}
