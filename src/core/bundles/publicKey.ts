import type { Crypto } from '../ports/platform';
import { base64, fromBase64 } from '../base/base64';

/** A public key of Ed25519, and the name by which an envelope says with which key it was signed. */
export interface PublicKey {
  readonly bytes: Uint8Array;
  /** The SHA-256 of the key's bytes. */
  readonly id: string;
}

const prefix = 'ed25519:';
const keyBytes = 32;

/** Reads `ed25519:` and the key's 32 bytes as base64; undefined for anything else. */
export function readPublicKey(text: string, crypto: Pick<Crypto, 'sha256'>): PublicKey | undefined {
  const bytes = text.startsWith(prefix) ? fromBase64(text.slice(prefix.length)) : undefined;
  return bytes?.length === keyBytes ? { bytes, id: crypto.sha256(bytes) } : undefined;
}

export function publicKeyText(bytes: Uint8Array): string {
  return `${prefix}${base64(bytes)}`;
}
