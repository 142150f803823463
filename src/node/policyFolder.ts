import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { Emitter } from '../core/base/event';
import type { Disposable } from '../core/base/lifecycle';
import type { PolicyFile } from '../core/policy/rules/boundaryFile';
import type { PolicyFileSource } from '../core/policy/rules/policySources';
import { isResolverFile } from '../core/resolver/workspace';
import { readSmallFile } from './regularFile';
import { settledMs, stampText } from './fileStamp';

/**
 * The policy files and definitions of one workspace folder, for a process that no editor tells of changes: one that
 * serves runs for days, so it looks before every call, and one look serves both sources.
 */
export class PolicyFolder implements Disposable {
  readonly #workspace: string;
  readonly #folder: string;
  readonly #stamp: PolicyStamp;
  readonly #changed = new Emitter<void>();
  #seen: string;

  constructor(workspace: string) {
    this.#workspace = workspace;
    this.#folder = path.join(workspace, '.vscode', 'capabilities');
    this.#stamp = new PolicyStamp(this.#folder, isResolverFile);
    this.#seen = this.#stamp.now();
  }

  get boundaryFiles(): PolicyFileSource {
    return {
      read: () => this.#read('boundaries.json'),
      onDidChange: this.#changed.event,
      refresh: async () => this.#refresh(),
    };
  }

  get resolverFiles(): PolicyFileSource {
    return { read: () => this.#all(), onDidChange: this.#changed.event };
  }

  #refresh(): void {
    const now = this.#stamp.now();
    if (now === this.#seen) return;
    this.#seen = now;
    this.#changed.fire();
  }

  #read(name: string): readonly PolicyFile[] {
    const file = path.join(this.#folder, name);
    const read = readSmallFile(file, { within: this.#workspace });
    if (read.type === 'absent') return [];
    return [read.type === 'text' ? { path: file, text: read.text } : { path: file, text: '', fault: read.fault }];
  }

  /** In the order of their names. A folder that cannot be listed holds rules that cannot be read. */
  #all(): readonly PolicyFile[] {
    if (!existsSync(this.#folder)) return [];
    let names: readonly string[];
    try {
      names = readdirSync(this.#folder);
    } catch {
      return this.#read('boundaries.json');
    }
    return names
      .filter(isResolverFile)
      .sort()
      .flatMap((name) => this.#read(name));
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/**
 * Tells whether the files of one folder may have changed, by their names, times and sizes: another text is another
 * stamp. It is asked before every call, so a folder that does not exist costs one look, and one whose own time stands
 * still is not listed again.
 */
export class PolicyStamp {
  readonly #folder: string;
  readonly #accepts: (name: string) => boolean;
  #listed: { readonly time: string; readonly names: readonly string[] } | undefined;

  /** @param accepts picks the files by their names. */
  constructor(folder: string, accepts: (name: string) => boolean) {
    this.#folder = folder;
    this.#accepts = accepts;
  }

  now(): string {
    try {
      const folder = statSync(this.#folder, { throwIfNoEntry: false });
      if (!folder) return '';
      const stamps: string[] = [];
      for (const name of this.#names(folder.mtimeMs, folder.ctimeMs)) {
        const file = statSync(path.join(this.#folder, name), { throwIfNoEntry: false });
        if (file) stamps.push(`${name}:${stampText(file)}`);
      }
      return stamps.join('|');
    } catch {
      return '';
    }
  }

  #names(mtimeMs: number, ctimeMs: number): readonly string[] {
    const time = `${mtimeMs}:${ctimeMs}`;
    if (this.#listed?.time === time) return this.#listed.names;
    const names = readdirSync(this.#folder).filter(this.#accepts).sort();
    this.#listed = Date.now() - Math.max(mtimeMs, ctimeMs) > settledMs ? { time, names } : undefined;
    return names;
  }
}
