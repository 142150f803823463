import { defined, isObject } from '../base/json';
import { Findings, got, ObjectReader } from '../base/jsonReader';
import { type Problem, problem } from '../base/problem';
import { say, type Sentence } from '../base/sentence';
import type { Crypto } from '../ports/platform';
import { expand } from '../settings/readSettings';
import type { SettingsLayers } from '../settings/settings';
import { unreadable } from '../settings/settingValues';
import { type PublicKey, readPublicKey } from './publicKey';
import { isBundleName } from './readBundle';

/** One bundle that settings name. */
export interface BundleEntry {
  readonly name: string;
  /** An address, a path of the machine, or a path within the workspace. */
  readonly from: string;
  readonly key: PublicKey;
  /** True where the managed file says so: what the bundle says then counts as the managed file's. */
  readonly mayWiden: boolean;
}

/** What the setting `policy.bundles` comes to. */
interface BundleEntries {
  readonly entries: readonly BundleEntry[];
  /** Entries that cannot be read, by name: a bundle was meant, and nobody can say which. */
  readonly faults: ReadonlyMap<string, Sentence>;
  readonly problems: readonly Problem[];
}

/** Reads the setting of both places that count; the managed file's entry of a name stands before the user's. */
export function readBundleEntries(layers: SettingsLayers, crypto: Pick<Crypto, 'sha256'>): BundleEntries {
  const entries = new Map<string, BundleEntry>();
  const faults = new Map<string, Sentence>();
  const findings = new Findings({
    code: 'invalid_bundle_setting',
    nullIsWrong: true,
    sentence: (pointer, _key, fault) => say('bundle_setting', pointer, fault),
  });
  for (const scope of ['managed', 'user'] as const) {
    const raw = expand(layers[scope])['policy.bundles'];
    if (raw === undefined) continue;
    if (raw === unreadable) {
      faults.set(scope, say('cannot_be_read'));
      continue;
    }
    if (!isObject(raw)) {
      const fault = say('must_be', say('an_object'), got(raw));
      findings.error('', say('bundle_setting', '', fault));
      faults.set(scope, fault);
      continue;
    }
    const table = new ObjectReader(raw, '', findings, 'theirs');
    for (const name of table.names()) {
      if (entries.has(name) || faults.has(name)) continue;
      const before = findings.errors();
      const entry = readEntry(table, name, scope, crypto);
      const fault = findings.problems.findLast(({ severity }) => severity === 'error')?.said;
      if (entry && findings.errors() === before) entries.set(name, entry);
      else faults.set(name, fault ?? say('is_required'));
    }
  }
  const problems = [...findings.problems];
  if (expand(layers.workspace)['policy.bundles'] !== undefined)
    problems.push(problem({ severity: 'information', said: say('bundle_setting_workspace') }));
  return { entries: [...entries.values()], faults, problems };
}

function readEntry(
  table: ObjectReader,
  name: string,
  scope: 'managed' | 'user',
  crypto: Pick<Crypto, 'sha256'>,
): BundleEntry | undefined {
  if (!isBundleName(name)) table.error(name, say('bundle_name', name));
  const row = table.reader(name);
  if (!row) return undefined;
  const from = row.required('from') ?? '';
  if (from !== '' && !isPlace(from)) row.error('from', say('bundle_from', from));
  const text = row.required('key') ?? '';
  const key = readPublicKey(text, crypto);
  if (!key && text !== '') row.error('key', say('bundle_key', text));
  const mayWiden = row.flag('mayWiden') === true;
  if (mayWiden && scope === 'user') row.warn('mayWiden', say('bundle_may_widen_user'));
  row.finish('error', 'invalid_bundle_setting');
  return key && defined({ name, from, key, mayWiden: mayWiden && scope === 'managed' });
}

/** Addresses have to be `https://`; one letter before a colon is a drive. */
function isPlace(from: string): boolean {
  if (/^https:\/\/[^/]/i.test(from)) return true;
  return !/^[a-z][a-z0-9+.-]+:/i.test(from) && !from.includes('\0');
}

export const isAddress = (from: string): boolean => /^https:/i.test(from);
