import { forbiddenKeys } from '../base/json';
import { shortHash } from '../vocabulary/names';

/** A name that ids and models can carry. Most foreign names are; others are rewritten and keep apart by a digest. */
export function foreignToolName(name: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/.test(name) && !forbiddenKeys.has(name)) return name;
  const safe = name
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 80);
  return `${safe === '' ? 'tool' : safe}_${shortHash(name)}`;
}
