import type { Core } from '../app/compose';
import { type AdminChange, AdminToken, withAdminHash } from '../core/policy/approvals/adminToken';
import { fileStore } from '../node/fileStore';
import { environmentSecrets } from '../node/memory';
import { scryptHasher } from '../node/scrypt';
import { systemClock } from '../node/system';
import { type CliArgs, type CliIo, UsageError } from './args';
import { readTokenFile } from './readToken';

/**
 * `admin-token set --state-dir DIR --admin-token-file FILE`: keeps the token's hash in the folder of state. Where one
 * is set, `--current-token-file` proves who changes it. Exit 1 where the current token is wrong.
 */
export async function runAdminToken(args: CliArgs, io: CliIo): Promise<number> {
  const [action, ...rest] = args.words;
  const folder = args.value('state-dir');
  const file = args.value('admin-token-file');
  if (action !== 'set' || rest.length > 0 || folder === undefined || file === undefined)
    throw new UsageError('`admin-token set` needs `--state-dir` and `--admin-token-file`');
  const current = args.value('current-token-file');
  const kept = fileStore(folder, (message) => io.error(message));
  const admin = new AdminToken({
    secrets: withAdminHash(environmentSecrets({}), kept),
    hasher: scryptHasher,
    clock: systemClock,
  });
  const change = await admin.set(
    readTokenFile(file, '--admin-token-file'),
    current === undefined ? undefined : readTokenFile(current, '--current-token-file'),
  );
  if (change.outcome === 'accepted') io.out('the admin token is set');
  else io.error(refusal(change));
  return change.outcome === 'accepted' ? 0 : 1;
}

/**
 * Unlocks admin approvals for as long as the command runs; a token that is not the one that was set is a usage error.
 */
export async function unlockAdmin({ policy: { admin } }: Core, args: CliArgs): Promise<void> {
  const file = args.value('admin-token-file');
  if (file === undefined) return;
  if (args.value('state-dir') === undefined)
    throw new UsageError('`--admin-token-file` needs `--state-dir`, where `admin-token set` has set the token');
  const answer = await admin.unlock(readTokenFile(file, '--admin-token-file'), Number.POSITIVE_INFINITY);
  if (answer.outcome !== 'accepted') throw new UsageError(refusal(answer));
}

function refusal(change: Exclude<AdminChange, { outcome: 'accepted' }>): string {
  switch (change.outcome) {
    case 'wrong':
      return 'the admin token is not the one that is set; `--current-token-file` must hold that where it is changed';
    case 'not-set':
      return 'no admin token is set in this folder of state; `admin-token set` sets one';
    case 'locked':
      return `the admin token was wrong too often; try again in ${Math.ceil(change.retryAfterMs / 1000)} s`;
    case 'too-short':
      return `the admin token needs at least ${change.shortest} characters`;
  }
}
