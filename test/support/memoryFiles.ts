import { toolError } from '../../src/core/vocabulary/errors';
import type { FileStat } from '../../src/core/ports/files';
import type { FileType, WorkspacePath } from '../../src/core/ports/workspacePath';
import type { RawFiles } from '../../src/core/files/rawFiles';

/**
 * A file system in memory, as an editor's provider would be: path → content; `null` is a folder, a text that starts
 * with `->` a link.
 */
export class MemoryFiles implements RawFiles {
  readonly entries = new Map<string, Uint8Array | null>();
  readonly trashed: string[] = [];

  put(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1))
        this.entries.set(path.slice(0, slash), null);
      this.entries.set(path, Buffer.from(text));
    }
  }
  text(path: string): string | undefined {
    const found = this.entries.get(path);
    return found ? Buffer.from(found).toString() : undefined;
  }
  async stat({ path }: WorkspacePath): Promise<FileStat> {
    return {
      type: this.#type(path),
      size: this.entries.get(path)?.length ?? 0,
      readonly: path.endsWith('.ro'),
      createdMs: 1,
      modifiedMs: 2,
      accessedMs: 2,
    };
  }
  async readFile({ path }: WorkspacePath): Promise<Uint8Array> {
    this.#type(path);
    return this.entries.get(path) ?? new Uint8Array();
  }
  async writeFile({ path }: WorkspacePath, content: Uint8Array): Promise<void> {
    this.entries.set(path, content);
  }
  async createDirectory({ path }: WorkspacePath): Promise<void> {
    this.put({ [`${path}/x`]: '' });
    this.entries.delete(`${path}/x`);
  }
  async readDirectory({ path }: WorkspacePath): Promise<{ name: string; type: FileType }[]> {
    if (path !== '') this.#type(path);
    const prefix = path === '' ? '' : `${path}/`;
    return [...this.entries.keys()]
      .filter((one) => one.startsWith(prefix) && !one.slice(prefix.length).includes('/'))
      .map((one) => ({ name: one.slice(prefix.length), type: this.#type(one) }));
  }
  async delete({ path }: WorkspacePath, { toTrash }: { toTrash: boolean }): Promise<void> {
    this.#type(path);
    if (toTrash) this.trashed.push(path);
    for (const one of [...this.entries.keys()])
      if (one === path || one.startsWith(`${path}/`)) this.entries.delete(one);
  }
  async rename(from: WorkspacePath, to: WorkspacePath): Promise<void> {
    for (const [one, content] of [...this.entries]) {
      if (one !== from.path && !one.startsWith(`${from.path}/`)) continue;
      this.entries.delete(one);
      this.entries.set(to.path + one.slice(from.path.length), content);
    }
  }
  #type(path: string): FileType {
    if (path === '') return 'directory';
    const found = this.entries.get(path);
    if (found === undefined) throw toolError('not_found', `\`/${path}\`: nothing is there`);
    if (found === null) return 'directory';
    return Buffer.from(found).toString().startsWith('->') ? 'symlink' : 'file';
  }
}
