import type { SchemaValidator } from '../base/schema';
import type { Problem } from '../base/problem';
import type { ResolvedProfile } from './profile';
import { effectiveConfig } from './promptTemplate';

/** Checks each enabled capability's configuration in a profile against its schema. */
export async function configurationProblems(
  profile: ResolvedProfile,
  validator: SchemaValidator,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const { capability, entry } of profile.entries) {
    if (!entry.enabled) continue;
    if (!capability.configSchema) {
      if (Object.keys(entry.config).length > 0)
        problems.push({
          severity: 'warning',
          code: 'invalid_configuration',
          message: `the profile \`${profile.id}\` configures \`${capability.id}\`, which takes no configuration`,
          subject: capability.id,
        });
      continue;
    }
    // What nobody configured has the schema's defaults, which the conformance test checks: nothing heavy is loaded for
    // it.
    if (Object.keys(entry.config).length === 0 && (capability.configSchema.required ?? []).length === 0) continue;
    const config = structuredClone(effectiveConfig(capability, entry.config));
    for (const violation of await validator.validate(`config:${capability.id}`, capability.configSchema, config))
      problems.push({
        severity: 'error',
        code: 'invalid_configuration',
        message: `the profile \`${profile.id}\` configures \`${capability.id}\`: ${violation.path === '' ? 'the configuration' : violation.path} ${violation.expected} (got ${violation.got})`,
        subject: capability.id,
      });
  }
  return problems;
}
