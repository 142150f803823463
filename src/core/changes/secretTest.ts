import { pathKeys } from '../policy/rules/pathKey';
import { broadPathTest, narrowPathTest } from '../policy/rules/pathRule';
import { freePaths, secretPaths } from '../policy/rules/presetPaths';

const anywhere = (paths: readonly string[]): readonly string[] => paths.map((path) => `**/${path}`);

/**
 * The files that the built-in rules about secrets name, whichever preset is chosen. Compiled with the first question.
 */
export function secretTest(): (label: string) => boolean {
  let made: ((label: string) => boolean) | undefined;
  return (label) => (made ??= compiled())(label);
}

function compiled(): (label: string) => boolean {
  const isNamed = broadPathTest(anywhere(secretPaths.flatMap(({ paths }) => paths)));
  const isFree = narrowPathTest(anywhere(freePaths));
  return (label) => {
    const keys = pathKeys(label);
    return isNamed(keys) && !isFree(keys);
  };
}
