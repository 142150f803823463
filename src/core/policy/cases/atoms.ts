import { pathAlternatives } from '../../base/pathGlob';
import type { Json } from '../../base/json';
import { type Access, familyOf, knownSideEffects } from '../../vocabulary/access';
import { type ArgumentMatcher, type Boundary, listed } from '../../vocabulary/boundary';

/** What calls can be made of: everything that rules name, something near it, and something that none names. */
interface Atoms {
  /** Ids of tools; undefined stands for a question about a capability alone. */
  readonly tools: readonly (string | undefined)[];
  readonly capabilities: readonly string[];
  readonly inputs: readonly Json[];
  readonly accesses: readonly Access[];
  readonly sideEffects: readonly (readonly string[])[];
  readonly requires: readonly Json[];
}

/** Patterns that are put together two by two, at most. */
const mostPairs = 24;
const mostAlternatives = 8;
/** More patterns than people write: of each of these, as in the presets' tables, one path has to do. */
const manyPatterns = 60;

const unique = <T>(values: Iterable<T>): readonly T[] => [...new Set(values)];

/** A text that a glob without braces probably matches. */
function sampleOf(glob: string, star: string): string {
  return glob
    .replaceAll(/\[!?(.)[^\]]*\]/g, '$1')
    .replaceAll('**', star === '' ? 'q' : star)
    .replaceAll('*', star)
    .replaceAll('?', 'q');
}

/** Words that a glob over one word matches, with what other globs leave open in its stars. */
function wordSamples(globs: readonly string[], neutral: string): readonly string[] {
  const some = unique(globs).slice(0, mostPairs);
  const plain = some.map((glob) => sampleOf(glob, ''));
  return unique([
    ...globs.flatMap((glob) => [sampleOf(glob, ''), sampleOf(glob, 'q')]),
    ...some.flatMap((glob) =>
      glob.includes('*')
        ? plain.flatMap((word) => [glob.replace('*', word).replaceAll('*', ''), glob.replaceAll('*', word)])
        : [],
    ),
    neutral,
  ]);
}

/** Paths of each pattern, and paths that two patterns share: the folder of one with the rest of the other. */
function pathSamples(patterns: readonly string[]): readonly string[] {
  const alternatives = unique(
    patterns.flatMap((pattern, at) => readable(pattern).slice(0, at < manyPatterns ? mostAlternatives : 1)),
  );
  const plain = (glob: string, at: number): readonly string[] => {
    const rest = glob.replace(/^(?:\*\*\/)+/, '');
    if (at >= manyPatterns) return [sampleOf(rest, 'q')];
    return [sampleOf(rest, 'q'), sampleOf(rest, ''), sampleOf(glob.replaceAll('**', 'q/r'), 'q')];
  };
  const folders = unique(
    alternatives.map((glob) => {
      const parts = glob.split('/');
      const open = parts.findIndex((part) => /[*?[]/.test(part));
      return parts.slice(0, open < 0 ? -1 : open).join('/');
    }),
  ).filter((folder) => folder !== '');
  const some = alternatives.slice(0, mostPairs);
  return unique(
    [
      ...alternatives.flatMap(plain),
      ...folders
        .slice(0, mostPairs)
        .flatMap((folder) =>
          some.flatMap((glob) => [
            `${folder}/${sampleOf(glob.replace(/^(?:\*\*\/)+/, ''), 'q')}`,
            `${folder}/${sampleOf(glob.split('/').at(-1) ?? '', 'q')}`,
          ]),
        ),
      'q/other.q',
      'other.q',
    ].map((path) => path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '')),
  ).filter((path) => path !== '');
}

/** The alternatives of a pattern; none where it cannot be read. */
function readable(pattern: string): readonly string[] {
  try {
    return pathAlternatives(pattern);
  } catch {
    return [];
  }
}

/** A host without the length of its network. */
const hostSample = (host: string): string => host.replace(/\/\d+$/, '');

/** Everything of which calls can be made that rules tell apart. */
export function atomsOf(rules: readonly Boundary[]): Atoms {
  // What people wrote comes before the tables of the presets, where not everything can be put together.
  const ordered = [...rules].sort((a, b) => Number(a.scope === 'builtin') - Number(b.scope === 'builtin'));
  const matches = ordered.map(({ match }) => match);
  const exceptions = rules.flatMap((rule) => rule.exceptions);
  const effects = unique(matches.flatMap((match) => [...(match.accessAny ?? []), ...(match.sideEffectsAny ?? [])]));
  const known = effects.flatMap((effect) =>
    effect.endsWith('*') ? knownSideEffects.filter((one) => one.startsWith(effect.slice(0, -1))) : [effect],
  );
  const touched = unique([...known, 'fs.read', 'fs.write', 'network.http', 'system.exec']);
  const paths = pathSamples(matches.flatMap((match) => [...listed(match.path), ...listed(match.pathNot)]));
  const hosts = wordSamples(
    matches.flatMap((match) => [...listed(match.host), ...listed(match.hostNot)]).map(hostSample),
    'other.invalid',
  );
  const more = matches.some(({ privateHost }) => privateHost !== undefined) ? ['127.0.0.1', 'example.com'] : [];
  const commands = wordSamples(
    matches.flatMap((match) => [...listed(match.command)]),
    'other q',
  );
  const flags = (key: 'recursive' | 'permanent'): readonly Partial<Access>[] =>
    matches.some((match) => match[key] !== undefined) ? [{}, { [key]: true }] : [{}];
  const flagged = flags('recursive').flatMap((one) => flags('permanent').map((other) => ({ ...one, ...other })));
  const resourcesOf = (effect: string): readonly string[] =>
    familyOf(effect) === 'fs'
      ? paths
      : familyOf(effect) === 'network'
        ? unique([...hosts, ...more]).map((host) => (effect === 'network.http' ? `https://${host}/` : host))
        : effect === 'system.exec'
          ? commands
          : ['q'];
  return {
    tools: [
      ...wordSamples([...matches.flatMap(({ tool }) => listed(tool)), ...exceptions], 'other_tool'),
      ...(matches.some(({ tool, argument }) => tool === undefined && argument === undefined) ? [undefined] : []),
    ],
    capabilities: wordSamples(
      [...matches.flatMap(({ capability, idRegex }) => [...listed(capability), ...listed(idRegex)]), ...exceptions],
      'other',
    ),
    inputs: inputsOf(matches.flatMap(({ argument }) => (argument === undefined ? [] : [argument]))),
    accesses: touched.flatMap((effect) =>
      resourcesOf(effect).flatMap((resource) => flagged.map((flag): Access => ({ effect, resource, ...flag }))),
    ),
    sideEffects: matches.some(({ sideEffectsAny }) => sideEffectsAny !== undefined)
      ? [[], ...touched.map((effect) => [effect])]
      : [[]],
    requires: [[], ...rules.flatMap(({ account }) => (account === undefined ? [] : [[account]]))],
  };
}

/** Values that a comparison tells apart. */
function valuesOf({ equals, oneOf, glob, regex, minimum, maximum }: ArgumentMatcher): readonly Json[] {
  return [
    ...(equals === undefined ? [] : [equals]),
    ...(oneOf ?? []),
    ...(glob === undefined ? [] : [sampleOf(glob, ''), sampleOf(glob, 'q')]),
    ...(regex === undefined ? [] : [regex]),
    ...(minimum === undefined ? [] : [minimum, minimum - 1]),
    ...(maximum === undefined ? [] : [maximum, maximum + 1]),
    'other',
  ];
}

/** Inputs that hold a value for each pointer that rules name, in all combinations up to a number. */
function inputsOf(wanted: readonly Readonly<Record<string, ArgumentMatcher>>[]): readonly Json[] {
  const values = new Map<string, Json[]>();
  for (const one of wanted)
    for (const [pointer, matcher] of Object.entries(one))
      values.set(pointer, [...(values.get(pointer) ?? []), ...valuesOf(matcher)]);
  let inputs: readonly Record<string, Json>[] = [{}];
  for (const [pointer, list] of values) {
    const key = pointer.replace(/^\//, '');
    // What lies deeper is left to the record.
    if (key.includes('/')) continue;
    const distinct = [...new Map(list.map((value) => [JSON.stringify(value), value])).values()];
    inputs = inputs.flatMap((input) => [input, ...distinct.map((value) => ({ ...input, [key]: value }))]).slice(0, 400);
  }
  return inputs;
}
