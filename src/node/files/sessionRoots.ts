import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import type { Disposable } from '../../core/base/lifecycle';
import { toolError } from '../../core/vocabulary/errors';
import { isRunning } from '../processes/isRunning';
import { makeFolder } from '../folders/makeFolder';

/** Machine, process and 128 random bits: nobody can foretell the name, and a later start knows whose it was. */
const sessionName = /^([0-9a-f]{8})\.(\d{1,10})\.[0-9a-f]{32}$/;

/**
 * The session roots of one process (`root: session`): made when they are first needed, under a name that nobody can
 * foretell, for this user alone, one for each key. They belong to this window and are gone with it; what a killed one
 * left is removed at a later start.
 */
export class SessionRoots implements Disposable {
  readonly #storage: string | undefined;
  readonly #roots = new Map<string, string>();
  #base: { readonly folder: string; readonly storage: string } | undefined;
  #disposed = false;

  /** @param storage where the roots lie; without it in a folder of their own among the machine's temporary files. */
  constructor(storage: string | undefined) {
    this.#storage = storage;
  }

  /** The folder of a key; another key has another folder, and so has the same key in any other process. */
  root(key: string): string {
    const known = this.#roots.get(key);
    if (known !== undefined) return known;
    if (this.#disposed) throw toolError('not_available', 'the session is over, and its files are gone');
    this.#base ??= makeBase(this.#storage);
    // The key is hashed, so that no profile's name can climb out of the folder or meet another's.
    const root = path.join(this.#base.folder, createHash('sha256').update(key).digest('hex').slice(0, 32));
    makePrivate(root);
    this.#roots.set(key, root);
    return root;
  }

  /** Removes the roots of processes of this machine that are gone; answers how many. Never throws. */
  async sweep(): Promise<number> {
    if (this.#storage === undefined) return 0;
    const storage = this.#storage;
    let swept = 0;
    for (const name of await readdir(storage).catch(() => [])) {
      const [, machine, pid = ''] = sessionName.exec(name) ?? [];
      if (machine !== thisMachine() || Number(pid) === process.pid || isRunning(Number(pid))) continue;
      // What is removed is a folder of this user, and no link in it is followed.
      await rm(path.join(storage, name), { recursive: true, force: true }).then(
        () => swept++,
        () => undefined,
      );
    }
    return swept;
  }

  dispose(): void {
    this.#disposed = true;
    const base = this.#base;
    this.#base = undefined;
    this.#roots.clear();
    if (!base) return;
    try {
      rmSync(base.folder, { recursive: true, force: true, maxRetries: 2 });
      // Fails where another process has a session there.
      rmdirSync(base.storage);
    } catch {
      return;
    }
  }
}

function makeBase(wanted: string | undefined): { readonly folder: string; readonly storage: string } {
  const storage = wanted ?? mkdtempSync(path.join(tmpdir(), 'agent-capabilities-session-'));
  makeFolder(storage);
  const folder = path.join(realpathSync(storage), `${thisMachine()}.${process.pid}.${randomBytes(16).toString('hex')}`);
  makePrivate(folder);
  return { folder, storage };
}

/** Makes a folder that was not there before, for this user alone whatever the process's mask says. */
function makePrivate(folder: string): void {
  mkdirSync(folder, { mode: 0o700 });
  if (process.platform === 'win32') return;
  chmodSync(folder, 0o700);
  const made = lstatSync(folder);
  if (!made.isDirectory() || made.uid !== process.geteuid?.())
    throw toolError('not_available', 'the folder for session files does not belong to this user');
}

function thisMachine(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}
