import type { Disposable } from '../../core/base/lifecycle';
import type { Sandbox } from '../../core/ports/sandbox';

/** Runs programs in threads of their own, which are loaded with the first one. */
export function createSandbox(script: string): Sandbox & Disposable {
  let made: (Sandbox & Disposable) | undefined;
  let disposed = false;
  return {
    async run(...args) {
      const { createThreads } = await import('./threads');
      if (disposed) throw new Error('the sandbox is closed');
      made ??= createThreads(script);
      return made.run(...args);
    },
    dispose() {
      disposed = true;
      made?.dispose();
    },
  };
}
