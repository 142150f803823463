import { isObject } from './json';

/** Splits a JSON pointer (RFC 6901) into its unescaped parts; a plain name is read as the pointer to that property. */
export function pointerParts(pointer: string): readonly string[] {
  if (pointer === '') return [];
  const text = pointer.startsWith('/') ? pointer.slice(1) : pointer;
  return text.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Finds the value that a JSON pointer names; undefined where nothing is there. Inherited properties do not count. */
export function valueAt(value: unknown, pointer: string): unknown {
  let current = value;
  for (const part of pointerParts(pointer)) {
    if (Array.isArray(current))
      current = /^(?:0|[1-9]\d*)$/.test(part) ? (current as readonly unknown[])[Number(part)] : undefined;
    else if (isObject(current) && Object.hasOwn(current, part)) current = current[part];
    else return undefined;
  }
  return current;
}
