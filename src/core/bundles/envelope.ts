import { SaidError, say } from '../base/sentence';
import { isObject, parsedJson } from '../base/json';
import { base64, fromBase64 } from '../base/base64';

/** What the payload is, as the signature binds it. */
export const bundleType = 'application/vnd.agent-capabilities.bundle+json';

/** A larger file is no bundle. */
export const mostBundleBytes = 1_000_000;

/** A payload with its signature. */
interface Envelope {
  readonly payload: Uint8Array;
  readonly keyId: string;
  readonly signature: Uint8Array;
}

/**
 * The bytes that are signed: those of DSSE (`DSSEv1`, then the type and the payload, each with its length before it).
 * The payload is signed byte by byte, so that no canonical form of JSON is needed.
 */
export function signedBytes(payload: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(`DSSEv1 ${bundleType.length} ${bundleType} ${payload.length} `);
  const all = new Uint8Array(head.length + payload.length);
  all.set(head);
  all.set(payload, head.length);
  return all;
}

/** The file of a signed bundle: a DSSE envelope with one signature, always written alike. */
export function envelopeText({ payload, keyId, signature }: Envelope): string {
  const envelope = {
    payloadType: bundleType,
    payload: base64(payload),
    signatures: [{ keyid: keyId, sig: base64(signature) }],
  };
  return `${JSON.stringify(envelope, undefined, 2)}\n`;
}

/**
 * Reads the file of a signed bundle. Only what `envelopeText` writes is read, so that no byte of it can be another:
 * doubles, stray properties, a second signature and other white space are refused. Throws a `SaidError`.
 */
export function readEnvelope(file: Uint8Array): Envelope {
  if (file.length > mostBundleBytes) throw new SaidError(say('bundle_large', file.length, mostBundleBytes));
  const text = exactText(file);
  const { keyId, ...written } = partsOf(parsedJson(text));
  const [payload, signature] = [fromBase64(written.payload), fromBase64(written.signature)];
  const read = payload && signature && { payload, keyId, signature };
  if (!read || envelopeText(read) !== text) throw new SaidError(say('bundle_rewritten'));
  return read;
}

/** The text of bytes in UTF-8, a byte order mark with it; undefined for other bytes. */
export function exactText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function partsOf(value: unknown): { readonly payload: string; readonly keyId: string; readonly signature: string } {
  const none = (): never => {
    throw new SaidError(say('bundle_no_envelope'));
  };
  if (!isObject(value)) return none();
  const { payload, payloadType, signatures } = value;
  if (typeof payload !== 'string' || typeof payloadType !== 'string' || !Array.isArray(signatures)) return none();
  if (payloadType !== bundleType) throw new SaidError(say('bundle_other_type', payloadType, bundleType));
  const [signature]: readonly unknown[] = signatures;
  if (!isObject(signature)) return none();
  const { keyid, sig } = signature;
  return typeof keyid === 'string' && typeof sig === 'string' ? { payload, keyId: keyid, signature: sig } : none();
}
