import type { PathKeys } from './pathKey';
import { broadPathTest, narrowPathTest } from './pathRule';
import { anywhere, freePaths, secretPaths } from './presetPaths';

export type PathTest = (keys: PathKeys) => boolean;

const tests = new WeakMap<readonly string[], PathTest>();

/** The test of a list that never changes, which is compiled with its first question, once for all who ask. */
export const listTest =
  (patterns: readonly string[], compile: (patterns: readonly string[]) => PathTest = broadPathTest): PathTest =>
  (keys) => {
    const test = tests.get(patterns) ?? compile(patterns);
    tests.set(patterns, test);
    return test(keys);
  };

export const secretFiles = anywhere(secretPaths.flatMap(({ paths }) => paths));

const isNamed = listTest(secretFiles);
const isFree = listTest(anywhere(freePaths), narrowPathTest);

/** True for the files that the built-in rules about secrets name, whichever preset is chosen. */
export const isSecretFile: PathTest = (keys) => isNamed(keys) && !isFree(keys);
