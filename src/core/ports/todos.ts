import type { TodoDraft, TodoItem } from '../vocabulary/todo';

/** What an agent is told of a list. */
export interface TodoReading {
  readonly revision: number;
  readonly items: readonly TodoItem[];
  /** What the user changed since the agent last heard of the list, in words; empty where nothing was. */
  readonly userEdits: readonly string[];
}

export interface TodoWriting extends TodoReading {
  /** Where the user and the agent changed the same thing and the user's version stayed. */
  readonly conflicts: readonly string[];
  readonly unknownBlockers: readonly string[];
}

export interface TodoWrite {
  readonly todos: readonly TodoDraft[];
  /** The revision that the list was made from; the one that the agent heard of last where it is left out. */
  readonly revision?: number;
  readonly by: 'user' | 'agent';
}

/** The todo lists of all profiles, shared by the agent's tools and the user's view. */
export interface TodoStorePort {
  /** The list as it is; counts as told to the agent where an agent reads. */
  read(profileId: string, by: 'user' | 'agent'): TodoReading;
  /**
   * Replaces a profile's list, merging in what the user changed meanwhile.
   * Throws a ToolError `conflict` where the named revision is no longer kept, and `too_large` over the limit of items.
   */
  write(profileId: string, write: TodoWrite): TodoWriting;
}
