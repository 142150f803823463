import { binaryBytes, binaryText } from './bytes';

/** Writes bytes as base64 (RFC 4648). */
export const base64 = (bytes: Uint8Array): string => btoa(binaryText(bytes));

/** Reads base64 that is written just as `base64` writes it; undefined for every other spelling of the same bytes. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  const bytes = binaryBytes(base64Text(text));
  return base64(bytes) === text ? bytes : undefined;
}

/**
 * What base64 holds, a byte a character, as receivers read it: in either alphabet, with its padding or without, white
 * space left out. Empty for what is none.
 */
export function base64Text(text: string): string {
  const plain = text
    .replace(/\s+/g, '')
    .replace(/={1,2}$/, '')
    .replace(/-/g, '+')
    .replace(/_/g, '/');
  try {
    // A last character alone holds no byte.
    return atob(plain.length % 4 === 1 ? plain.slice(0, -1) : plain);
  } catch {
    return '';
  }
}
