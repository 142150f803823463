import type { Json } from '../base/json';

/**
 * The same value with each text of it replaced, keys too; a value of which nothing changes is handed back as it is.
 * @param change gets a text and, for the value of a field, the field's name.
 */
export function mapTexts(value: Json, change: (text: string, name?: string) => string, name?: string): Json {
  if (typeof value === 'string') return change(value, name);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTexts(item, change, name));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let isChanged = false;
  const copy: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const newKey = key.length < 16 ? key : change(key);
    const next = mapTexts(item, change, key);
    isChanged ||= newKey !== key || next !== item;
    Object.defineProperty(copy, newKey, { value: next, enumerable: true, configurable: true, writable: true });
  }
  return isChanged ? copy : value;
}

/** What a placeholder looks like; its last part tells two values of a kind apart. */
export const placeholderPattern = /\{\{secret:[a-z0-9-]{1,60}:[0-9a-f]{4,8}\}\}/g;

/** Whether any text of a value holds what looks like a placeholder. */
export function mentionsPlaceholder(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{secret:');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => key.includes('{{secret:') || mentionsPlaceholder(item));
}

/** `.env`, `.env.local`, `prod.env`; no example of one. */
export const isEnvironmentFile = (path: string): boolean =>
  /(?:^|[/\\])(?:\.env(?:\.[\w-]+)*|[\w-]+\.env)$/.test(path) && !/example|sample|template|dist$/i.test(path);
