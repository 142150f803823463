import type { Json } from '../base/json';
import { entryOf } from '../base/maps';

const labels = ['name', 'key', 'header', 'variable', 'Name', 'Key'];
/** What may be the name of the value that follows it in a list. */
const label = /^[A-Za-z][\w.-]{2,63}$/;

/**
 * The same value with each text of it replaced, keys too; a value of which nothing changes is handed back as it is.
 * @param change gets a text and, where one says what it is, a name: that of its field, the one that stands beside it
 * (`{ "name": …, "value": … }`) or before it in a list.
 */
export function mapTexts(value: Json, change: (text: string, name?: string) => string, name?: string): Json {
  if (typeof value === 'string') return change(value, name);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) {
    const bytes = mapBytes(value, change);
    if (bytes !== undefined) return bytes;
    const items = value.map((item, index) => {
      const before = value[index - 1];
      return mapTexts(item, change, typeof before === 'string' && label.test(before) ? before : name);
    });
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let isChanged = false;
  const own = labelOf(value);
  const entries: (readonly [key: string, item: Json])[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const newKey = key.length < 6 ? key : change(key);
    const next = mapTexts(item, change, own !== undefined && /^values?$/i.test(key) ? own : key);
    isChanged ||= newKey !== key || next !== item;
    entries.push([newKey, next]);
  }
  return isChanged ? Object.fromEntries(entries) : value;
}

const readable = /[\x20-\x7e]{8}/;

/** A list of bytes, as it stands in JSON: each number that stays one, and texts that took the place of others. */
function mapBytes(list: readonly Json[], change: (text: string) => string): Json | undefined {
  if (list.length < 8) return undefined;
  let held = '';
  for (const byte of list) {
    if (typeof byte !== 'number' || !Number.isInteger(byte) || byte < 0 || byte > 255) return undefined;
    held += String.fromCharCode(byte);
  }
  if (!readable.test(held)) return list;
  const written = list.join(',');
  const changed = change(written);
  if (changed === written) return list;
  return changed.split(',').map((item) => (/^\d+$/.test(item) ? Number(item) : item));
}

function labelOf(value: Readonly<Record<string, Json | undefined>>): string | undefined {
  if (!('value' in value || 'Value' in value || 'values' in value)) return undefined;
  for (const name of labels) {
    const found = value[name];
    if (typeof found === 'string') return found.slice(0, 64);
  }
  return undefined;
}

/**
 * What stands in several texts of a list and belongs together: the lines of a private key, as texts or as fields of the
 * same name.
 */
export function joinedLists(value: Json): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const found: string[] = [];
  if (Array.isArray(value) && value.length > 1) {
    const columns = new Map<string, string[]>();
    for (const item of value) {
      const cells = typeof item === 'string' ? [['', item] as const] : isRow(item) ? Object.entries(item) : [];
      for (const [name, cell] of cells) {
        if (typeof cell === 'string') entryOf(columns, name, []).push(cell);
      }
    }
    for (const column of columns.values())
      if (column.length > 1 && column.some((cell) => keyBegin.test(cell))) found.push(column.join('\n'));
  }
  for (const item of Object.values(value)) found.push(...joinedLists(item ?? null));
  return found;
}

const keyBegin = /PRIVATE[ ]KEY|PuTTY-User-Key/;
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const isRow = (item: Json): item is { readonly [name: string]: Json } => typeof item === 'object' && item !== null;

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
