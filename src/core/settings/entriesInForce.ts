import { isObject } from '../base/json';
import { problem, type Problem } from '../base/problem';
import { say } from '../base/sentence';
import type { Settings, SettingScope } from './settings';

/**
 * What each scope says of a setting that is a table of entries. A managed value, also one that is empty or cannot be
 * read, replaces those of the user and of the workspace; which of their entries are off for it is told.
 */
export function entriesInForce(
  { layers }: Pick<Settings, 'layers'>,
  key: 'channels' | 'mcp.servers',
  problems: Problem[],
): Readonly<Record<SettingScope, unknown>> {
  const [managed, user, workspace] = [layers.managed[key], layers.user[key], layers.workspace[key]];
  if (managed === undefined) return { managed, user, workspace };
  const off = [user, workspace].flatMap((one) => (isObject(one) ? Object.keys(one) : []));
  if (off.length > 0)
    problems.push(
      problem({ severity: 'warning', said: say('managed_alone', `agentCapabilities.${key}`, off), subject: key }),
    );
  return { managed, user: undefined, workspace: undefined };
}
