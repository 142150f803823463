import { readFileSync, watchFile, unwatchFile } from 'node:fs';
import path from 'node:path';
import { parse, type ParseError } from 'jsonc-parser';
import { isObject } from '../core/base/json';
import { type Disposable, toDisposable } from '../core/base/lifecycle';

/** Where an administrator puts the managed settings: a fixed path of each operating system, which only an administrator can write. */
export function managedFilePath(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string {
  switch (platform) {
    case 'win32':
      return path.win32.join(environment['ProgramData'] ?? 'C:\\ProgramData', 'AgentCapabilities', 'managed.json');
    case 'darwin':
      return '/Library/Application Support/AgentCapabilities/managed.json';
    default:
      return '/etc/agent-capabilities/managed.json';
  }
}

/** Settings of our own in an object of settings: keys `agentCapabilities.*`, or all of them below one key `agentCapabilities`. */
export function ownSettings(value: unknown): Record<string, unknown> {
  if (!isObject(value)) return {};
  const own: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (key === 'agentCapabilities' && isObject(item)) Object.assign(own, item);
    else if (key.startsWith('agentCapabilities.')) own[key.slice('agentCapabilities.'.length)] = item;
  }
  return own;
}

/** How often a managed file is looked at; administrators' tools replace such files whole, which watchers of folders miss. */
const pollMs = 5000;

/**
 * The managed settings, read at once and again when their file changes. A file that is not there manages nothing;
 * one that cannot be read keeps what it said before (invariant: nothing lost) and is told to `onProblem`.
 */
export class ManagedFile implements Disposable {
  readonly #onProblem: (message: string) => void;
  #values: Record<string, unknown> = {};
  #watching: Disposable | undefined;
  readonly path: string;

  constructor(file: string, onProblem: (message: string) => void) {
    this.path = file;
    this.#onProblem = onProblem;
    this.#read();
  }

  get values(): Readonly<Record<string, unknown>> {
    return this.#values;
  }

  /** Calls back after each change of the file. */
  watch(onChange: () => void): void {
    this.#watching?.dispose();
    const listener = (): void => {
      this.#read();
      onChange();
    };
    watchFile(this.path, { interval: pollMs, persistent: false }, listener);
    this.#watching = toDisposable(() => unwatchFile(this.path, listener));
  }

  #read(): void {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8').replace(/^\ufeff/, '');
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'ENOENT' || code === 'ENOTDIR') this.#values = {};
      else
        this.#onProblem(`the managed file \`${this.path}\` cannot be read (${String(code ?? error)}); what it said before stays in force`);
      return;
    }
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    if (errors.length > 0 || !isObject(value))
      this.#onProblem(`the managed file \`${this.path}\` is not valid JSON; what it said before stays in force`);
    else this.#values = ownSettings(value);
  }

  dispose(): void {
    this.#watching?.dispose();
  }
}
