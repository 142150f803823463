import type { Problem } from '../base/problem';
import type { BundleLayer } from './bundleLayer';
import type { SettingKey, SettingValues } from './settingTable';

/**
 * What a user and a workspace wrote, by key without the `agentCapabilities.` prefix; `managed` is the managed file's
 * content.
 */
export interface SettingsLayers {
  readonly managed: Readonly<Record<string, unknown>>;
  readonly user: Readonly<Record<string, unknown>>;
  readonly workspace: Readonly<Record<string, unknown>>;
  /** What is wrong with the managed file, where nobody else tells of it. */
  readonly managedProblems?: readonly Problem[];
  /** Signed bundles that tighten what the user and the managed file say. */
  readonly bundles?: readonly BundleLayer[];
}

/** Who writes settings in a place of their own. */
export type SettingScope = Exclude<keyof SettingsLayers, 'bundles' | 'managedProblems'>;

type Written = { readonly [Key in SettingKey]?: unknown };

/** The same with one value for each setting that a scope names: nested objects are taken apart. */
type WrittenSettings = { readonly [Scope in SettingScope]: Written } & { readonly bundles: readonly BundleLayer[] };

/** The settings after their scopes have met. */
export interface Settings {
  readonly layers: WrittenSettings;
  readonly problems: readonly Problem[];
  get<Key extends SettingKey>(key: Key): SettingValues[Key];
}
