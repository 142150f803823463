import { say } from '../core/base/sentence';
import type { CallApprover } from '../core/call/gateCall';
import { nobody, type ServerUser } from '../core/foreign/serverUser';

/**
 * Answers for a person on the command line: with `--yes` every confirmation, without it none. What needs the admin
 * token is allowed only where the command was started with the right one.
 */
export function commandLineApprover(yes: boolean, isAdmin: () => boolean): CallApprover {
  return {
    covering: () => undefined,
    async ask(request) {
      const isBarred = request.needsAdmin && !isAdmin();
      if (yes && !isBarred) return { outcome: 'allowed', by: 'command-line', waitedMs: 0 };
      const why = say(isBarred ? 'admin_token_missing' : 'nobody_on_command_line');
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
