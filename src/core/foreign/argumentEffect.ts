import type { SideEffect } from '../vocabulary/access';
import type { JsonSchema } from '../base/schema';
import type { NameRole } from './argumentRoles';

/**
 * What an argument of a foreign tool touches: `fs.read`, several effects, or `none` for an argument that only looks
 * like a path.
 */
export type ArgumentEffect = SideEffect | readonly SideEffect[];

export interface MappingFacts {
  readonly tool: string;
  readonly schema: JsonSchema;
  /** The tool's inferred side effects, from which the effect of a path argument follows. */
  readonly sideEffects: readonly SideEffect[];
  readonly readOnly: boolean;
  readonly mapping: AccessMapping;
  /** True where the receiver is another machine, which reads no files of this one. */
  readonly isRemote?: boolean;
  /**
   * What names of arguments were found to mean, kept with the tool so that its next call need not take them apart
   * again.
   */
  readonly roles?: Map<string, NameRole>;
}

/**
 * By tool (a name or a glob), then by argument (its name or a JSON pointer): what the argument touches. Editable by the
 * user.
 */
export type AccessMapping = Readonly<Record<string, Readonly<Record<string, ArgumentEffect>>>>;
