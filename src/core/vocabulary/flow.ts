import type { Sentence } from '../base/sentence';
import type { Access } from './access';

/** What a session can be: it read something private, or something that a stranger wrote. */
export const flowLabels = ['private', 'untrusted'] as const;
export type FlowLabel = (typeof flowLabels)[number];

/** Why something that was read gives a label. */
export const flowKinds = [
  'secret_file',
  'chosen_path',
  'outside_file',
  'database',
  'environment',
  'cloud_key',
  'shown_secret',
  'private_service',
  'web',
  'foreign_result',
  'foreign_words',
  'installed_file',
  'untrusted_workspace',
] as const;
export type FlowKind = (typeof flowKinds)[number];

/** Something that was read and gave a session a label. */
export interface FlowSource {
  readonly label: FlowLabel;
  readonly kind: FlowKind;
  /** What was read: a path, a URL, a connection, a server. */
  readonly resource: string;
  /** The tool that read it, by the name that models see. */
  readonly tool: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /**
   * Who handed it out, and so has it already: a server. To go back there is no leak. Undefined for what is nobody's but
   * the user's.
   */
  readonly origin?: string;
  /** The file, the notes or the tasks through which it came here. */
  readonly through?: string;
}

/**
 * How a call reaches others: `data` where it can carry what the session read, `plain` where it only follows a link
 * that was there, or reaches whom the user named.
 */
export type WayOut = 'data' | 'plain';

/** What is known of the session of a call, live: it follows what is read while the call runs. */
export interface FlowFacts {
  readonly private: readonly FlowSource[];
  readonly untrusted: readonly FlowSource[];
  /** The way out that accesses of the call are; undefined where nothing of them leaves. */
  wayOut(accesses: readonly Access[]): WayOut | undefined;
  /** What was read, who spoke, where it would go and what would be sent, for who is asked. */
  story(accesses: readonly Access[]): Sentence;
}

/** What a rule asks of the session of a call; all that are given must hold. */
export interface FlowMatch {
  readonly private?: boolean;
  readonly untrusted?: boolean;
  /** `data`: the call can carry what was read; `any`: it reaches others at all. */
  readonly out?: 'data' | 'any';
}
