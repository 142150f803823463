import type { Problem } from '../core/base/problem';
import type { Bundle } from '../core/bundles/bundle';
import { parseLimits } from '../core/policy/limits/limitSettings';
import { parseBoundaries } from '../core/policy/rules/parse';
import { parseProfile } from '../core/profiles/profile';

/** What is wrong with the rules, limits and profiles of a bundle, one line each. */
export function bundleFaults({ settings }: Bundle): readonly string[] {
  const rules = parseBoundaries(settings['policy.boundaries'], 'bundle');
  const profiles = Object.entries(Object(settings['profiles'])).flatMap(
    ([id, profile]) => parseProfile(id, profile, 'user').problems,
  );
  const limits = parseLimits(settings['limits']);
  const found: readonly Problem[] = [...rules.problems, ...limits.problems, ...profiles];
  return found.filter(({ severity }) => severity === 'error').map(({ message }) => message);
}
