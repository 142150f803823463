import { parsedJson } from '../base/json';
import { readJsonDocument } from '../base/jsonDocument';
import { Findings, got, type ObjectReader, readerOf } from '../base/jsonReader';
import type { Parsed } from '../base/problem';
import { say } from '../base/sentence';
import type { Crypto } from '../ports/platform';
import { type SettingKey, type SettingSpec, settingSpecs } from '../settings/settingTable';
import { misfit } from '../settings/settingValues';
import { type Bundle, bundleFormat, type PinnedDefinition } from './bundle';

/** Settings that say where policy comes from: a bundle that held them could replace itself. */
const notInBundles: ReadonlySet<SettingKey> = new Set(['policy.managedFile', 'policy.bundles', 'saveTo']);
const specs: ReadonlyMap<string, SettingSpec> = new Map(
  settingSpecs.filter(({ key }) => !notInBundles.has(key)).map((spec) => [spec.key, spec]),
);

/** True for a setting that a bundle can hold. */
export const canBeBundled = (key: string): boolean => specs.has(key);

/** Names by which bundles are known to settings, records and file names. */
export const isBundleName = (name: string): boolean => /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name);

/**
 * Reads the payload of a bundle. Strict: what is unknown, there twice or of the wrong type makes the whole unreadable,
 * because nobody can say what it was to tighten. Rules, limits and profiles in it are read where they come into force.
 */
export function readBundle(text: string, crypto: Pick<Crypto, 'sha256'>): Parsed<Bundle | undefined> {
  const document = readJsonDocument(text, 'bundle');
  const findings = new Findings({ code: 'invalid_bundle', nullIsWrong: true });
  // Comments and trailing commas are no JSON: another program would read something else, or nothing.
  if (document.problems.length === 0 && parsedJson(text) === undefined) findings.error('', say('bundle_no_json'));
  const faults = [...document.problems, ...findings.problems];
  if (faults.length > 0) return { value: undefined, problems: faults };
  const reader = readerOf(document.value, '', findings, say('bundle_payload'));
  const value = reader && read(reader, crypto);
  return { value: findings.problems.length > 0 ? undefined : value, problems: findings.problems };
}

function read(reader: ObjectReader, crypto: Pick<Crypto, 'sha256'>): Bundle {
  const format = reader.raw('bundle');
  if (format !== bundleFormat) reader.error('bundle', say('must_be', String(bundleFormat), got(format)));
  const name = reader.required('name') ?? '';
  if (!isBundleName(name)) reader.error('name', say('bundle_name', name));
  const revision = reader.raw('revision');
  const isRevision = typeof revision === 'number' && Number.isSafeInteger(revision) && revision >= 1;
  if (!isRevision) reader.error('revision', say('bundle_revision', got(revision)));
  const issuedAt = time(reader, 'issued');
  const expiresAt = time(reader, 'expires');
  if (expiresAt <= issuedAt) reader.error('expires', say('bundle_times'));
  const bundle: Bundle = {
    name,
    revision: isRevision ? revision : 0,
    issuedAt,
    expiresAt,
    description: reader.text('description') ?? '',
    settings: settingsOf(reader),
    servers: serversOf(reader),
    definitions: definitionsOf(reader, crypto),
  };
  reader.finish('error', 'invalid_bundle');
  return bundle;
}

/** In milliseconds since 1970; only one spelling of each second is read. */
function time(reader: ObjectReader, key: 'issued' | 'expires'): number {
  const text = reader.required(key) ?? '';
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at) || timeText(at) !== text) reader.error(key, say('bundle_time', text));
  return at;
}

/** A time as bundles write it. */
export function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

function settingsOf(reader: ObjectReader): Bundle['settings'] {
  const table = reader.table('settings');
  return (
    table?.each((key) => {
      const value = table.raw(key);
      const spec = specs.get(key);
      const fault = spec ? misfit(spec.schema, value) : say('bundle_no_setting');
      if (fault) table.error(key, fault);
      return value;
    }) ?? {}
  );
}

function serversOf(reader: ObjectReader): Bundle['servers'] {
  const table = reader.table('servers');
  return (
    table?.each((name) => {
      const row = table.reader(name);
      const pinned = row && { sha256: hash(row) };
      row?.finish('error', 'invalid_bundle');
      return pinned;
    }) ?? {}
  );
}

function definitionsOf(reader: ObjectReader, crypto: Pick<Crypto, 'sha256'>): Bundle['definitions'] {
  const table = reader.table('definitions');
  return (
    table?.each((name): PinnedDefinition | undefined => {
      if (!isDefinitionName(name)) table.error(name, say('bundle_definition_name'));
      const row = table.reader(name);
      if (!row) return undefined;
      const text = row.required('text') ?? '';
      const pinned = { sha256: hash(row), text };
      const own = crypto.sha256(text);
      if (own !== pinned.sha256) row.error('text', say('bundle_swapped', own));
      row.finish('error', 'invalid_bundle');
      return pinned;
    }) ?? {}
  );
}

/** A plain file name, so that it leads nowhere. */
const isDefinitionName = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,100}\.(?:capability|actions|channel)\.json$/.test(name);

function hash(row: ObjectReader): string {
  const text = row.required('sha256') ?? '';
  if (!/^[0-9a-f]{64}$/.test(text)) row.error('sha256', say('bundle_sha256', text));
  return text;
}
