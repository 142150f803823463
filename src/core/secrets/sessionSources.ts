import { messageOf } from '../base/errorText';
import type { FileSystem } from '../ports/files';
import type { Clock, Crypto, Log, SecretStore } from '../ports/platform';
import type { WorkspaceFolder, WorkspacePath } from '../ports/workspacePath';
import type { Settings } from '../settings/settings';
import { environmentSecrets } from './environmentSecrets';
import { readOwnPatterns } from './ownPatterns';
import { SecretSession } from './session';
import { isEnvironmentFile } from './texts';

interface SourceOptions {
  readonly files: FileSystem;
  readonly secrets: SecretStore;
  readonly clock: Clock;
  readonly crypto: Crypto;
  readonly log: Log;
  readonly settings: () => Settings;
}

/** Files and stored secrets are looked at anew after so long, in milliseconds. */
const freshMs = 5000;
const largestEnvironment = 200_000;
/** Folders below that of the workspace are looked through anew after so long, so deep and no more of them. */
const deepFreshMs = 60_000;
const deepest = 3;
const mostFolders = 200;
const mostNear = 1000;
const leftOut = /^(?:\.|node_modules$|dist$|build$|out$|target$|vendor$|venv$|coverage$)/;

/**
 * The session of a window, with what is known to be secret: the values of `.env` files and of the secret storage, and
 * the patterns of every scope.
 */
export class SessionSources {
  readonly #options: SourceOptions;
  readonly #session: SecretSession;
  #readAt = -Infinity;
  #deepAt = -Infinity;
  #patterns: unknown;
  #versions = new Map<string, string>();
  /** When the folders were looked at whose files calls touched, by folder. */
  readonly #near = new Map<string, number>();
  #reading: Promise<void> | undefined;

  constructor(options: SourceOptions) {
    this.#options = options;
    const { clock, crypto } = options;
    const draw = (): string =>
      crypto
        .randomId()
        .replace(/[^0-9a-f]/g, '')
        .slice(0, 8);
    this.#session = new SecretSession(draw, () => clock.monotonic());
  }

  /** The session with what was known when it was last asked for. */
  get latest(): SecretSession {
    return this.#session;
  }

  /**
   * The session with what is known now.
   * @param near files that a call touched: environment files of their folder, and of those above, are known at once,
   * however deep.
   */
  async session(near: readonly WorkspacePath[] = []): Promise<SecretSession> {
    this.#reading ??= this.#refresh().finally(() => (this.#reading = undefined));
    await this.#reading;
    for (const { folder, path } of near)
      for (let at = above(path); at !== ''; at = above(at)) await this.#readNear({ folder, path: at });
    return this.#session;
  }

  async #readNear(path: WorkspacePath): Promise<void> {
    const key = `${path.folder.name}/${path.path}`;
    const now = this.#options.clock.monotonic();
    if (now - (this.#near.get(key) ?? -Infinity) < freshMs) return;
    if (this.#near.size >= mostNear) this.#near.clear();
    this.#near.set(key, now);
    const entries = await this.#options.files.readDirectory(path).catch(() => []);
    for (const { name, type } of entries)
      if (type !== 'directory' && isEnvironmentFile(name))
        await this.#readEnvironment({ ...path, path: `${path.path}/${name}` });
  }

  async #refresh(): Promise<void> {
    const { clock, log, settings } = this.#options;
    const layers = settings().layers;
    const written = JSON.stringify(
      (['managed', 'user', 'workspace'] as const).map((scope) => layers[scope]['redaction.patterns']),
    );
    if (written !== this.#patterns) {
      this.#patterns = written;
      const { patterns, faults } = await readOwnPatterns(layers);
      for (const { message } of faults) log.warn(message);
      this.#session.usePatterns(patterns);
    }
    if (clock.monotonic() - this.#readAt < freshMs) return;
    this.#readAt = clock.monotonic();
    const isDeep = this.#readAt - this.#deepAt >= deepFreshMs;
    if (isDeep) this.#deepAt = this.#readAt;
    const places = this.#options.files.folders().map((folder) => this.#readFolder(folder, isDeep));
    await Promise.all([...places, this.#readStorage()]);
  }

  async #readStorage(): Promise<void> {
    const { secrets } = this.#options;
    try {
      for (const name of await secrets.names()) {
        const value = await secrets.get(name);
        if (value !== undefined && value.length >= 8) this.#session.know(value, 'stored-secret', []);
      }
    } catch (error) {
      this.#options.log.warn(`the stored secrets cannot be listed: ${messageOf(error)}`);
    }
  }

  /** The environment files of a folder, and from time to time those below it too. */
  async #readFolder(folder: WorkspaceFolder, isDeep: boolean): Promise<void> {
    let left = mostFolders;
    const look = async (path: string, depth: number): Promise<void> => {
      left--;
      const entries = await this.#options.files.readDirectory({ folder, path }).catch(() => []);
      for (const { name, type } of entries) {
        const inner = path === '' ? name : `${path}/${name}`;
        if (type === 'directory') {
          if (isDeep && depth < deepest && left > 0 && !leftOut.test(name)) await look(inner, depth + 1);
        } else if (isEnvironmentFile(name)) await this.#readEnvironment({ folder, path: inner });
      }
    };
    await look('', 0);
  }

  async #readEnvironment(path: WorkspacePath): Promise<void> {
    const { files } = this.#options;
    const { folder } = path;
    try {
      const stat = await files.stat(path);
      const version = `${stat?.modifiedMs ?? ''} ${stat?.size ?? ''}`;
      const key = `${folder.name}/${path.path}`;
      if (stat?.type !== 'file' || stat.size > largestEnvironment || this.#versions.get(key) === version) return;
      const file = await files.open(path);
      try {
        const text = new TextDecoder().decode(await file.read(0, stat.size));
        const place = `folder ${files.folders().length > 1 ? folder.name : '.'}`;
        for (const { start, end, rule } of environmentSecrets(text))
          this.#session.know(text.slice(start, end), rule, [place]);
        this.#versions.set(key, version);
      } finally {
        await file.close();
      }
    } catch {
      // A file that cannot be read here is read by nobody through us either.
    }
  }
}

/** The folder of a path; empty for what lies in the workspace folder itself. */
const above = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
