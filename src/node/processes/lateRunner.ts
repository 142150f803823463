import type { Disposable } from '../../core/base/lifecycle';

interface Runner<Arguments extends readonly unknown[], Result> extends Disposable {
  run(...args: Arguments): Promise<Result>;
}

/**
 * What is loaded with its first run; once it is disposed nothing is made any more.
 * @param closed says so to whoever runs it then.
 */
export function lateRunner<Arguments extends readonly unknown[], Result>(
  closed: string,
  load: () => Promise<() => Runner<Arguments, Result>>,
): Runner<Arguments, Result> {
  let made: Runner<Arguments, Result> | undefined;
  let isDisposed = false;
  return {
    async run(...args) {
      const make = await load();
      if (isDisposed) throw new Error(closed);
      made ??= make();
      return made.run(...args);
    },
    dispose() {
      isDisposed = true;
      made?.dispose();
    },
  };
}
