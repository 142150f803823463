import { grouped } from '../base/figures';

const maxDepth = 4;
const maxKeys = 20;
const maxItems = 3;
const plainKey = /^[A-Za-z_$][\w$.-]{0,39}$/;

/**
 * Says what a value looks like without saying what it holds: types, lengths and counts, such as `{ path: string(12),
 * content: string(1,204) }`. No value is shown, not even a short or a well-known one; a key that is not an identifier
 * is shown by its length only, because maps have content for keys. Never throws: what cannot be read is `unreadable`.
 */
export function inputShape(input: unknown): string {
  try {
    return shape(input, 0);
  } catch {
    return 'unreadable';
  }
}

function shape(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return `string(${grouped(value.length)})`;
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return arrayShape(value, depth);
      if (ArrayBuffer.isView(value)) return `bytes(${grouped(value.byteLength)})`;
      return objectShape(value, depth);
    case 'undefined':
      return 'nothing';
    default:
      return typeof value;
  }
}

function arrayShape(items: readonly unknown[], depth: number): string {
  if (items.length === 0) return 'array(0)';
  if (depth >= maxDepth) return `array(${grouped(items.length)})`;
  const shapes = [...new Set(items.slice(0, maxItems).map((item) => shape(item, depth + 1)))];
  return `array(${grouped(items.length)} of ${shapes.join(' | ')}${items.length > maxItems ? ' | …' : ''})`;
}

function objectShape(value: object, depth: number): string {
  const keys = Object.keys(value);
  if (keys.length === 0) return '{}';
  if (depth >= maxDepth) return `{ ${grouped(keys.length)} keys }`;
  const parts = keys.slice(0, maxKeys).map((key) => {
    const name = plainKey.test(key) ? key : `key(${grouped(key.length)})`;
    return `${name}: ${shape(Reflect.get(value, key), depth + 1)}`;
  });
  if (keys.length > maxKeys) parts.push(`… ${grouped(keys.length - maxKeys)} more`);
  return `{ ${parts.join(', ')} }`;
}
