/** Writes bytes as base64 (RFC 4648), in pieces that the engine's argument limit allows. */
export function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x6000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x6000));
  return btoa(binary);
}

/** Reads base64 that is written just as `base64` writes it; undefined for every other spelling of the same bytes. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return base64(bytes) === text ? bytes : undefined;
}
