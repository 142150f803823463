import { readFileSync } from 'node:fs';
import type { Problem } from '../core/base/problem';
import { worded, saidBy } from '../core/base/sentence';
import type { Bundle } from '../core/bundles/bundle';
import { envelopeText, mostBundleBytes, signedBytes } from '../core/bundles/envelope';
import { openBundle, readPayload } from '../core/bundles/openBundle';
import { publicKeyText } from '../core/bundles/publicKey';
import { parseManagedLimits } from '../core/policy/limits/limitSettings';
import { parseBoundaries } from '../core/policy/rules/parse';
import { parseProfile } from '../core/profiles/profile';
import { ed25519, newPrivateKey, publicBytes, readPrivateKey, signBytes } from '../node/bundles/ed25519';
import { nodeCrypto } from '../node/system';
import { asked, type CliArgs, type CliIo, hand, UsageError, writeNamed } from './args';
import { oneFile, readBytes } from './bundleFiles';

/** `bundle key --out FILE`: makes a private key, for this user alone, and prints the public one. Replaces no file. */
export function runBundleKey(words: readonly string[], args: CliArgs, io: CliIo): number {
  const out = args.value('out');
  if (out === undefined || words.length > 0) throw new UsageError('`bundle key` needs `--out FILE`');
  const pem = newPrivateKey();
  writeNamed(out, pem, { mode: 0o600, flag: 'wx' });
  io.out(publicKeyText(publicBytes(readPrivateKey(pem))));
  return 0;
}

/**
 * `bundle sign FILE --key PRIVATE.pem [--out FILE]`: signs a payload byte by byte. One with a mistake, also in its
 * rules, limits and profiles, is not signed: exit 1.
 */
export function runBundleSign(words: readonly string[], args: CliArgs, io: CliIo): number {
  const payload = readBytes(oneFile(words, 'sign'));
  const keyFile = args.value('key');
  if (keyFile === undefined) throw new UsageError('`bundle sign` needs `--key PRIVATE.pem`');
  const key = asked('`--key` must be a file with a private key of Ed25519 as PEM', () =>
    readPrivateKey(readFileSync(keyFile, 'utf8')),
  );
  try {
    const faults = bundleFaults(readPayload(payload, nodeCrypto));
    for (const fault of faults) io.error(fault);
    if (faults.length > 0) return 1;
    const bytes = publicBytes(key);
    const keyId = nodeCrypto.sha256(bytes);
    const text = envelopeText({ payload, keyId, signature: signBytes(signedBytes(payload), key) });
    // What nobody could open is not handed out: one larger than is read.
    openBundle(new TextEncoder().encode(text), { key: { bytes, id: keyId }, crypto: nodeCrypto, signatures: ed25519 });
    hand(text, args, io);
    return 0;
  } catch (error) {
    io.error(`not signed: ${worded(saidBy(error))} (at most ${mostBundleBytes} bytes)`);
    return 1;
  }
}

/** What is wrong with the rules, limits and profiles of a bundle, one line each. */
function bundleFaults({ settings }: Bundle): readonly string[] {
  const rules = parseBoundaries(settings['policy.boundaries'], 'bundle');
  const profiles = Object.entries(Object(settings['profiles'])).flatMap(
    ([id, profile]) => parseProfile(id, profile, 'user').problems,
  );
  const limits = parseManagedLimits(settings['limits']);
  const found: readonly Problem[] = [...rules.problems, ...limits.problems, ...profiles];
  return found.filter(({ severity }) => severity === 'error').map(({ message }) => message);
}
