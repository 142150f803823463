import type { Access } from '../vocabulary/access';
import { Emitter, type Event } from '../base/event';
import { canonicalJson, stringsIn } from '../base/json';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import { changeStored, type Crypto, type KeyValueStore } from '../ports/platform';
import { samePath } from '../files/paths';
import type { FileSystem } from '../ports/files';
import type { Profile } from '../profiles/profile';
import type { PromptFault, PromptSource, PromptText } from '../profiles/promptText';
import type { WorkspacePath } from '../ports/workspacePath';

const acceptedKey = 'prompts.accepted';
const mostAccepted = 200;

/** What tells that prompt files may have changed; the command line has none of it. */
export interface PromptWatch {
  /** Calls back when a file may be another. */
  file(path: WorkspacePath, changed: () => void): Disposable;
  /** Fires when folders came or went, or the workspace is trusted now. */
  readonly onDidChangePlaces: Event<void>;
}

/** What the policy says of an agent that reads a file; `rule` names who says no. */
export type PromptVerdict = { readonly effect: 'pass' } | { readonly effect: 'ask' | 'deny'; readonly rule: string };

interface PromptFilesParts {
  readonly files: FileSystem;
  readonly crypto: Crypto;
  readonly storage: KeyValueStore;
  readonly judge: (accesses: readonly Access[], profile: Profile) => PromptVerdict;
  readonly trusted: () => boolean;
  /** Fires when the rules changed. */
  readonly onDidChangeRules: Event<void>;
  readonly watch?: PromptWatch;
}

/** A prompt of the workspace that nobody has accepted yet. */
interface PendingPrompt {
  readonly file: string;
  readonly text: string;
  readonly hash: string;
}

type State =
  | { readonly type: 'fault'; readonly fault: PromptFault }
  /** The policy said no before anything was read. */
  | { readonly type: 'unread'; readonly accesses: readonly Access[] }
  | { readonly type: 'loaded'; readonly accesses: readonly Access[]; readonly text: string; readonly hash: string };

/**
 * Base prompts that stand in files of the workspace, for the editor and the command line. What a repository writes
 * becomes instructions of a model only where an agent may read the file unasked, the workspace is trusted and this user
 * accepted this very text. Policy is asked before a file is read and again whenever its text is handed out, so that a
 * new rule counts at once.
 */
export class PromptFiles implements PromptSource, Disposable {
  readonly #parts: PromptFilesParts;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #states = new Map<string, State | undefined>();
  readonly #readings = new Map<string, number>();
  readonly #watchers = new Map<string, DisposableStore>();
  readonly #running = new Set<Promise<void>>();
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(parts: PromptFilesParts) {
    this.#parts = parts;
    this.#store.add(
      parts.onDidChangeRules(() => {
        if (this.#states.size > 0) this.#changed.fire();
      }),
    );
    if (parts.watch)
      this.#store.add(
        parts.watch.onDidChangePlaces(() => {
          this.#states.clear();
          // What is being read now is of the places as they were.
          for (const [path, reading] of this.#readings) this.#readings.set(path, reading + 1);
          this.#changed.fire();
        }),
      );
  }

  read(path: string, profile: Profile): PromptText {
    if (!this.#parts.trusted()) return { type: 'untrusted' };
    if (!this.#states.has(path)) return this.#load(path, profile);
    const state = this.#states.get(path);
    if (!state) return { type: 'pending' };
    if (state.type === 'fault') return { type: 'unreadable', fault: state.fault };
    const verdict = this.#parts.judge(state.accesses, profile);
    if (verdict.effect !== 'pass') return { type: 'forbidden', ...verdict };
    if (state.type === 'unread') return this.#load(path, profile);
    return this.#accepted().includes(state.hash) ? { type: 'read', text: state.text } : { type: 'unaccepted' };
  }

  /** The text that a profile waits for, to be shown whole before it is accepted. */
  pending(profile: Profile): PendingPrompt | undefined {
    const file = profile.systemPromptFile;
    if (file === undefined || this.read(file, profile).type !== 'unaccepted') return undefined;
    const state = this.#states.get(file);
    return state?.type === 'loaded' ? { file, text: state.text, hash: state.hash } : undefined;
  }

  /** Remembers that this user accepted a text, as `pending` named it. */
  async accept(hash: string): Promise<void> {
    await changeStored(this.#parts.storage, acceptedKey, (now) =>
      [...stringsIn(now).filter((one) => one !== hash), hash].slice(-mostAccepted),
    );
    this.#changed.fire();
  }

  /** Resolves when every file that was asked for has been looked at. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #accepted(): readonly string[] {
    const value = this.#parts.storage.get(acceptedKey);
    return stringsIn(value);
  }

  #load(path: string, profile: Profile): PromptText {
    this.#states.set(path, undefined);
    // What an earlier reading saw may be older, whichever ends first.
    const reading = (this.#readings.get(path) ?? 0) + 1;
    this.#readings.set(path, reading);
    const loading = this.#look(path, profile)
      .catch((error: unknown): Looked => ({
        state: { type: 'fault', fault: { code: 'failed', detail: error instanceof Error ? error.name : 'unknown' } },
        follow: [],
      }))
      .then(({ state, follow }) => {
        this.#running.delete(loading);
        if (this.#store.isDisposed || this.#readings.get(path) !== reading) return;
        this.#states.set(path, state);
        this.#follow(path, follow, profile);
        this.#changed.fire();
      });
    this.#running.add(loading);
    return { type: 'pending' };
  }

  async #look(path: string, profile: Profile): Promise<Looked> {
    const { files, crypto, judge } = this.#parts;
    const { findPrompt, readPrompt } = await import('./promptReader');
    const found = await findPrompt(files, path);
    if ('fault' in found) return { state: { type: 'fault', fault: found.fault }, follow: [found.named] };
    const { value: place } = found;
    const { accesses, named, real } = place;
    // What a link leads to may change as well as the link.
    const follow = samePath(named, real) ? [named] : [named, real];
    if (judge(accesses, profile).effect !== 'pass') return { state: { type: 'unread', accesses }, follow };
    const read = await readPrompt(files, place);
    if ('fault' in read) return { state: { type: 'fault', fault: read.fault }, follow };
    const hash = crypto.sha256(canonicalJson({ prompt: path, text: read.value }));
    return { state: { type: 'loaded', accesses, text: read.value, hash }, follow };
  }

  #follow(path: string, places: readonly (WorkspacePath | undefined)[], profile: Profile): void {
    const { watch } = this.#parts;
    if (!watch) return;
    this.#watchers.get(path)?.dispose();
    const watchers = new DisposableStore();
    this.#watchers.set(path, watchers);
    for (const place of places) if (place) watchers.add(watch.file(place, () => void this.#load(path, profile)));
  }

  dispose(): void {
    for (const watchers of this.#watchers.values()) watchers.dispose();
    this.#watchers.clear();
    this.#store.dispose();
  }
}

interface Looked {
  readonly state: State;
  /** Where a change would make it another. */
  readonly follow: readonly (WorkspacePath | undefined)[];
}
