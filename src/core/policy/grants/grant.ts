import type { ActorType } from '../../vocabulary/toolDefinition';
import type { GrantedAccess } from './grantPattern';

const grantScopes = ['once', 'session', 'workspace', 'always'] as const;
export type GrantScope = (typeof grantScopes)[number];

/**
 * What a grant covers beyond the tool: exactly these arguments, or accesses by pattern, or every call of the tool; or
 * all file changes below a folder, by whatever tool of ours makes them.
 */
export type GrantCover =
  | { readonly type: 'arguments'; readonly digest: string; readonly shown: string }
  | { readonly type: 'resources'; readonly accesses: readonly GrantedAccess[] }
  | { readonly type: 'tool' }
  | { readonly type: 'files'; readonly folder: string };

/** A remembered approval. */
export type Grant = {
  readonly id: string;
  readonly toolId: string;
  readonly toolName: string;
  /** Which tool of that id it was: where it comes from and what it was when it was allowed. */
  readonly binding: string;
  readonly actor: ActorType;
  readonly scope: GrantScope;
  readonly cover: GrantCover;
  /** The reasons that the person saw: a rule that asks for another reason later asks anew. */
  readonly reasons: readonly string[];
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly usesLeft?: number;
  /** Made with the admin token, so that it answers reasons that need one. */
  readonly admin?: boolean;
};
