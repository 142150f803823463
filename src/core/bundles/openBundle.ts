import { SaidError, say, type Sentence } from '../base/sentence';
import type { Crypto } from '../ports/platform';
import type { Signatures } from '../ports/signatures';
import type { Bundle } from './bundle';
import { exactText, readEnvelope, signedBytes } from './envelope';
import type { PublicKey } from './publicKey';
import { readBundle, timeText } from './readBundle';

/** A bundle whose signature was found good. */
export interface OpenedBundle {
  readonly bundle: Bundle;
  /** The SHA-256 of its payload: what it says, byte by byte. */
  readonly hash: string;
}

interface OpenOptions {
  /** The name under which it is expected; any where it is left out. */
  readonly name?: string;
  readonly key: PublicKey;
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly signatures: Signatures;
}

/**
 * Opens the file of a signed bundle. The signature is checked before anything of the payload is read, and there is no
 * way to open one without a key. Throws a `SaidError` that says why it is refused.
 */
export function openBundle(file: Uint8Array, { name, key, crypto, signatures }: OpenOptions): OpenedBundle {
  const { payload, keyId, signature } = readEnvelope(file);
  if (keyId !== key.id) throw new SaidError(say('bundle_other_key', keyId, key.id));
  if (!signatures.isSigned(key.bytes, signedBytes(payload), signature)) throw new SaidError(say('bundle_signature'));
  const bundle = readPayload(payload, crypto);
  if (name !== undefined && bundle.name !== name) throw new SaidError(say('bundle_other_name', bundle.name, name));
  return { bundle, hash: crypto.sha256(payload) };
}

/** Reads a payload, signed or not yet. Throws a `SaidError`. */
export function readPayload(payload: Uint8Array, crypto: Pick<Crypto, 'sha256'>): Bundle {
  const text = exactText(payload);
  if (text === undefined) throw new SaidError(say('bundle_no_text'));
  const { value, problems } = readBundle(text, crypto);
  const [first] = problems;
  if (value) return value;
  throw new SaidError(say('bundle_fault', first?.said ?? say('cannot_be_read'), first?.pointer ?? ''));
}

/**
 * Says why a bundle that was opened does not take the place of the one that is held; undefined where it does. What was
 * once in force is never replaced by something older, nor by another one of the same revision.
 */
export function notNewer(opened: OpenedBundle, held: OpenedBundle | undefined, now: number): Sentence | undefined {
  const { revision, expiresAt } = opened.bundle;
  if (held && revision < held.bundle.revision) return say('bundle_older', revision, held.bundle.revision);
  if (held && revision === held.bundle.revision)
    return opened.hash === held.hash ? undefined : say('bundle_two_of_one', revision);
  return expiresAt <= now ? say('bundle_is_expired', timeText(expiresAt)) : undefined;
}
