import satisfies from 'semver/functions/satisfies';
import { didYouMean } from '../base/nearest';
import type { Problem } from '../base/problem';
import type { DefinitionSpec } from './spec';

/** What is known of a capability that is not among the definitions. */
export interface KnownCapability {
  readonly version: string;
}

/**
 * Sorts definitions so that each comes after what it depends on. One that depends on a capability that is not there,
 * whose version does not fit, or on itself through others, is left out with a problem; so is what depends on such a
 * one.
 */
export function orderByDependencies(
  specs: readonly DefinitionSpec[],
  known: (id: string) => KnownCapability | undefined,
  knownIds: () => Iterable<string>,
): { readonly ordered: readonly DefinitionSpec[]; readonly problems: readonly Problem[] } {
  const byId = new Map(specs.map((spec) => [spec.capability.id, spec]));
  const problems: Problem[] = [];
  const state = new Map<string, 'visiting' | 'good' | 'bad'>();
  const ordered: DefinitionSpec[] = [];
  const path: string[] = [];
  const report = (spec: DefinitionSpec, code: string, message: string, index: number): void => {
    problems.push({
      severity: 'error',
      code,
      message: `\`${spec.capability.id}\` ${message}`,
      subject: spec.capability.id,
      file: spec.file,
      pointer: `/dependencies/${index}`,
    });
  };
  const visit = (spec: DefinitionSpec): boolean => {
    const { id, dependencies = [] } = spec.capability;
    const before = state.get(id);
    if (before === 'good' || before === 'bad') return before === 'good';
    state.set(id, 'visiting');
    path.push(id);
    let good = true;
    dependencies.forEach((dependency, index) => {
      const inner = byId.get(dependency.id);
      const version = inner?.capability.version ?? known(dependency.id)?.version;
      if (version === undefined) {
        good = false;
        report(
          spec,
          'dependency_missing',
          `needs \`${dependency.id}\`, which is not a capability${didYouMean(dependency.id, new Set([...byId.keys(), ...knownIds()]))}`,
          index,
        );
      } else if (dependency.range !== undefined && !satisfies(version, dependency.range, { includePrerelease: true })) {
        good = false;
        report(
          spec,
          'dependency_incompatible',
          `needs \`${dependency.id}\` ${dependency.range}, but its version is ${version}`,
          index,
        );
      } else if (inner && state.get(dependency.id) === 'visiting') {
        good = false;
        const cycle = [...path.slice(path.indexOf(dependency.id)), dependency.id];
        report(spec, 'dependency_cycle', `depends on itself: ${cycle.join(' → ')}`, index);
      } else if (inner && !visit(inner)) {
        good = false;
        if (!problems.some((one) => one.subject === id && one.code === 'dependency_cycle'))
          report(spec, 'dependency_missing', `needs \`${dependency.id}\`, which cannot be used itself`, index);
      }
    });
    path.pop();
    state.set(id, good ? 'good' : 'bad');
    if (good) ordered.push(spec);
    return good;
  };
  for (const spec of specs) visit(spec);
  return { ordered, problems };
}
