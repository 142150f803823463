import { isObject } from '../base/json';
import { type Findings, got, ObjectReader, pointerTo } from '../base/jsonReader';
import { say } from '../base/sentence';
import { connectionTypes } from './entrySchemas';

/**
 * A connection as the user's settings name it: `{ "type": "sqlite", "path": "data/app.sqlite" }` or `{ "type":
 * "postgres", "url": "…" }`.
 */
export type ConfiguredDatabase =
  | { readonly type: 'sqlite'; readonly name: string; readonly path: string }
  | {
      readonly type: 'postgres';
      readonly name: string;
      readonly url: string;
      readonly secret: string | undefined;
      readonly acceptPowerfulRole: boolean;
    };

/** Reads one entry of `database.connections`; undefined where it cannot be used, which is told. */
export function readConnection(name: string, raw: unknown, findings: Findings): ConfiguredDatabase | undefined {
  const pointer = pointerTo('', name);
  if (!isObject(raw)) {
    findings.error(pointer, findings.about(pointer, name, say('must_be', say('an_object'), got(raw))));
    return undefined;
  }
  const entry = new ObjectReader(raw, pointer, findings, 'theirs');
  const type = entry.oneOf('type', connectionTypes);
  if (type === undefined) {
    if (!entry.has('type')) entry.error('type', say('is_required'));
    return undefined;
  }
  const read = type === 'sqlite' ? readSqlite(name, entry) : readPostgres(name, entry);
  entry.finish('warning', findings.options.code);
  return read;
}

function readSqlite(name: string, entry: ObjectReader): ConfiguredDatabase | undefined {
  const path = entry.required('path');
  return path === undefined ? undefined : { type: 'sqlite', name, path };
}

/** An address may hold a password, so it is not shown. */
function readPostgres(name: string, entry: ObjectReader): ConfiguredDatabase | undefined {
  const url = entry.required('url');
  const secret = entry.text('passwordSecret');
  const acceptPowerfulRole = entry.flag('acceptPowerfulRole') === true;
  if (url === undefined) return undefined;
  if (/^postgres(?:ql)?:\/\//.test(url)) return { type: 'postgres', name, url, secret, acceptPowerfulRole };
  entry.error('url', say('postgres_url'));
  return undefined;
}
