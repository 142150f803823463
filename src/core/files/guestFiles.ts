import type { Json } from '../base/json';
import { permissionDenied, toolError } from '../vocabulary/errors';
import { resolvePath, samePath } from './paths';
import { readWhole } from './readWhole';
import type { ToolContext } from '../capability/tool';
import { accessLabel } from '../ports/accessLabel';
import type { WorkspacePath } from '../ports/workspacePath';

/** The longest path that is looked at, as in the schemas of the file tools. */
const mostPath = 4096;
const mostBytes = 5_000_000;

/**
 * The files of a call for code that runs in the sandbox: those that the call has, each use judged by the gate as an
 * access met while running.
 * @param who stands in the error of a denial.
 */
export function guestFiles(context: ToolContext, who: string) {
  const { files } = context.ports;
  const judge = async (effect: 'fs.read' | 'fs.write', path: WorkspacePath): Promise<void> => {
    const verdict = await context.access({ effect, resource: accessLabel(path, files) });
    if (!verdict.allowed) throw permissionDenied(who, `may not reach the file: ${verdict.reason}`);
  };
  const place = async (raw: Json | undefined, effect: 'fs.read' | 'fs.write'): Promise<WorkspacePath> => {
    if (typeof raw !== 'string') throw new TypeError('the path must be a string');
    if (raw.length > mostPath) throw new TypeError(`the path has ${raw.length} characters, more than ${mostPath}`);
    const named = await resolvePath(files, raw);
    const real = await files.canonical(named);
    // A link is judged by its own name and by where it leads.
    if (!samePath(named, real)) await judge(effect, named);
    await judge(effect, real);
    return real;
  };
  return {
    async read(raw: Json | undefined): Promise<string> {
      const path = await place(raw, 'fs.read');
      const bytes = await readWhole(files, path, mostBytes + 1);
      if (bytes.byteLength > mostBytes) throw toolError('too_large', `the file has more than ${mostBytes} bytes`);
      return new TextDecoder().decode(bytes);
    },
    async list(raw: Json | undefined): Promise<Json> {
      const path = await place(raw ?? '.', 'fs.read');
      const below = path.path === '' ? '' : `${path.path}/`;
      const found = (await files.readDirectory(path)).map(({ name, type }) => {
        return { name, type, resource: accessLabel({ folder: path.folder, path: below + name }, files) };
      });
      // What list_directory leaves out is left out here too.
      const screen = context.screen?.('fs.read');
      const asked = found.filter(({ resource }) => !screen?.(resource));
      const verdicts = await context.accessAll(asked.map(({ resource }) => ({ effect: 'fs.read', resource })));
      const closed = new Set(asked.filter((_one, index) => !verdicts[index]?.allowed));
      return found.filter((one) => !closed.has(one)).map(({ name, type }) => ({ name, type }));
    },
    async write(raw: Json | undefined, content: Json | undefined): Promise<Json> {
      if (typeof content !== 'string') throw new TypeError('the content must be a string');
      const path = await place(raw, 'fs.write');
      const { created } = await files.writeFile(path, new TextEncoder().encode(content));
      return { created };
    },
  };
}
