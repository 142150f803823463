import { readdirSync } from 'node:fs';
import path from 'node:path';
import { Emitter, type Event } from '../core/base/event';
import type { Disposable } from '../core/base/lifecycle';
import { fileStamp } from './fileStamp';

/** How often is looked, in milliseconds: what a person saves counts before they have looked for it. */
const lookMs = 500;
/** `.vscode/capabilities/handlers` is two levels down. */
const deepest = 3;
/** What lies beyond is not looked at; no folder of definitions is so large. */
const mostFiles = 2000;

/**
 * Tells that something in a folder changed, by the names, times and sizes of its files. It looks by itself, because
 * watchers of the system miss changes on network drives and in folders that are made later.
 */
export class FolderWatch implements Disposable {
  readonly #folder: string;
  readonly #changed = new Emitter<void>();
  readonly #timer: NodeJS.Timeout;
  #seen: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#seen = this.#stamp();
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  #look(): void {
    const now = this.#stamp();
    if (now === this.#seen) return;
    this.#seen = now;
    this.#changed.fire();
  }

  #stamp(): string {
    const stamps: string[] = [];
    const visit = (folder: string, depth: number): void => {
      let entries;
      try {
        entries = readdirSync(folder, { withFileTypes: true });
      } catch {
        // Not there, or not to be read: what is in it does not count.
        return;
      }
      for (const entry of entries) {
        if (stamps.length >= mostFiles) return;
        const at = path.join(folder, entry.name);
        if (entry.isDirectory()) {
          if (depth < deepest) visit(at, depth + 1);
          continue;
        }
        stamps.push(`${at}:${fileStamp(at)}`);
      }
    };
    visit(this.#folder, 0);
    return stamps.sort().join('|');
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#changed.dispose();
  }
}
