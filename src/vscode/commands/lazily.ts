/**
 * Makes a function whose code is loaded with its first call: most commands are never used in a session, and the start
 * would wait for all.
 */
export function lazily<Arguments extends readonly unknown[], Result>(
  load: () => Promise<(...args: Arguments) => Promise<Result> | Result>,
): (...args: Arguments) => Promise<Result> {
  return async (...args) => {
    const run = await load();
    return run(...args);
  };
}
