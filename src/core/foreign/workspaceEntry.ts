import { refusedVariables } from '../policy/rules/codeLoadingVariables';
import { holdsSecret, referencesOf, transportTexts } from './references';
import type { McpTransportSpec } from './transportSpec';

/** Why an entry of the workspace cannot act, whoever would approve it. */
export interface EntryFault {
  readonly code: 'code_loading_variable' | 'unknown_reference' | 'secret_program';
  readonly message: string;
}

/**
 * What no entry that comes with a repository may say: variables that make an approved program run other code, places
 * that nobody fills in, and a program or folder that is named by something secret, so that it could not be shown.
 */
export function workspaceFaults(transport: McpTransportSpec): readonly EntryFault[] {
  const faults: EntryFault[] = [];
  for (const { whole, type } of transportTexts(transport).flatMap(referencesOf))
    if (type === 'unknown')
      faults.push({
        code: 'unknown_reference',
        message: `\`${whole}\` is filled in by nobody; write \`\${secret:NAME}\` for what is secret, \`\${workspaceFolder}\` for the folder`,
      });
  if (transport.type !== 'stdio') return faults;
  for (const { name, reason } of refusedVariables(transport.env))
    faults.push({
      code: 'code_loading_variable',
      message: `\`/env/${name}\` ${reason}, so no workspace may set it; take it out, or write the server into your user settings`,
    });
  for (const [key, text] of [['command', transport.command] as const, ['cwd', transport.cwd ?? ''] as const])
    if (holdsSecret(text))
      faults.push({
        code: 'secret_program',
        message: `\`/${key}\` must not hold \`\${secret:…}\` or \`\${env:…}\`, because what is started is shown before; write it out`,
      });
  return faults;
}
