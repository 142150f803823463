import type { Sentence } from '../base/sentence';
import type { WordedLines } from './serverUser';

export type ServerState =
  /** Known, not running: starts with the next call, or by hand. */
  | 'stopped'
  | 'starting'
  | 'running'
  /** Did not start or ended; tried again after a pause. */
  | 'failed'
  /** Waits for the user to approve its tools. */
  | 'asking'
  /** The user refused its tools, or could not be asked. */
  | 'refused'
  /** Its tools differ from what was approved; every call is refused until the user approves the change. */
  | 'blocked'
  | 'disabled'
  /** An entry of the workspace that the user has not approved. */
  | 'unapproved';

/** A server as views show it. */
export interface ServerStatus {
  readonly name: string;
  readonly capabilityId: string;
  readonly origin: 'managed' | 'user' | 'workspace';
  readonly state: ServerState;
  readonly tools: number;
  readonly protocol?: string;
  /** True where a person signs in to it, so that they can sign out. */
  readonly signsIn?: boolean;
  /** True where nobody signed in, so that it does nothing until it is started by hand. */
  readonly signedOut?: boolean;
  /** True where its tools are not those that a signed bundle pins. */
  readonly pinned?: boolean;
  /** Why it failed. */
  readonly detail?: Sentence;
  /** What changed, where it is blocked. */
  readonly diff?: WordedLines;
  /** Tools that could not be taken, one sentence each. */
  readonly faults: readonly Sentence[];
}
