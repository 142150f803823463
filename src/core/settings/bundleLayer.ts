import type { Problem } from '../base/problem';
import type { Sentence } from '../base/sentence';

/** What one signed bundle adds: settings that only tighten, and what it pins. */
export interface BundleLayer {
  readonly name: string;
  /** Of the bundle in force; 0 and empty where none is. */
  readonly revision: number;
  /** The SHA-256 of its payload. */
  readonly hash: string;
  /** Checked against their declarations; empty where they count as the managed file's. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The hash of the list of tools that a server has to have, by the server's name. */
  readonly servers: Readonly<Record<string, string>>;
  /** The SHA-256 that a definition file has to have, by the file's name. */
  readonly definitions: Readonly<Record<string, string>>;
  /** Why no bundle of this name is in force: nobody can say what it was to tighten. */
  readonly fault?: Sentence;
  readonly problems: readonly Problem[];
}
