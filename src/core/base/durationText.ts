const units: readonly [RegExp, number][] = [
  [/^ms$/, 1],
  [/^(?:s|sec|seconds?)$/, 1000],
  [/^(?:m|min|minutes?)$/, 60_000],
  [/^(?:h|hours?)$/, 3_600_000],
  [/^(?:d|days?)$/, 86_400_000],
  [/^(?:w|weeks?)$/, 604_800_000],
];

/**
 * Reads a length of time as files and settings write it, in milliseconds: `1h`, `30s`, `500ms`, or a bare number, which
 * means what its field says. Undefined for anything else. Lengths of a calendar, such as months, and those that people
 * speak of are read in `capabilities/currentTime`.
 */
export function readDuration(value: unknown, bareNumber: 'seconds' | 'milliseconds'): number | undefined {
  const [, number, unit = ''] =
    typeof value === 'string' ? (/^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/.exec(value) ?? []) : [];
  const ms =
    typeof value === 'number'
      ? value * (bareNumber === 'seconds' ? 1000 : 1)
      : Number(number) * (units.find(([pattern]) => pattern.test(unit))?.[1] ?? Number.NaN);
  return ms > 0 && Number.isFinite(ms) ? ms : undefined;
}
