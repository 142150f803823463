import { say } from '../core/base/sentence';
import type { CallApprover } from '../core/call/gateCall';
import { nobody, type ServerUser } from '../core/foreign/serverUser';

/**
 * Answers for a person on the command line: with `--yes` every confirmation, except one that needs the admin token;
 * without it none.
 */
export function commandLineApprover(yes: boolean): CallApprover {
  return {
    covering: () => undefined,
    async ask(request) {
      if (yes && !request.needsAdmin) return { outcome: 'allowed', by: 'command-line', waitedMs: 0 };
      const why = say(request.needsAdmin ? 'admin_token_elsewhere' : 'nobody_on_command_line');
      return { outcome: 'denied', by: 'unavailable', why, waitedMs: 0 };
    },
  };
}

/**
 * What MCP servers are answered on the command line: `--yes` starts them and approves their tools, but takes nobody's
 * word for reading only.
 */
export function commandLineUser(yes: boolean): ServerUser {
  return yes
    ? { ...nobody, approveServer: async () => true, approveTools: async ({ diff }) => (diff ? 'refuse' : 'approve') }
    : nobody;
}
