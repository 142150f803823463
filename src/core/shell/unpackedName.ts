const endings: readonly (readonly [RegExp, string])[] = [
  [/\.(?:t[abgx]z2?|tlz|tzst|taz)$/i, '.tar'],
  [/[._-](?:gz|z|bz2?|xz|lzma|lz|zst|lz4)$/i, ''],
];

/** The name that a packed file has once it is unpacked; undefined where its ending says nothing. */
export function unpackedName(path: string): string | undefined {
  for (const [ending, instead] of endings) if (ending.test(path)) return path.replace(ending, instead);
  return undefined;
}
