import type { Json, JsonObject } from '../base/json';
import type { JsonSchema } from '../base/schema';

/** One setting. */
export interface SettingDeclaration<Schema extends JsonSchema = JsonSchema> {
  readonly schema: Schema;
  readonly default: Json;
  /** The editor's scope in the manifest. */
  readonly scope: 'application' | 'machine' | 'window';
  readonly merge: SettingMerge;
  /**
   * What counts where somebody wrote a value that cannot be read, if the default is not the strictest already:
   * `Infinity` for a bound beyond which something is removed.
   */
  readonly strictest?: Json;
  /** From least to most strict, where a signed bundle may tighten a setting that is the user's alone. */
  readonly bundleOrder?: readonly Json[];
  /** Markdown for the settings editor. */
  readonly description: string;
}

/**
 * How the scopes of one setting meet: `user`: a workspace value does not count; `workspace`: the workspace's value
 * wins; `tighten`: the stricter one counts; `layers`: the parts that understand the setting read every scope by
 * themselves (profiles, boundaries, servers).
 */
type SettingMerge =
  | { readonly type: 'user' | 'workspace' | 'layers' }
  /** From least to most strict. */
  | { readonly type: 'tighten'; readonly order: readonly Json[] };

/** The type of the values that fit a schema. */
export type ValueOf<Schema> = Schema extends { readonly enum: readonly (infer Choice)[] }
  ? Choice
  : Schema extends { readonly type: 'array'; readonly items: infer Item }
    ? readonly ValueOf<Item>[]
    : Schema extends { readonly type: keyof ValueTypes }
      ? ValueTypes[Schema['type']]
      : Json;

interface ValueTypes {
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
  readonly object: JsonObject;
}

/** What the values of a setting look like, and which of them counts where nobody wrote one. */
interface Values<S extends JsonSchema> {
  readonly schema: S;
  readonly default: Json & ValueOf<NoInfer<S>>;
}

export const flag = (standard: boolean) => ({ schema: { type: 'boolean' }, default: standard }) as const;

export const text = (standard: string) => ({ schema: { type: 'string' }, default: standard }) as const;

export const choice = <const C extends readonly string[]>(choices: C, standard: C[number]) =>
  ({ schema: { type: 'string', enum: choices }, default: standard }) as const;

export const within = (minimum: number, maximum: number, standard: number) =>
  ({ schema: { type: 'number', minimum, maximum }, default: standard }) as const;

export const whole = (minimum: number, maximum: number, standard: number) =>
  ({ schema: { type: 'integer', minimum, maximum }, default: standard }) as const;

export const object = { schema: { type: 'object' }, default: {} } as const;
export const texts = { schema: { type: 'array', items: { type: 'string' } }, default: [] } as const;
export const objects = { schema: { type: 'array', items: { type: 'object' } }, default: [] } as const;

/** The user's alone: what a workspace says of it does not count. */
export function ofUser<const S extends JsonSchema>(
  values: Values<S>,
  description: string,
  more: { readonly strictest?: Json; readonly scope?: 'machine'; readonly bundleOrder?: readonly Json[] } = {},
): SettingDeclaration<S> {
  return { ...values, scope: 'application', merge: { type: 'user' }, description, ...more };
}

/** One that a workspace has a say in, as `merge` tells. */
const inWindow =
  (merge: SettingMerge) =>
  <const S extends JsonSchema>(values: Values<S>, description: string): SettingDeclaration<S> => ({
    ...values,
    scope: 'window',
    merge,
    description,
  });

/** One of which the workspace's value wins. */
export const ofWorkspace = inWindow({ type: 'workspace' });

/** One of which whoever understands it reads every scope. */
export const inLayers = inWindow({ type: 'layers' });

/** One of which the strictest value counts, whoever gives it; from least to most strict. */
export const tightened = (...order: readonly Json[]) => inWindow({ type: 'tighten', order });
