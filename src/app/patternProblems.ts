import type { Problem } from '../core/base/problem';
import type { SettingsInForce } from '../core/settings/settingsInForce';

/**
 * What is wrong with the patterns of secrets that somebody wrote: a pattern that cannot be read hides nothing, and
 * nobody would see it. What reads them is loaded only where there are some. Undefined where they changed meanwhile.
 */
export async function patternProblems(settings: SettingsInForce): Promise<readonly Problem[] | undefined> {
  const { layers } = settings.now;
  const isAny = (['managed', 'user', 'workspace'] as const).some((scope) => {
    const rows = layers[scope]['redaction.patterns'];
    return Array.isArray(rows) && rows.length > 0;
  });
  if (!isAny) return [];
  const { readOwnPatterns } = await import('../core/secrets/ownPatterns');
  const { faults } = await readOwnPatterns(layers);
  return layers === settings.now.layers ? faults : undefined;
}
