import { readFileSync, statSync } from 'node:fs';
import { mostBundleBytes } from '../core/bundles/envelope';
import { type PublicKey, readPublicKey } from '../core/bundles/publicKey';
import { nodeCrypto } from '../node/system';
import { asked, type CliArgs, UsageError } from './args';

/** The one file that a command is given. */
export function oneFile(words: readonly string[], command: string): string {
  const [file, ...rest] = words;
  if (file === undefined || rest.length > 0) throw new UsageError(`\`bundle ${command}\` needs one file`);
  return file;
}

/** The bytes of a file that a person named; of one that is larger than any bundle only so many that it is refused. */
export function readBytes(file: string): Uint8Array {
  return asked(`\`${file}\` cannot be read`, () =>
    statSync(file).size > mostBundleBytes ? new Uint8Array(mostBundleBytes + 1) : readFileSync(file),
  );
}

/** The public key that `--public-key` gives, as text or as a file that holds it; undefined where there is none. */
export function publicKeyOf(args: CliArgs): PublicKey | undefined {
  const given = args.value('public-key');
  if (given === undefined) return undefined;
  const text = given.startsWith('ed25519:') ? given : new TextDecoder().decode(readBytes(given)).trim();
  const key = readPublicKey(text, nodeCrypto);
  if (!key) throw new UsageError('`--public-key` must be `ed25519:` and 32 bytes as base64, or a file that holds it');
  return key;
}
