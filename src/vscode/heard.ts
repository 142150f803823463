import type { Disposable } from '../core/base/lifecycle';

/** True once something is so, which is looked at whenever an event tells; false where it is not within the time. */
export function heard(
  event: (listener: () => void) => Disposable,
  withinMs: number,
  isSo: () => boolean = () => true,
): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (answer: boolean): void => {
      clearTimeout(timer);
      subscription.dispose();
      resolve(answer);
    };
    const timer = setTimeout(() => done(false), withinMs);
    const subscription = event(() => isSo() && done(true));
  });
}
