import { canonicalJson, isObject, type Json } from '../base/json';
import { changeStored, type Crypto, type KeyValueStore } from '../ports/platform';
import type { BoundFile, EntryView } from './serverUser';
import { type McpServerSpec, parseServers } from './serverSpec';

/** One approved version of a workspace's server. */
interface ApprovedEntry {
  /** Over the name, the folder, the whole entry and the files: another text whenever anything of them changes. */
  readonly hash: string;
  /** The entry as canonical text, for what changed since. */
  readonly content: string;
  readonly files: readonly BoundFile[];
}

/** A workspace goes back and forth between branches; what was approved of a few versions stays approved. */
const mostKept = 10;

/**
 * Remembers which entries of a workspace the user approved: the canonical whole of each, unknown keys too, with the
 * bytes of the workspace's files that it runs, which then hold for this folder only. What is damaged counts as not
 * approved (fails closed).
 */
export class EntryApprovals {
  readonly #storage: KeyValueStore;
  readonly #crypto: Crypto;
  readonly #folder: () => string;

  constructor(storage: KeyValueStore, crypto: Crypto, folder: () => string) {
    this.#storage = storage;
    this.#crypto = crypto;
    this.#folder = folder;
  }

  /** True where the entry was approved, with whichever files; what it starts is looked at before it starts. */
  knows(spec: McpServerSpec): boolean {
    return this.#kept(spec.name).some(({ content }) => content === spec.content);
  }

  /** The approval that covers an entry with these files. */
  find(spec: McpServerSpec, files: readonly BoundFile[]): ApprovedEntry | undefined {
    const hash = this.hash(spec.name, spec.content, files);
    return this.#kept(spec.name).find((one) => one.hash === hash);
  }

  /** The version that was approved last, for what changed since. */
  before(name: string): EntryView | undefined {
    const last = this.#kept(name).at(-1);
    const [spec] = last ? parseServers({ [name]: JSON.parse(last.content) }, 'user').servers : [];
    return last && spec ? { spec, files: last.files } : undefined;
  }

  async approve(spec: McpServerSpec, files: readonly BoundFile[]): Promise<ApprovedEntry> {
    const { name, content } = spec;
    const approved = { hash: this.hash(name, content, files), content, files };
    await changeStored(this.#storage, key(name), (now) =>
      [...this.#keptIn(name, now).filter(({ hash }) => hash !== approved.hash), approved]
        .slice(-mostKept)
        .map((one) => ({ ...one, files: one.files.map((file) => ({ ...file })) })),
    );
    return approved;
  }

  hash(name: string, content: string, files: readonly BoundFile[]): string {
    const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1)).map(({ path, hash }) => [path, hash]);
    // What starts in a folder, or runs its files, is another thing in another folder, whatever the bytes that can be
    // bound.
    const isLocal = files.length > 0 || content.includes('${workspaceFolder}') || content.includes('"cwd"');
    return this.#crypto.sha256(canonicalJson({ name, folder: isLocal ? this.#folder() : '', content, files: sorted }));
  }

  #kept(name: string): readonly ApprovedEntry[] {
    return this.#keptIn(name, this.#storage.get(key(name)));
  }

  #keptIn(name: string, stored: Json | undefined): readonly ApprovedEntry[] {
    return (Array.isArray(stored) ? stored : []).flatMap((one: unknown) => {
      const read = readApproved(one);
      // What is kept must be what was approved, here: anything else was changed in the storage, or belongs to another
      // folder.
      return read && this.hash(name, read.content, read.files) === read.hash ? [read] : [];
    });
  }
}

const key = (name: string): string => `mcp.entry.${name}`;

function readApproved(value: unknown): ApprovedEntry | undefined {
  if (!isObject(value)) return undefined;
  const { hash, content, files } = value;
  if (typeof hash !== 'string' || typeof content !== 'string' || !Array.isArray(files)) return undefined;
  return files.every(isBoundFile)
    ? { hash, content, files: files.map(({ path, hash }) => ({ path, hash })) }
    : undefined;
}

const isBoundFile = (file: unknown): file is BoundFile =>
  isObject(file) && typeof file['path'] === 'string' && typeof file['hash'] === 'string';
