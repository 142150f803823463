import type { ApprovalDesk } from '../core/gate/types';

/** Answers for a person on the command line: with `--yes` every confirmation, except one that needs the admin token; without it none. */
export function commandLineDesk(yes: boolean): ApprovalDesk {
  return {
    covering: () => undefined,
    async ask(request) {
      if (yes && !request.needsAdmin) return { outcome: 'allowed', by: 'command-line', waitedMs: 0 };
      const why = request.needsAdmin
        ? 'the admin token can be entered in the editor only'
        : 'nobody can be asked on the command line; `--yes` allows it';
      return { outcome: 'denied', by: 'unavailable', why, waitedMs: 0 };
    },
  };
}
