import type { SchemaValidator } from '../base/schema';
import { type Problem, problem } from '../base/problem';
import { say, type Sentence } from '../base/sentence';
import { configurationViolations, unfitConfiguration } from './configurationFit';
import type { ResolvedProfile } from './profile';

/** Checks each enabled capability's configuration in a profile against its schema. */
export async function configurationProblems(
  profile: ResolvedProfile,
  validator: SchemaValidator,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const report = (severity: Problem['severity'], subject: string, said: Sentence): void => {
    problems.push(problem({ severity, code: 'invalid_configuration', said, subject }));
  };
  for (const { capability, entry } of profile.entries) {
    if (!entry.enabled) continue;
    if (!capability.configSchema) {
      if (Object.keys(entry.config).length > 0)
        report('warning', capability.id, say('takes_no_configuration', profile.id, capability.id));
      continue;
    }
    // What nobody configured has the schema's defaults, which the conformance test checks: nothing heavy is loaded for
    // it.
    if (Object.keys(entry.config).length === 0 && (capability.configSchema.required ?? []).length === 0) continue;
    const violations = await configurationViolations(capability, entry.config, validator);
    if (violations.length > 0) report('error', capability.id, unfitConfiguration(profile.id, capability, violations));
  }
  return problems;
}
