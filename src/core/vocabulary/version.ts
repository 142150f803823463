/** The expression of semver.org: three numbers without leading zeros, what comes before that release, and a build. */
const version =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/;
/** The package that compares versions reads no longer ones. */
const longest = 256;

/** True for a semantic version as it is written, without the `v` or the blanks that some tools put up with. */
export const isVersion = (text: string): boolean => text.length <= longest && version.test(text);
