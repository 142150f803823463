import { errnoOf } from '../errors/errno';

/**
 * Tells whether a process of this machine runs. A number that was given again to another process counts as running: the
 * safe side.
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, as somebody else.
    return errnoOf(error) !== 'ESRCH';
  }
}
