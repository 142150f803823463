import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Emitter } from '../core/base/event';
import type { Disposable } from '../core/base/lifecycle';
import type { PolicyFile } from '../core/policy/rules/boundaryFile';
import type { PolicyFileSource } from '../core/policy/rules/policySources';
import { isResolverFile } from '../core/resolver/workspace';
import { PolicyStamp } from './policyStamp';
import { readSmallFile } from './regularFile';

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
