import type { Json, JsonObject } from '../../base/json';
import { auditSettings } from './auditSettings';
import { fileSettings } from './fileSettings';
import { foreignSettings } from './foreignSettings';
import { policySettings } from './policySettings';
import { profileSettings } from './profileSettings';
import { serviceSettings } from './serviceSettings';
import type { SettingDeclaration } from './settingDeclaration';
import { webSettings } from './webSettings';

const settingTable = {
  ...profileSettings,
  ...policySettings,
  ...webSettings,
  ...fileSettings,
  ...auditSettings,
  ...foreignSettings,
  ...serviceSettings,
};

/** The key of a declared setting, without the prefix `agentCapabilities.`. */
export type SettingKey = keyof typeof settingTable;

/** The type of each setting's value, by its key. */
export type SettingValues = { readonly [Key in SettingKey]: ValueOf<(typeof settingTable)[Key]['schema']> };

type ValueOf<Schema> = Schema extends { readonly enum: readonly (infer Choice)[] }
  ? Choice
  : Schema extends { readonly type: 'array'; readonly items: infer Item }
    ? readonly ValueOf<Item>[]
    : Schema extends { readonly type: keyof ValueTypes }
      ? ValueTypes[Schema['type']]
      : Json;

interface ValueTypes {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly object: JsonObject;
}

/** A setting with its place in the settings editor. */
export interface SettingSpec extends SettingDeclaration {
  readonly key: SettingKey;
  readonly order: number;
}

/** Every setting `agentCapabilities.*`; the manifest's configuration is generated from this list. */
export const settingSpecs: readonly SettingSpec[] = Object.entries<SettingDeclaration>(settingTable).map(
  // Safe: the table has no keys but those that its type names.
  ([key, declared], order) => ({ key: key as SettingKey, ...declared, order }),
);

/** The full id by which the editor knows a setting. */
export function settingId<Key extends SettingKey>(key: Key): `agentCapabilities.${Key}` {
  return `agentCapabilities.${key}`;
}
