/** Signatures by Ed25519 (RFC 8032), which core may not take from Node itself. */
export interface Signatures {
  /**
   * True where the signature is the key's over exactly these bytes.
   * @param key 32 bytes, as RFC 8032 encodes a public key.
   */
  isSigned(key: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean;
}
