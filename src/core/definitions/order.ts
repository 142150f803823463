import satisfies from 'semver/functions/satisfies';
import { proposal } from '../base/nearest';
import { type Problem, problem } from '../base/problem';
import { say, type Sentence } from '../base/sentence';
import type { Capability } from '../capability/capability';
import type { DefinitionSpec } from './spec';

/**
 * Sorts definitions so that each comes after what it depends on. One that depends on a capability that is not there,
 * whose version does not fit, or on itself through others, is left out with a problem; so is what depends on such a
 * one.
 */
export function orderByDependencies<T extends DefinitionSpec>(
  specs: readonly T[],
  known: (id: string) => Pick<Capability, 'version'> | undefined,
  knownIds: () => Iterable<string>,
): { readonly ordered: readonly T[]; readonly problems: readonly Problem[] } {
  const byId = new Map(specs.map((spec) => [spec.capability.id, spec]));
  const problems: Problem[] = [];
  const state = new Map<string, 'visiting' | 'good' | 'bad'>();
  const ordered: T[] = [];
  const path: string[] = [];
  const report = (spec: DefinitionSpec, index: number, said: Sentence, code: string = said.code): void => {
    const subject = spec.capability.id;
    problems.push(
      problem({ severity: 'error', code, said, subject, file: spec.file, pointer: `/dependencies/${index}` }),
    );
  };
  const visit = (spec: T): boolean => {
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
        const near = proposal(dependency.id, new Set([...byId.keys(), ...knownIds()]));
        report(spec, index, say('dependency_missing', id, dependency.id, near));
      } else if (dependency.range !== undefined && !satisfies(version, dependency.range, { includePrerelease: true })) {
        good = false;
        report(spec, index, say('dependency_incompatible', id, dependency.id, dependency.range, version));
      } else if (inner && state.get(dependency.id) === 'visiting') {
        good = false;
        const cycle = [...path.slice(path.indexOf(dependency.id)), dependency.id];
        report(spec, index, say('dependency_on_itself', id, cycle.join(' → ')), 'dependency_cycle');
      } else if (inner && !visit(inner)) {
        good = false;
        if (!problems.some((one) => one.subject === id && one.code === 'dependency_cycle'))
          report(spec, index, say('dependency_unusable', id, dependency.id), 'dependency_missing');
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
