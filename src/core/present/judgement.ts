import { worded } from '../base/sentence';
import { visible } from '../base/visible';
import type { ToolDefinition, ValueOrigin } from '../vocabulary/toolDefinition';
import type { Translate } from '../base/translate';

/** True where the user wrote anything of the tool's judgement in place of what is inferred. */
export function isSetByUser(definition: Pick<ToolDefinition, 'origins'>): boolean {
  return Object.values(definition.origins ?? {}).includes('override');
}

/**
 * Says in plain sentences where the judgement of a foreign tool comes from, so that a guess is never read as a fact.
 * Empty for tools whose own definition says it.
 */
export function judgementLines(definition: ToolDefinition, t: Translate): readonly string[] {
  const { origins, reasons = [], riskLevel, inferredRisk } = definition;
  if (!origins) return [];
  const why = visible(reasons.map((one) => worded(one, t)).join('; '));
  const lines = [riskLine()];
  if (origins.sideEffects === 'override') lines.push(t('What it touches: set by you'));
  if (origins.kind === 'override') lines.push(t('Kind {0}: set by you', definition.kind));
  if (origins.permission === 'override') lines.push(t('What agents meet: set by you'));
  return lines;

  function riskLine(): string {
    switch (origins?.riskLevel satisfies ValueOrigin | undefined) {
      case 'override':
        return inferredRisk === undefined || inferredRisk === riskLevel
          ? t('Risk {0}, set by you', riskLevel)
          : t('Risk {0}, set by you; without that it is {1}: {2}', riskLevel, inferredRisk, why);
      case 'confirmed':
        return t('Risk {0}, lowered by you: {1}', riskLevel, why);
      default:
        return t('Risk {0}, inferred: {1}', riskLevel, why);
    }
  }
}
