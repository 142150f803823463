import { say, type Sentence } from '../base/sentence';
import { refusedVariables } from '../policy/rules/codeLoadingVariables';
import { holdsSecret, referencesOf, transportTexts } from './references';
import type { McpTransportSpec } from './transportSpec';

/** Why an entry of the workspace cannot act, whoever would approve it. */
interface EntryFault {
  readonly code: 'code_loading_variable' | 'unknown_reference' | 'secret_program';
  readonly said: Sentence;
}

/**
 * What no entry that comes with a repository may say: variables that make an approved program run other code, places
 * that nobody fills in, and a program or folder that is named by something secret, so that it could not be shown.
 */
export function workspaceFaults(transport: McpTransportSpec): readonly EntryFault[] {
  const faults: EntryFault[] = [];
  const add = (code: EntryFault['code'], said: Sentence): void => void faults.push({ code, said });
  for (const { whole, type } of transportTexts(transport).flatMap(referencesOf))
    if (type === 'unknown') add('unknown_reference', say('reference_unknown_in_workspace', whole));
  if (transport.type !== 'stdio') return faults;
  for (const { name, reason } of refusedVariables(transport.env))
    add('code_loading_variable', say('variable_not_set_here', name, reason));
  for (const key of ['command', 'cwd'] as const)
    if (holdsSecret(transport[key] ?? '')) add('secret_program', say('secret_in_program', key));
  return faults;
}
