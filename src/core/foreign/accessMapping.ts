import type { Access } from '../vocabulary/access';
import { ArgumentReader } from './argumentReader';
import type { FileSystem } from '../ports/files';
import type { MappingFacts } from './argumentEffect';

/**
 * The accesses of one call of a foreign tool: every argument that is a path, a URL or a command line by the user's
 * mapping, its schema, its name or its value, as written and as its receiver reads it: by the WHATWG parser, and by the
 * disk with its links. With them comes everything that any other text might mean (`Access.suspected`). What looks like
 * a place and cannot be read is refused.
 */
export async function foreignAccesses(
  facts: MappingFacts,
  input: unknown,
  files: FileSystem,
  cwd: string | undefined,
): Promise<readonly Access[]> {
  return new ArgumentReader(facts, files, cwd).read(input);
}
