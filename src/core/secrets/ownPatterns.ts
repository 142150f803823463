import { firstLine } from '../base/errorText';
import { isObject } from '../base/json';
import { loadLinearRegex } from '../base/linearRegex';
import type { SettingsLayers } from '../settings/settings';
import type { OwnPattern } from './session';

const scopes = ['managed', 'user', 'workspace'] as const;

interface OwnPatterns {
  readonly patterns: readonly OwnPattern[];
  /** What is wrong with the rest, for the log. */
  readonly faults: readonly string[];
}

/** The patterns of all scopes; one that cannot be read is a fault and finds nothing. */
export async function readOwnPatterns(layers: SettingsLayers): Promise<OwnPatterns> {
  const rows = scopes.flatMap((scope) => {
    const written: unknown = layers[scope]['redaction.patterns'];
    return Array.isArray(written) ? written.map((row: unknown, at) => ({ row, at })) : [];
  });
  const patterns: OwnPattern[] = [];
  const faults: string[] = [];
  if (rows.length === 0) return { patterns, faults };
  const engine = await loadLinearRegex();
  for (const { row, at } of rows) {
    const source = isObject(row) ? row['pattern'] : undefined;
    if (!isObject(row) || typeof source !== 'string' || source === '') {
      faults.push(`row ${at + 1} of \`redaction.patterns\` has no \`pattern\`, a regular expression; it hides nothing`);
      continue;
    }
    try {
      patterns.push({ kind: kindOf(row['kind']), pattern: engine.compile(source) });
    } catch (error) {
      faults.push(`row ${at + 1} of \`redaction.patterns\` cannot be read and hides nothing: ${firstLine(error)}`);
    }
  }
  return { patterns, faults };
}

/** As a placeholder can show it. */
function kindOf(written: unknown): string {
  const kind = String(written ?? 'own')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
  return kind === '' ? 'own' : kind;
}
