import { saidBy, worded } from '../core/base/sentence';
import type { Bundle } from '../core/bundles/bundle';
import { readEnvelope } from '../core/bundles/envelope';
import { notNewer, openBundle, type OpenedBundle, readPayload } from '../core/bundles/openBundle';
import type { PublicKey } from '../core/bundles/publicKey';
import { timeText } from '../core/bundles/readBundle';
import { ed25519 } from '../node/bundles/ed25519';
import { nodeCrypto, systemClock } from '../node/system';
import { type CliArgs, type CliIo, outJson, UsageError } from './args';
import { oneFile, publicKeyOf, readBytes } from './bundleFiles';

/**
 * `bundle verify FILE --public-key KEY [--name NAME] [--after OLDER]`: exit 0 where the bundle would be taken, also in
 * the place of an older one; 1 where it would be refused, with the reason.
 */
export function runBundleVerify(words: readonly string[], args: CliArgs, io: CliIo): number {
  const file = oneFile(words, 'verify');
  const key = publicKeyOf(args);
  if (!key) throw new UsageError('`bundle verify` needs `--public-key KEY`');
  const older = args.value('after');
  try {
    const opened = open(file, key, args.value('name'));
    const held = older === undefined ? undefined : open(older, key, opened.bundle.name);
    const refusal = notNewer(opened, held, systemClock.now());
    if (refusal) throw new Error(worded(refusal));
    io.out(`good: ${heading(opened.bundle)}, sha256 ${opened.hash}`);
    return 0;
  } catch (error) {
    io.error(`refused: ${worded(saidBy(error))}`);
    return 1;
  }
}

/**
 * `bundle show FILE [--public-key KEY] [--json]`: what a bundle, or a payload that is not signed yet, says. Without a
 * key nobody knows whose it is, which is said.
 */
export function runBundleShow(words: readonly string[], args: CliArgs, io: CliIo): number {
  const bytes = readBytes(oneFile(words, 'show'));
  const key = publicKeyOf(args);
  try {
    const { bundle, trust } = key
      ? { ...openBundle(bytes, { key, crypto: nodeCrypto, signatures: ed25519 }), trust: 'signature good' }
      : unproven(bytes);
    if (!key) io.error(`${trust}: nothing vouches for what follows`);
    if (args.has('json')) outJson(io, bundle);
    else io.out([`${heading(bundle)}, ${trust}`, ...lines(bundle)].join('\n'));
    return 0;
  } catch (error) {
    io.error(worded(saidBy(error)));
    return 1;
  }
}

function open(file: string, key: PublicKey, name: string | undefined): OpenedBundle {
  const expected = name === undefined ? {} : { name };
  return openBundle(readBytes(file), { ...expected, key, crypto: nodeCrypto, signatures: ed25519 });
}

function unproven(bytes: Uint8Array): { readonly bundle: Bundle; readonly trust: string } {
  let payload: Uint8Array;
  try {
    ({ payload } = readEnvelope(bytes));
  } catch {
    return { bundle: readPayload(bytes, nodeCrypto), trust: 'not signed' };
  }
  return { bundle: readPayload(payload, nodeCrypto), trust: 'signature not checked' };
}

const heading = ({ name, revision, expiresAt }: Bundle): string =>
  `${name}, revision ${revision}, good until ${timeText(expiresAt)}`;

function lines({ description, issuedAt, settings, servers, definitions }: Bundle): readonly string[] {
  return [
    ...(description === '' ? [] : [description]),
    `issued ${timeText(issuedAt)}`,
    ...Object.entries(settings).map(([key, value]) => `setting ${key}: ${JSON.stringify(value)}`),
    ...Object.entries(servers).map(([name, { sha256 }]) => `server ${name}: tools ${sha256}`),
    ...Object.entries(definitions).map(([name, { sha256 }]) => `definition ${name}: ${sha256}`),
  ];
}
