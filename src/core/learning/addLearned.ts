import { say } from '../base/sentence';
import type { Grant } from '../policy/grants/grant';
import type { GrantStore } from '../policy/grants/grants';
import type { RegisteredTool } from '../registry/registry';
import { permissionReasons, type Reason } from '../vocabulary/decision';
import type { Suggestion } from './suggest';

/** Makes the grant of a suggestion, for a tool as it is now. */
export function addLearned(
  grants: GrantStore,
  tool: RegisteredTool,
  { actor, pattern, sample, reasons }: Suggestion,
  scope: 'session' | 'workspace',
): Grant {
  const call = { tool, actor: { type: actor, id: 'learned' }, input: undefined };
  return grants.add({ scope, cover: 'pattern', pattern }, call, sample, reasons.map(reasonOf));
}

/** A reason that has this key. */
function reasonOf(key: string): Reason {
  const code = Object.values(permissionReasons).find((one) => one === key);
  return code ? { said: say(code) } : { said: say('as_it_is', key), rule: key };
}
