import type { Access, SideEffect } from '../access';
import type { JsonSchema } from '../base/schema';
import { ArgumentReader } from '../foreign/argumentReader';
import type { NameRole } from '../foreign/argumentRoles';
import type { FileSystem } from '../ports/files';

export { argumentEffects } from '../foreign/argumentRoles';

/** What an argument of a foreign tool touches: `fs.read`, several effects, or `none` for an argument that only looks like a path. */
export type ArgumentEffect = SideEffect | readonly SideEffect[];

/** By tool (a name or a glob), then by argument (its name or a JSON pointer): what the argument touches. Editable by the user. */
export type AccessMapping = Readonly<Record<string, Readonly<Record<string, ArgumentEffect>>>>;

export interface MappingFacts {
  readonly tool: string;
  readonly schema: JsonSchema;
  /** The tool's inferred side effects, from which the effect of a path argument follows. */
  readonly sideEffects: readonly SideEffect[];
  readonly readOnly: boolean;
  readonly mapping: AccessMapping;
  /** True where the receiver is another machine, which reads no files of this one. */
  readonly isRemote?: boolean;
  /** What names of arguments were found to mean, kept with the tool so that its next call need not take them apart again. */
  readonly roles?: Map<string, NameRole>;
}

/**
 * The accesses of one call of a foreign tool: every argument that is a path, a URL or a command line by the user's mapping, its schema, its
 * name or its value, as written and as its receiver reads it: by the WHATWG parser, and by the disk with its links. With them comes everything
 * that any other text might mean (`Access.suspected`). What looks like a place and cannot be read is refused.
 */
export async function foreignAccesses(
  facts: MappingFacts,
  input: unknown,
  files: FileSystem,
  cwd: string | undefined,
): Promise<readonly Access[]> {
  return new ArgumentReader(facts, files, cwd).read(input);
}
