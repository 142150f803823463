import { isToolError } from '../vocabulary/errors';
import { isInside } from '../files/isInside';
import { withSlashes } from '../files/paths';
import type { FileSystem, PathStyle } from '../ports/files';
import { ofProcess, resolveDots } from './machinePath';
import { accessLabel } from '../ports/accessLabel';
import type { WorkspaceFolder, WorkspacePath } from '../ports/workspacePath';

/** Names paths of a machine as policy does, both as written and as the disk has them. Looks at each place once. */
export class PlaceLabels {
  readonly #files: FileSystem;
  readonly #cwd: string | undefined;
  readonly #known = new Map<string, Promise<readonly string[] | undefined>>();
  readonly #roots = new Map<string, Promise<string | undefined>>();

  /** @param cwd where relative paths start: the folder of the process that gets them. */
  constructor(files: FileSystem, cwd: string | undefined) {
    this.#files = files;
    this.#cwd = cwd ?? files.folders()[0]?.path;
  }

  get cwd(): string | undefined {
    return this.#cwd;
  }

  /**
   * The labels of a path: relative to the workspace inside it, absolute outside; then that of the place where its links
   * lead, if it differs. Undefined where only the receiver knows what is meant (its open files).
   */
  of(text: string): Promise<readonly string[] | undefined> {
    let labels = this.#known.get(text);
    if (!labels) this.#known.set(text, (labels = this.#find(text)));
    return labels;
  }

  /**
   * The labels of a path that only might be meant: a link that leads out of the workspace is no reason to refuse it,
   * and what only the receiver knows is none.
   */
  async ofSuspect(text: string): Promise<readonly string[]> {
    try {
      return (await this.of(text)) ?? [];
    } catch {
      return [text];
    }
  }

  /** The labels of a place in the workspace: as written, and where its links lead. One that leads out is refused. */
  async inside(path: WorkspacePath): Promise<readonly string[]> {
    const label = accessLabel(path, this.#files);
    try {
      return [...new Set([label, accessLabel(await this.#files.canonical(path, { follow: true }), this.#files)])];
    } catch (error) {
      // A link that leads out of the workspace would make the label a lie; a path that is not there yet is judged as
      // written.
      if (isToolError(error) && error.data.code === 'path_outside') throw error;
      return [label];
    }
  }

  async #find(text: string): Promise<readonly string[] | undefined> {
    const raw = absolutePath(text, this.#cwd, this.#files.style);
    if (raw === undefined) return [text];
    const written = ofProcess(raw.startsWith('~') ? raw : resolveDots(raw), this.#cwd);
    if (written === undefined) return undefined;
    const labels = new Set<string>();
    for (const folder of this.#files.folders()) {
      if (folder.scheme !== 'file' || !this.#isInside(written, folder.path)) continue;
      const path = below(written, folder.path, this.#files.style);
      for (const label of await this.inside({ folder, path })) labels.add(label);
    }
    if (labels.size === 0) labels.add(written);
    // The disk goes through links before it goes up, so what is asked of it still has its `..`.
    const real = await this.#files.realPath?.(raw, this.#cwd);
    if (real === null) return undefined;
    if (real !== undefined) for (const label of await this.#labelsOfReal(real)) labels.add(label);
    return [...labels];
  }

  /**
   * Where the workspace has what lies below a path, behind its links: the place in a folder that holds it, or whole
   * folders that lie below it, each with its path from there to put before others.
   */
  async placesBelow(text: string): Promise<PlacesBelow> {
    const raw = absolutePath(text, this.#cwd, this.#files.style);
    if (raw === undefined) return { at: [], real: text, isOutside: false };
    const real = (await this.#files.realPath?.(raw, this.#cwd)) ?? resolveDots(raw);
    const at: PlaceBelow[] = [];
    let isOutside = true;
    for (const folder of this.#files.folders()) {
      if (folder.scheme !== 'file') continue;
      const root = (await this.#rootOf(folder)) ?? folder.path;
      const isHolding = this.#isInside(real, root);
      if (isHolding) at.push({ place: { folder, path: below(real, root, this.#files.style) }, within: '' });
      else if (real === '/' || this.#isInside(root, real))
        at.push({ place: { folder, path: '' }, within: `${below(root, real, this.#files.style)}/` });
      isOutside &&= !isHolding;
    }
    return { at, real, isOutside };
  }

  async #labelsOfReal(real: string): Promise<readonly string[]> {
    const labels: string[] = [];
    for (const folder of this.#files.folders()) {
      if (folder.scheme !== 'file') continue;
      const root = await this.#rootOf(folder);
      if (root !== undefined && this.#isInside(real, root))
        labels.push(accessLabel({ folder, path: below(real, root, this.#files.style) }, this.#files));
    }
    return labels.length > 0 ? labels : [real];
  }

  #rootOf(folder: WorkspaceFolder): Promise<string | undefined> {
    let root = this.#roots.get(folder.path);
    if (!root) {
      const asked = this.#files.realPath?.(folder.path, undefined) ?? Promise.resolve(undefined);
      this.#roots.set(folder.path, (root = asked.then((found) => found ?? undefined)));
    }
    return root;
  }

  #isInside(absolute: string, root: string): boolean {
    return this.#files.caseInsensitive
      ? isInside(absolute.toLowerCase(), root.toLowerCase())
      : isInside(absolute, root);
  }
}

interface PlacesBelow {
  readonly at: readonly PlaceBelow[];
  /** The path behind its links. */
  readonly real: string;
  readonly isOutside: boolean;
}

/** A folder of the workspace that is looked into for another one. */
interface PlaceBelow {
  readonly place: WorkspacePath;
  /** What stands before its paths as they are seen from the other one. */
  readonly within: string;
}

function below(path: string, root: string, style: PathStyle): string {
  return withSlashes(path.slice(root.replace(/(?<![/\\])[/\\]+$/, '').length), style).replace(/^\/+/, '');
}

/** An absolute path, its `..` still in it; undefined where there is nothing that it could be relative to. */
function absolutePath(text: string, base: string | undefined, style: PathStyle): string | undefined {
  const slashes = withSlashes(text, style);
  const isAbsolute = slashes.startsWith('/') || (style === 'windows' && /^[a-z]:\//i.test(slashes));
  if (slashes.startsWith('~') || isAbsolute) return slashes;
  return base === undefined ? undefined : `${base.replaceAll('\\', '/')}/${slashes}`;
}
