import { defined, isObject } from '../base/json';
import { type Problem, problem } from '../base/problem';
import { saidBy, say, type Sentence } from '../base/sentence';
import type { Crypto } from '../ports/platform';
import type { Signatures } from '../ports/signatures';
import type { BundleLayer } from '../settings/bundleLayer';
import { expand } from '../settings/readSettings';
import type { SettingsLayers } from '../settings/settings';
import type { BundleEntry } from './bundleEntries';
import { notNewer, openBundle, type OpenedBundle } from './openBundle';
import { timeText } from './readBundle';

/** Expiry is said so long before, in milliseconds. */
const warnsBeforeMs = 7 * 86_400_000;

/** What was found where an entry leads: the bytes of a file, why there are none, or nothing new. */
export type FoundBundle = { readonly bytes: Uint8Array } | { readonly fault: Sentence } | undefined;

/** Which bundle of an entry is in force. */
export interface SettledBundle {
  readonly entry: BundleEntry;
  readonly opened?: OpenedBundle;
  /** True where what was found takes the place of what was held, and is to be held from now on. */
  readonly isNew: boolean;
  /** Why what was found does not count. */
  readonly refusal?: Sentence;
}

interface SettleTools {
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly signatures: Signatures;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Says which bundle of an entry is in force: what was found, where it is good and not older; else the one that was
 * held. What is held is opened again with the key, so that nobody can put another in its place.
 */
export function settleBundle(
  entry: BundleEntry,
  found: FoundBundle,
  heldBytes: Uint8Array | undefined,
  { crypto, signatures, now }: SettleTools,
): SettledBundle {
  const open = (bytes: Uint8Array): OpenedBundle => openBundle(bytes, { ...entry, crypto, signatures });
  const stay = (opened: OpenedBundle | undefined, refusal?: Sentence): SettledBundle =>
    defined({ entry, isNew: false, opened, refusal });
  let held: OpenedBundle | undefined;
  try {
    if (heldBytes) held = open(heldBytes);
  } catch (error) {
    // Without what was held nobody knows which revision was in force, so nothing older may pass for the newest.
    return stay(undefined, say('bundle_held_damaged', saidBy(error)));
  }
  if (!found) return stay(held);
  if ('fault' in found) return stay(held, found.fault);
  try {
    const opened = open(found.bytes);
    const refusal = notNewer(opened, held, now);
    return refusal ? stay(held, refusal) : { entry, opened, isNew: opened.hash !== held?.hash };
  } catch (error) {
    return stay(held, saidBy(error));
  }
}

/**
 * When the bundles in force mean something else by themselves, in milliseconds since 1970: one begins to end, or has
 * ended and widens no more. Infinity where none does.
 */
export function nextTurn(settled: readonly SettledBundle[], now: number): number {
  const turns = settled.flatMap(({ opened }) => {
    const end = opened?.bundle.expiresAt;
    return end === undefined ? [] : [end - warnsBeforeMs, end];
  });
  return Math.min(...turns.filter((at) => at > now));
}

/** What the setting and its bundles make of the settings. */
export function layersWithBundles(
  layers: SettingsLayers,
  settled: readonly SettledBundle[],
  unread: ReadonlyMap<string, Sentence>,
  problems: readonly Problem[],
  now: number,
): SettingsLayers {
  const faulty = [...unread].map(([name, fault]) => emptyLayer(name, fault, []));
  const wide = settled.filter(({ entry, opened }) => entry.mayWiden && opened && opened.bundle.expiresAt > now);
  const told: BundleLayer = { ...emptyLayer('', undefined, problems) };
  return {
    ...layers,
    managed: wide.reduce((managed, { opened }) => asManaged(managed, opened), layers.managed),
    bundles: [
      ...(problems.length > 0 ? [told] : []),
      ...faulty,
      ...settled.map((one) => layerOf(one, wide.includes(one), now)),
    ],
  };
}

/** The layer of a bundle of which nothing is in force. */
function emptyLayer(name: string, fault: Sentence | undefined, problems: readonly Problem[]): BundleLayer {
  const nothing = { name, revision: 0, hash: '', settings: {}, servers: {}, definitions: {}, problems };
  return fault ? { ...nothing, fault } : nothing;
}

function layerOf({ entry: { name }, opened, refusal }: SettledBundle, isWide: boolean, now: number): BundleLayer {
  const refused = say('bundle_refused', name, refusal ?? say('bundle_unread'));
  const tell = (severity: Problem['severity'], said: Sentence): Problem => problem({ severity, said, subject: name });
  if (!opened)
    return emptyLayer(name, refusal ?? say('bundle_unread'), [tell('error', say('bundle_missing', refused))]);
  const { bundle, hash } = opened;
  const { revision, expiresAt } = bundle;
  const problems: Problem[] = [];
  if (refusal) problems.push(tell('warning', say('bundle_stays', refused, revision)));
  if (expiresAt <= now) problems.push(tell('error', say('bundle_expired', name, revision, timeText(expiresAt))));
  else if (expiresAt - now <= warnsBeforeMs)
    problems.push(tell('warning', say('bundle_expires', name, revision, timeText(expiresAt))));
  // Texts are for reading; what has to be compared are their hashes.
  const definitions = Object.entries(bundle.definitions).map(([file, { sha256 }]) => [file, { sha256 }] as const);
  return {
    name,
    revision,
    hash,
    ...(isWide ? { settings: {}, managedRules: bundle.settings['policy.boundaries'] } : { settings: bundle.settings }),
    servers: bundle.servers,
    definitions: Object.fromEntries(definitions),
    problems,
  };
}

/** A bundle that may widen stands beside the managed file: the file's own word counts first, rules of both hold. */
function asManaged(managed: SettingsLayers['managed'], opened: OpenedBundle | undefined): SettingsLayers['managed'] {
  const { 'policy.boundaries': _rules, ...said } = opened?.bundle.settings ?? {};
  const own = expand(managed);
  const tables = [said['profiles'], own['profiles']];
  return {
    ...said,
    ...own,
    ...(tables.every(isObject) ? { profiles: Object.assign({}, ...tables) } : {}),
  };
}
