import { plainName } from '../vocabulary/names';
import { firstLine } from '../base/errorText';
import { isObject } from '../base/json';
import { loadLinearRegex } from '../base/linearRegex';
import { type Problem, problem } from '../base/problem';
import { say, type Sentence } from '../base/sentence';
import type { SettingsLayers } from '../settings/settings';
import type { OwnPattern } from './session';

const scopes = ['managed', 'user', 'workspace'] as const;
const setting = 'redaction.patterns';

interface OwnPatterns {
  readonly patterns: readonly OwnPattern[];
  /** What is wrong with the rest. */
  readonly faults: readonly Problem[];
}

/** The patterns of all scopes; one that cannot be read is a fault and finds nothing. */
export async function readOwnPatterns(layers: SettingsLayers): Promise<OwnPatterns> {
  const rows = scopes.flatMap((scope) => {
    const written: unknown = layers[scope][setting];
    return Array.isArray(written) ? written.map((row: unknown, at) => ({ row, at })) : [];
  });
  const patterns: OwnPattern[] = [];
  const faults: Problem[] = [];
  const tell = (said: Sentence): number => faults.push(problem({ severity: 'error', said, subject: setting }));
  if (rows.length === 0) return { patterns, faults };
  const engine = await loadLinearRegex();
  for (const { row, at } of rows) {
    const source = isObject(row) ? row['pattern'] : undefined;
    if (!isObject(row) || typeof source !== 'string' || source === '') {
      tell(say('own_pattern_missing', at + 1));
      continue;
    }
    try {
      patterns.push({ kind: kindOf(row['kind']), pattern: engine.compile(source) });
    } catch (error) {
      tell(say('own_pattern_wrong', at + 1, firstLine(error)));
    }
  }
  return { patterns, faults };
}

/** As a placeholder can show it. */
function kindOf(written: unknown): string {
  const kind = plainName(String(written ?? 'own'), '-').slice(0, 40);
  return kind === '' ? 'own' : kind;
}
