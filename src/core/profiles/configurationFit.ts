import { canonicalJson, type JsonObject } from '../base/json';
import type { SchemaValidator, SchemaViolation } from '../base/schema';
import { say, type Sentence } from '../base/sentence';
import type { Capability } from '../capability/capability';
import { effectiveConfig } from './promptTemplate';

/** What was found out, by the configuration's canonical form: a capability and its schema never change. */
const verdicts = new WeakMap<Capability, Map<string, readonly SchemaViolation[]>>();

const keyOf = (capability: Capability, config: JsonObject): string =>
  canonicalJson(effectiveConfig(capability, config));

/** How a configuration was found not to fit; what was not checked yet is not known to be wrong. */
export function knownViolations(capability: Capability, config: JsonObject): readonly SchemaViolation[] {
  const known = verdicts.get(capability);
  return known?.get(keyOf(capability, config)) ?? [];
}

/** True where a configuration was checked and does not fit. */
export function isKnownUnfit(capability: Capability, config: JsonObject): boolean {
  return knownViolations(capability, config).length > 0;
}

/** How a configuration does not fit its capability's schema; empty where it does, or where there is none. */
export async function configurationViolations(
  capability: Capability,
  config: JsonObject,
  validator: SchemaValidator,
): Promise<readonly SchemaViolation[]> {
  const { configSchema } = capability;
  if (!configSchema) return [];
  const known = verdicts.get(capability) ?? new Map<string, readonly SchemaViolation[]>();
  verdicts.set(capability, known);
  const key = keyOf(capability, config);
  let found = known.get(key);
  if (!found) {
    const first = await validator.validate(`config:${capability.id}`, configSchema, structuredClone(config));
    found =
      first.length === 0
        ? first
        : await (await import('./everyViolation')).everyViolation(first, configSchema, config, validator);
    known.set(key, found);
  }
  return found;
}

/** Says of a capability that it is off, with everything that is wrong with its configuration. */
export function unfitConfiguration(
  profileId: string,
  capability: Capability,
  violations: readonly SchemaViolation[],
): Sentence {
  const found = violations.map(({ path, expected, got }) =>
    say('configuration_fault', path === '' ? say('the_configuration') : path, expected, got),
  );
  return say('invalid_configuration', profileId, capability.id, found);
}
