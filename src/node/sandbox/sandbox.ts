import { lateRunner } from '../processes/lateRunner';
import type { Disposable } from '../../core/base/lifecycle';
import type { Sandbox } from '../../core/ports/sandbox';

/** Runs programs in threads of their own, which are loaded with the first one. */
export function createSandbox(script: string): Sandbox & Disposable {
  return lateRunner('the sandbox is closed', async () => {
    const { createThreads } = await import('./threads');
    return () => createThreads(script);
  });
}
