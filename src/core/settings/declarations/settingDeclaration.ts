import type { Json } from '../../base/json';
import type { JsonSchema } from '../../base/schema';

/** One setting, as the area that it belongs to declares it. */
export interface SettingDeclaration {
  readonly schema: JsonSchema;
  readonly default: Json;
  /** The editor's scope in the manifest. */
  readonly scope: 'application' | 'machine' | 'window';
  readonly merge: SettingMerge;
  /** What counts where somebody wrote a value that cannot be read, if the default is not the strictest already. */
  readonly strictest?: Json;
  /** Markdown for the settings editor. */
  readonly description: string;
}

/** Settings by their keys without the prefix `agentCapabilities.`, in the order of the settings editor. */
export type SettingTable = Readonly<Record<string, SettingDeclaration>>;

/**
 * How the scopes of one setting meet: `user`: a workspace value does not count; `workspace`: the workspace's value
 * wins; `tighten`: the stricter one counts; `layers`: the parts that understand the setting read every scope by
 * themselves (profiles, boundaries, servers).
 */
type SettingMerge =
  | { readonly type: 'user' }
  | { readonly type: 'workspace' }
  | { readonly type: 'layers' }
  /** From least to most strict. */
  | { readonly type: 'tighten'; readonly order: readonly Json[] };
