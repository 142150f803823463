import { unfitInput } from '../../../core/vocabulary/errors';

/** Writes bytes as base64, in pieces that the engine's argument limit allows. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x6000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x6000));
  return btoa(binary);
}

/** Reads base64 (RFC 4648, either alphabet, white space ignored). Throws `invalid_input` for anything else. */
export function fromBase64(text: string): Uint8Array {
  const plain = text
    .replace(/[\s=]+/g, '')
    .replace(/-/g, '+')
    .replace(/_/g, '/');
  if (/[^A-Za-z0-9+/]/.test(plain) || plain.length % 4 === 1) {
    throw unfitInput(
      '/content must be base64 (got other characters or a broken length); set encoding to text for plain text',
    );
  }
  const binary = atob(plain);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
